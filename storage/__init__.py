"""Audits in a database: SQLite by default, any SQLAlchemy URL by PROVENANCE_DATABASE_URL."""

from storage.audits import MOST_FOUND, AuditPage, AuditRow, AuditStore, Corrections, SavedAudit
from storage.comparison import CandidateGroup, CandidatePage, ComparisonStore
from storage.database import snapshot
from storage.engine import database_url
from storage.errors import (
    DATABASE_URL_VARIABLE,
    AuditNotFound,
    FitNotFound,
    PresetNotFound,
    RunNotFound,
    StorageError,
)
from storage.filters import SEARCH_LIMIT, AuditFilter
from storage.fitted_profiles import FitEvidence, FittedProfile, FittedProfileStore
from storage.gold_labels import GoldLabelStore
from storage.items import (
    FilterValues,
    Item,
    ItemColumn,
    ItemDetails,
    ItemFilter,
    ItemLabels,
    ItemOrder,
    ItemPage,
    ItemStore,
    MadeWith,
    Reviewed,
)
from storage.opinions import Opinion
from storage.own_labels import OwnLabelStore
from storage.pair_scores import PairScoreStore
from storage.presets import (
    ImportedPreset,
    Preset,
    PresetEvidence,
    PresetFigure,
    PresetList,
    PresetStore,
    UnreadablePreset,
)
from storage.request_keys import RequestBusy, RequestKey, RequestKeyStore
from storage.reviews import (
    RESERVATION_MINUTES,
    ReviewCount,
    ReviewerCount,
    ReviewProgress,
    ReviewStore,
)
from storage.runs import (
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
from storage.seen_audits import SeenAuditStore
from storage.shares import Share, ShareStore
from storage.stored_scores import BulkScoreStore, MeasuredAudit, scores_under

__all__ = [
    "DATABASE_URL_VARIABLE",
    "MOST_FOUND",
    "RESERVATION_MINUTES",
    "SEARCH_LIMIT",
    "AuditFilter",
    "AuditNotFound",
    "AuditPage",
    "AuditRow",
    "AuditStore",
    "BulkScoreStore",
    "CandidateGroup",
    "CandidatePage",
    "ComparisonStore",
    "Corrections",
    "FilterValues",
    "FitEvidence",
    "FitNotFound",
    "FittedProfile",
    "FittedProfileStore",
    "GoldLabelStore",
    "ImportedPreset",
    "Item",
    "ItemColumn",
    "ItemDetails",
    "ItemFilter",
    "ItemLabels",
    "ItemOrder",
    "ItemPage",
    "ItemStore",
    "MadeWith",
    "MeasuredAudit",
    "NewRun",
    "Opinion",
    "OwnLabelStore",
    "PairScoreStore",
    "PendingRow",
    "Preset",
    "PresetEvidence",
    "PresetFigure",
    "PresetList",
    "PresetNotFound",
    "PresetStore",
    "Progress",
    "RequestBusy",
    "RequestKey",
    "RequestKeyStore",
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
    "SeenAuditStore",
    "Share",
    "ShareStore",
    "StorageError",
    "UnreadablePreset",
    "database_url",
    "scores_under",
    "snapshot",
]
