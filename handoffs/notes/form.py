"""The JSON form of a handoff note: read with clear errors, its words made harmless."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from continuity.core.note_parts import LONGEST, MOST, PARTS, WHOLE
from continuity.transcripts.base.sanitise import clean_text
from handoffs.directive.lines.wording import one_line, one_line_with_code
from handoffs.notes.note import HandoffNote

# What agents put before a statement of a list: a bullet, a number, the box of a task.
_BULLET = re.compile(r"^(?:(?:[-*•]|(?P<number>\d{1,3})[.)])\s+)?(?:\[[ xX]\]\s+)?")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
SHOWN = 40  # characters of a wrong name in an error

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Handoff note",
    "description": "What an outgoing agent tells its successor. Each statement is checked against what is known of the session.",
    "type": "object",
    "additionalProperties": False,
    "minProperties": 1,
    "properties": {
        name: {
            "type": "array",
            "description": meaning,
            "maxItems": MOST,
            "items": {"type": "string", "minLength": 1, "maxLength": LONGEST},
        }
        for name, meaning in PARTS.items()
    },
}


def read(raw: Any) -> HandoffNote:
    """The note of a JSON value. Raises ValueError, whose message begins with the field and names its limit (`next[2]: …`)."""
    if not isinstance(raw, Mapping):
        raise ValueError(f"note: must be an object with the parts as fields, not {_kind(raw)}")
    for name in raw:
        if name not in PARTS:
            raise ValueError(_unknown(str(name)))
    parts = {name: _part(name, raw.get(name)) for name in PARTS}
    if not any(parts.values()):
        raise ValueError("note: has no statement; each part is a list of them")
    return HandoffNote(**parts)


def read_text(text: str) -> HandoffNote:
    """The note of a JSON text. Raises ValueError as `read` does, and where the text is too long or no JSON."""
    if len(text) > WHOLE:
        raise ValueError(f"note: at most {WHOLE:,} characters, not {len(text):,}")
    try:
        raw = json.loads(text)
    except RecursionError:
        raise ValueError("note: is nested too deeply") from None
    except ValueError as error:
        where = f" at line {error.lineno}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise ValueError(f"note: is no JSON{where}") from None
    return read(raw)


def to_json(note: HandoffNote) -> dict[str, list[str]]:
    """The note as `read` takes it, without its empty parts."""
    return {name: list(getattr(note, name)) for name in PARTS if getattr(note, name)}


def statement(text: Any, at: str) -> str:
    """The words of one statement, on one line and harmless. Raises ValueError naming the place `at`."""
    if not isinstance(text, str):
        raise ValueError(f"{at}: must be text, not {_kind(text)}")
    if len(text) > LONGEST:
        raise ValueError(f"{at}: at most {LONGEST} characters, not {len(text):,}")
    words = one_line_with_code(_without_bullet(_CONTROL.sub(" ", clean_text(text)).strip()))
    if not words:
        raise ValueError(f"{at}: is empty")
    return words


def _without_bullet(text: str) -> str:
    """A number stays where the next one follows in the same statement."""
    found = _BULLET.match(text)
    if found is None or (found["number"] and re.search(rf"\s{int(found['number']) + 1}[.)]\s", text)):
        return text
    return text[found.end() :]


def _part(name: str, raw: Any) -> tuple[str, ...]:
    """The statements of a part, each once."""
    if raw is None:
        return ()
    if not isinstance(raw, list | tuple):
        raise ValueError(f"{name}: must be a list of statements, not {_kind(raw)}")
    if len(raw) > MOST:
        raise ValueError(f"{name}: at most {MOST} statements, not {len(raw):,}")
    return tuple(dict.fromkeys(statement(text, f"{name}[{index}]") for index, text in enumerate(raw)))


def _unknown(name: str) -> str:
    near = get_close_matches(name[:SHOWN], PARTS, 1)
    known = f"did you mean “{near[0]}”?" if near else f"the parts are {', '.join(PARTS)}"
    return f"“{one_line(name[:SHOWN])}”: is no part of a note; {known}"


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    return {str: "text", bool: "true or false", int: "a number", float: "a number", list: "a list"}.get(type(value), "an object")
