"""Finds the anchor, task or line that a caller names by a reference (`a12`) or a key."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from continuity.core.errors import Invalid, NotFound
from continuity.knowledge.model import AnchorState
from continuity.models import Anchor, Task
from continuity.services.knowledge import curation
from handoffs.models import EditTarget, Handoff

_REFERENCE = re.compile(r"#?([afmnt])(\d{1,9})")


@dataclass(frozen=True, slots=True)
class Named:
    """The target that a name stands for. `row` is the anchor or task behind it where the conversation still has one; `item` the line of the
    package as JSON where it holds one."""

    target: EditTarget
    key: str
    reference: str = ""
    row: Anchor | Task | None = None
    item: dict[str, Any] | None = None


def plain(reference: str, *, field: str = "ref") -> str:
    """`#a12`, or `[a12!]` and `(a12?)` as directives have it, as `a12`. Raises Invalid, naming the field, on what is no reference."""
    found = _REFERENCE.fullmatch(reference.strip(" []()!?"))
    if found is None:
        raise Invalid(f"{field} must be a reference of the package, such as a12, t3, f2 or m17.", field=field)
    return f"{found[1]}{int(found[2])}"


def named(handoff: Handoff, *, ref: str, key: str) -> Named:
    """Find what `ref` or `key` means in this package. Raises NotFound, and Invalid where a reference stands for several lines."""
    if not ref and not key:
        raise Invalid("Name the item by its ref or its key.", field="ref")
    reference = plain(ref) if ref else ""
    lines = [line for line in items(handoff) if (line["reference"] == reference if reference else line["key"] == key)]
    if len({line["key"] for line in lines}) > 1:
        keys = ", ".join(line["key"] for line in lines)
        raise Invalid(f"{reference} is the source of several lines; name one by its key: {keys}.", field="key")
    item = lines[0] if lines else None
    key = key or (item["key"] if item else handoff.references.get(reference, ""))
    if not key:
        raise NotFound(noun="item in this handoff")
    reference = reference or next((given for given, known in handoff.references.items() if known == key), "")
    anchor = curation.anchor_of(conversation=handoff.conversation, key=key)
    if anchor is not None:
        current = anchor.state == AnchorState.CURRENT
        return Named(EditTarget.ANCHOR if current else EditTarget.LINE, key, reference, anchor, item)
    task = curation.task_of(conversation=handoff.conversation, key=key)
    return Named(EditTarget.TASK if task else EditTarget.LINE, key, reference, task, item)


def items(handoff: Handoff) -> Iterator[dict[str, Any]]:
    """The lines of the package as JSON, each with the `kind` of its section."""
    for section in handoff.rest["sections"]:
        for item in section["items"]:
            yield {**item, "kind": section["kind"]}
