"""The maps in which open anchors stand."""

from __future__ import annotations

from continuity.knowledge.model import AnchorType
from continuity.knowledge.state.bounded_maps import BoundedMap
from continuity.knowledge.state.open_items import OpenAnchor
from continuity.knowledge.state.state import FoldState


def open_map(state: FoldState, type: AnchorType) -> BoundedMap[OpenAnchor]:
    """Where open anchors of a type are kept."""
    if type is AnchorType.QUESTION:
        return state.questions
    if type is AnchorType.COMMITMENT:
        return state.promises
    return state.errors if type is AnchorType.ERROR else state.open


def entered(state: FoldState, name: str) -> tuple[OpenAnchor | None, BoundedMap[OpenAnchor] | None]:
    """The open anchor of these words, of whatever type, and where it stands."""
    for place in (state.open, state.promises, state.questions, state.errors):
        if (item := place.get(name)) is not None:
            return item, place
    return None, None
