"""The shape that a model's answer must have, as JSON Schema; told to the model, and checked by hand in `checking`."""

from __future__ import annotations

from typing import Any

from continuity.extraction.model import WindowLimits
from continuity.knowledge.model import AnchorState, AnchorType, TaskStatus

TASK_STATUSES = {status.name.lower(): status for status in TaskStatus}
SETTLED_AS = {state.value: state for state in (AnchorState.SUPERSEDED, AnchorState.RESOLVED)}


def schema(limits: WindowLimits) -> dict[str, Any]:
    """The JSON Schema of an answer within `limits`."""
    quote = {"type": "string", "minLength": limits.shortest_quote, "maxLength": limits.longest_quote}
    said = {"message": {"type": "integer"}, "quote": quote}
    return _object(
        anchors=_list(
            limits.anchors,
            type={"enum": [kind.value for kind in AnchorType]},
            importance={"type": "number", "minimum": 0, "maximum": 1},
            **said,
        ),
        tasks=_list(limits.tasks, task={"type": ["string", "null"]}, status={"enum": list(TASK_STATUSES)}, **said),
        settled=_list(limits.settled, anchor={"type": "string"}, how={"enum": list(SETTLED_AS)}, **said),
        summary={"type": "string", "maxLength": limits.summary},
    )


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(most: int, **properties: Any) -> dict[str, Any]:
    return {"type": "array", "maxItems": most, "items": _object(**properties)}
