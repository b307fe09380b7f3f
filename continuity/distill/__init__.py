"""Turning messages into what must survive: a pure, incremental, deterministic fold."""

from continuity.distill.fold import EPOCH, READER, Folded, fold
from continuity.distill.knowledge import latest_superseded, merge_files, order_anchors, worth_telling
from continuity.distill.memory import Memory
from continuity.distill.outline import Outline, outline_from_json, outline_of, outline_to_json
from continuity.distill.situation import situation
from continuity.distill.state import FoldState
from continuity.distill.versions import RULES_VERSION, NewerState, OtherRules, OutdatedState

__all__ = [
    "EPOCH",
    "READER",
    "RULES_VERSION",
    "FoldState",
    "Folded",
    "Memory",
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
    "situation",
    "worth_telling",
]
