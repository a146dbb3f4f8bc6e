"""Audits in a database: SQLite by default, any SQLAlchemy URL by PROVENANCE_DATABASE_URL."""

from ._engine import database_url
from .bulk_scores import BulkScoreStore, MeasuredAudit, scores_under
from .comparison import AuditTexts, CandidateGroup, CandidatePage, ComparisonStore
from .errors import (
    DATABASE_URL_VARIABLE,
    AuditNotFound,
    PresetNotFound,
    RunNotFound,
    StorageError,
)
from .filters import SEARCH_LIMIT, AuditFilter
from .items import Item, ItemColumn, ItemFilter, ItemOrder, ItemPage, ItemStore, MadeWith, Reviewed
from .presets import (
    Preset,
    PresetEvidence,
    PresetFigure,
    PresetList,
    PresetStore,
    UnreadablePreset,
)
from .reviews import CLAIM_MINUTES, ReviewCount, ReviewerCount, ReviewProgress, ReviewStore
from .runs import (
    LabelledScores,
    NewRun,
    PendingRow,
    Progress,
    RowStatus,
    Run,
    RunName,
    RunPage,
    RunRow,
    RunRowPage,
    RunStatus,
    RunStore,
)
from .store import AuditPage, AuditRow, AuditStore, SavedAudit

__all__ = [
    "CLAIM_MINUTES",
    "DATABASE_URL_VARIABLE",
    "SEARCH_LIMIT",
    "AuditFilter",
    "AuditNotFound",
    "AuditPage",
    "AuditRow",
    "AuditStore",
    "AuditTexts",
    "BulkScoreStore",
    "CandidateGroup",
    "CandidatePage",
    "ComparisonStore",
    "Item",
    "ItemColumn",
    "ItemFilter",
    "ItemOrder",
    "ItemPage",
    "ItemStore",
    "LabelledScores",
    "MadeWith",
    "MeasuredAudit",
    "NewRun",
    "PendingRow",
    "Preset",
    "PresetEvidence",
    "PresetFigure",
    "PresetList",
    "PresetNotFound",
    "PresetStore",
    "Progress",
    "ReviewCount",
    "ReviewProgress",
    "ReviewStore",
    "Reviewed",
    "ReviewerCount",
    "RowStatus",
    "Run",
    "RunName",
    "RunNotFound",
    "RunPage",
    "RunRow",
    "RunRowPage",
    "RunStatus",
    "RunStore",
    "SavedAudit",
    "StorageError",
    "UnreadablePreset",
    "database_url",
    "scores_under",
]
