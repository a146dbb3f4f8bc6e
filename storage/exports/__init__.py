"""Exports items to files of other tools. Each format is a module, and items are read one by one."""

from storage.exports._export_item import Correction, ExportItem
from storage.exports.exporter import Exporter, ExportFormat, ExportSummary
from storage.exports.full import EXPORT_SCHEMA
from storage.exports.label_studio import LABELING_CONFIG
from storage.exports.ragtruth import SpansFrom

__all__ = [
    "EXPORT_SCHEMA",
    "LABELING_CONFIG",
    "Correction",
    "ExportFormat",
    "ExportItem",
    "ExportSummary",
    "Exporter",
    "SpansFrom",
]
