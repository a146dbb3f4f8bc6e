"""Items of a filter as files of other tools, one module a format; read and written one by one."""

from .exporter import Exporter, ExportFormat, ExportSummary
from .full import EXPORT_SCHEMA
from .label_studio import LABELING_CONFIG
from .ragtruth import SpansFrom

__all__ = [
    "EXPORT_SCHEMA",
    "LABELING_CONFIG",
    "ExportFormat",
    "ExportSummary",
    "Exporter",
    "SpansFrom",
]
