"""A tool's settings file as text: its mark of order, its line ends and all that nobody asked to change stay as they are."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from continuity.client.light.wording import shown_path
from continuity.client.setup import json_edits

BOM = "\ufeff"
_OURS = re.compile(r"continuity(?:/client/__main__\.py)?['\"]? hook(?: [a-z-]+)?$")


class Unreadable(OSError):
    """The settings file can't be changed; mend it first."""


def text_of(path: Path) -> str | None:
    """The file's text with its line ends as they are; None where there is no file. Raises Unreadable."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise Unreadable(f"{shown_path(path)} is not UTF-8 at byte {error.start:,}; mend it first.") from error


class Hook(NamedTuple):
    """Where a hook of ours stands: its event, and its group's and its own number in the lists there."""

    event: str
    group: int
    entry: int


def read_plainly(path: Path, text: str | None) -> dict[str, Any]:
    """The settings, which may have comments. Raises Unreadable where they are no JSON object."""
    plain = (text or "").removeprefix(BOM)
    try:
        settings = json.loads(json_edits.plain(plain)) if plain.strip() else {}
    except ValueError as error:
        raise Unreadable(f"{shown_path(path)} is no JSON ({error}); mend it first.") from error
    if not isinstance(settings, dict):
        raise Unreadable(f"{shown_path(path)} holds no JSON object; mend it first.")
    return settings


def read(path: Path, text: str | None) -> dict[str, Any]:
    """The settings. Raises Unreadable where they or their hooks have another form than the tools read, naming what."""
    settings = read_plainly(path, text)
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict):
        raise Unreadable(f'{shown_path(path)}: "hooks" is no object; mend it first.')
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise Unreadable(f'{shown_path(path)}: "hooks" → "{event}" is no list; mend it first.')
        for group in groups:
            if not isinstance(group, dict) or not isinstance(group.get("hooks", []), list):
                raise Unreadable(f'{shown_path(path)}: "hooks" → "{event}" holds what is no group of hooks; mend it first.')
    return settings


def ours(settings: dict[str, Any]) -> list[Hook]:
    """Our hooks in their order."""
    return [
        Hook(event, number, place)
        for event, groups in settings.get("hooks", {}).items()
        for number, group in enumerate(groups)
        for place, entry in enumerate(group.get("hooks", []))
        if isinstance(entry, dict) and _OURS.search(str(entry.get("command", "")))
    ]


def with_hooks(text: str | None, entries: dict[str, dict[str, Any]]) -> str:
    """The text with one more group for each event."""
    text = text or ""
    mark, plain = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    if not plain.strip():
        return mark + json.dumps({"hooks": {event: [{"hooks": [entry]}] for event, entry in entries.items()}}, indent=2) + "\n"
    for event, entry in entries.items():
        plain = _with_hook(plain, event, {"hooks": [entry]})
    return mark + plain


def without_ours(path: Path, text: str) -> str:
    """The text without our hooks, and without the groups, lists and objects that they leave empty."""
    mark, plain = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    for hook in reversed(ours(read(path, text))):
        plain = _without(plain, hook)
    return mark + plain


def _with_hook(text: str, event: str, group: dict[str, Any]) -> str:
    top = json_edits.root(text)
    hooks = json_edits.member(text, top, "hooks")
    if hooks is None:
        return json_edits.add(text, top, {event: [group]}, "hooks")
    listed = json_edits.member(text, hooks.at, event)
    if listed is None:
        return json_edits.add(text, hooks.at, [group], event)
    return json_edits.add(text, listed.at, group)


def _without(text: str, hook: Hook) -> str:
    """Takes one hook out, with whatever held nothing but it."""
    top = json_edits.root(text)
    path: list[tuple[int, int]] = []
    at = top
    for step in ("hooks", hook.event, hook.group, "hooks", hook.entry):
        there = json_edits.items(text, at)
        place = step if isinstance(step, int) else max(i for i, item in enumerate(there) if item.key == step)
        path.append((at, place))
        at = there[place].at
    # From the inside out: the outermost that holds nothing else goes, the group and the object of hooks among them.
    for (holder, place), depth in zip(reversed(path), (4, 3, 2, 1, 0), strict=True):
        alone = len(json_edits.items(text, holder)) == 1
        group_with_more = depth == 3 and not alone  # such as a matcher, which means nothing without hooks
        if depth == 0 or not (alone or group_with_more):
            return json_edits.remove(text, holder, place)
    return text
