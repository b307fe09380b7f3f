"""Memory capture: what of a session is worth keeping for everybody's next one, as drafts that people accept, change or reject. Pure."""

from handoffs.capture.drafts import TakenSubject, drafts, subject_of
from handoffs.capture.model import CapturePolicy, DraftKind, MemoryDraft, QuotedSentence, SessionEvidence, Trigger

__all__ = [
    "CapturePolicy",
    "DraftKind",
    "MemoryDraft",
    "QuotedSentence",
    "SessionEvidence",
    "TakenSubject",
    "Trigger",
    "drafts",
    "subject_of",
]
