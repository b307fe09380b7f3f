"""Models of handoffs; one file for each noun."""

from handoffs.models.answers import OfferAnswer
from handoffs.models.chains import HandoffChain
from handoffs.models.checks import CheckCause, FidelityCheck
from handoffs.models.edits import EditAction, EditTarget, HandoffEdit
from handoffs.models.handoffs import Handoff, HandoffStatus
from handoffs.models.notes import NoteAuthor, NoteStatement, StoredNote
from handoffs.models.overrides import HandoffOverride
from handoffs.models.packs import (
    Artifact,
    ArtifactStatus,
    FileSummary,
    PackMode,
    PackPolicy,
    PackSession,
    RankedSearch,
    Repository,
    StoredPack,
)
from handoffs.models.policies import HandoffPolicy
from handoffs.models.probes import ProbeBank, ProbeCheckpoint
from handoffs.models.ratings import HandoffRating, RatingKind
from handoffs.models.receipts import Receipt
from handoffs.models.resumptions import Resumption
from handoffs.models.tombstones import HandoffTombstone

__all__ = [
    "Artifact",
    "ArtifactStatus",
    "CheckCause",
    "EditAction",
    "EditTarget",
    "FidelityCheck",
    "FileSummary",
    "Handoff",
    "HandoffChain",
    "HandoffEdit",
    "HandoffOverride",
    "HandoffPolicy",
    "HandoffRating",
    "HandoffStatus",
    "HandoffTombstone",
    "NoteAuthor",
    "NoteStatement",
    "OfferAnswer",
    "PackMode",
    "PackPolicy",
    "PackSession",
    "ProbeBank",
    "ProbeCheckpoint",
    "RankedSearch",
    "RatingKind",
    "Receipt",
    "Repository",
    "Resumption",
    "StoredNote",
    "StoredPack",
]
