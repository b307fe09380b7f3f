"""Our status line in Claude Code's settings: before a person's own one, which still runs, and out again."""

from __future__ import annotations

import json
import re
import shlex

from continuity.client.hooks.window import THEN
from continuity.client.setup import json_edits
from continuity.client.setup.settings_files import BOM

NAME, COMMAND = "statusLine", "command"
_OURS = re.compile(r"continuity(?:/client/__main__\.py)?['\"]? statusline(?: |$)")


def add(text: str, command: str) -> str:
    """The settings with our `command`, behind which the person's own one stands, if there is one; one that cannot be read stays."""
    text = removed(text)
    line = _line(text)
    if line is None:
        mark, plain = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
        return mark + json_edits.add(plain, json_edits.root(plain), {"type": "command", COMMAND: command}, NAME)
    theirs = _command(text, line)
    if theirs is None or line.value.get("type") != "command":
        return text
    return _replaced(text, theirs, f"{command} {THEN} {shlex.quote(theirs.value)}")


def removed(text: str) -> str:
    """The settings with the person's own status line, or none where there was none."""
    line = _line(text)
    ours = None if line is None else _command(text, line)
    if line is None or ours is None or not _OURS.search(ours.value):
        return text
    try:
        words = shlex.split(ours.value)
    except ValueError:  # Somebody changed it: what they made of it stays.
        return text
    if THEN in words[:-1]:
        return _replaced(text, ours, words[words.index(THEN) + 1])
    return json_edits.remove(text, _root(text), [item.key for item in json_edits.items(text, _root(text))].index(NAME))


def is_present(text: str) -> bool:
    """Whether the settings have our status line."""
    line = _line(text)
    ours = None if line is None else _command(text, line)
    return ours is not None and bool(_OURS.search(ours.value))


def _root(text: str) -> int:
    return json_edits.root(text.removeprefix(BOM)) + text.startswith(BOM)


def _line(text: str) -> json_edits.JsonMember | None:
    if not text.removeprefix(BOM).strip():
        return None
    return next((item for item in json_edits.items(text, _root(text)) if item.key == NAME), None)


def _command(text: str, line: json_edits.JsonMember) -> json_edits.JsonMember | None:
    """The command of a status line, where it is one."""
    if not isinstance(line.value, dict):
        return None
    return next((item for item in json_edits.items(text, line.at) if item.key == COMMAND and isinstance(item.value, str)), None)


def _replaced(text: str, item: json_edits.JsonMember, value: str) -> str:
    return text[: item.at] + json.dumps(value, ensure_ascii=False) + text[item.end :]
