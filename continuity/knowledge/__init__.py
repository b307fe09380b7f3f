"""Turning messages into what must survive: a pure, incremental, deterministic fold."""

from continuity.knowledge.fold import EPOCH, READER, Folded, fold
from continuity.knowledge.in_memory import InMemoryStore
from continuity.knowledge.state.session_outline import Outline, outline_from_json, outline_of, outline_to_json, request_from_json
from continuity.knowledge.state.situation import situation
from continuity.knowledge.state.state import FoldState
from continuity.knowledge.stored import latest_superseded, merge_files, order_anchors, worth_telling
from continuity.knowledge.versions import RULES_VERSION, NewerState, OtherRules, OutdatedState

__all__ = [
    "EPOCH",
    "READER",
    "RULES_VERSION",
    "FoldState",
    "Folded",
    "InMemoryStore",
    "NewerState",
    "OtherRules",
    "OutdatedState",
    "Outline",
    "fold",
    "latest_superseded",
    "merge_files",
    "order_anchors",
    "outline_from_json",
    "outline_of",
    "outline_to_json",
    "request_from_json",
    "situation",
    "worth_telling",
]
