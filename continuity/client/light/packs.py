"""Packs in hooks: what is wished for, what was prepared for a session, and both together with a directive in one answer.

A hook reads and writes small files here; whatever takes longer the recorder has done by another process (`continuity.client.packs`).
"""

from __future__ import annotations

import os
import time

from continuity.client.light import fast_json, files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LIMIT = 9_900  # characters of all that one hook adds
DIRECTIVE = 6_500  # that a directive has at least beside an Anchor
# What is at hand stands at the beginning of a directive; where packs stand around that, so much of it is told again at the end.
AGAIN, AGAIN_TITLE, NOW = 700, "At hand, as told above:", ("\n## Now\n", "\nNow:\n")
AGAIN_ROOM = 300  # kept free for that; a directive that is cut seldom fills its room
# A team that wants none is asked again after so long; what nobody took is old after so long.
OFF_SECONDS, OLD_SECONDS = 600.0, 3_600.0
PROMPT = 8_000  # characters
ANCHOR, CONTEXT, DELTA = PARTS = ("anchor", "context", "delta")


def place(kind: str, path: str) -> str:
    """The file of a kind (`wished`, `ready`, `arrived`) for the session whose own file is at `path`."""
    return f"{files.folder(f'packs/{kind}')}/{files.key_of(path)}.json"


def wish(payload: dict[str, Any], path: str, *, begun: bool = False, emptied: bool = False, anchor: str = "") -> None:
    """Has packs prepared for the session. What was wished before and not read yet is a part of it. `anchor` is the Anchor pack that it
    was given as it began."""
    cwd = str(payload.get("cwd") or "")
    if not path or not cwd or is_off():
        return
    known = files.read_object(place("wished", path))
    told = {
        "path": path,
        "cwd": cwd,
        "prompt": str(payload.get("prompt") or "")[-PROMPT:] or known.get("prompt", ""),
        "mode": "plan" if payload.get("permission_mode") == "plan" else "code",
        "begun": begun or bool(known.get("begun")),
        "emptied": emptied or bool(known.get("emptied")),
        "anchored": files.key_of(anchor) if anchor else str(known.get("anchored") or ""),
    }
    files.write(place("wished", path), fast_json.write(told))


def take(path: str) -> tuple[str, dict[str, str]]:
    """The id and the texts, by part, of what was prepared for the session; once. None where they are old, or name a file that is gone."""
    ready = place("ready", path)
    try:
        age = time.time() - os.stat(ready).st_mtime
    except OSError:
        return "", {}
    told = files.read_object(ready)
    os.unlink(ready)
    given, paths = told.get("texts"), told.get("paths")
    if not isinstance(given, dict) or not isinstance(paths, list) or not 0 <= age < OLD_SECONDS:
        return "", {}
    texts = {part: given[part] for part in PARTS if isinstance(given.get(part), str) and given[part]}
    return (str(told.get("pack", "")), texts) if texts and _are_there(str(told.get("root", "")), paths) else ("", {})


def arrived(path: str, pack: str, shown: dict[str, str]) -> None:
    """Notes which of the prepared texts are in the answer, for the next question to the server."""
    before = list(files.read_object(place("arrived", path)).get("arrivals") or [])
    size = sum(len(text.encode("utf-8", "replace")) for text in shown.values())
    told = {"pack_id": pack, "parts": [part for part in PARTS if part in shown], "size": size}
    files.write(place("arrived", path), fast_json.write({"arrivals": [*before, told][-20:]}))


def leave(path: str) -> None:
    """Removes the words that are kept for a session that is over. What its window holds stays known: it may be resumed, and goes on."""
    wished = files.read_object(place("wished", path))
    for kind in ("wished", "ready"):
        known = place(kind, path)
        if os.path.exists(known):
            os.unlink(known)
    if wished.get("emptied"):  # that its window was emptied is not known to the server yet
        files.write(place("wished", path), fast_json.write({**wished, "prompt": ""}))
    told = files.read_object(place("sessions", path))
    if told.pop("prompts", None):
        files.write(place("sessions", path), fast_json.write(told))


def added(path: str, words: str) -> str:
    """The text that a hook adds: its own words, and what was prepared for the session as far as it fits."""
    pack, texts = take(path) if path else ("", {})
    if not texts:
        return words
    whole, shown = together(words, texts)
    if shown:
        arrived(path, pack, shown)
    return whole


def together(directive: str, texts: dict[str, str], limit: int = LIMIT) -> tuple[str, dict[str, str]]:
    """Anchor first, then the directive, then what fits: blocks that don't are skipped, and the next tried; at the end what is at hand once
    more, so that it stands where a reader looks. Also which texts are in it."""
    pieces, shown = [], {}
    left = limit - len(directive)
    if (anchor := texts.get(ANCHOR, "")) and len(anchor) + 1 <= left:
        pieces.append(anchor.rstrip("\n"))
        shown[ANCHOR] = anchor
        left -= len(anchor) + 1
    again = ""
    if directive:
        pieces.append(directive.rstrip("\n"))
        again = _at_hand(directive, min(AGAIN, left - 1)) if any(texts.values()) else ""
        left -= len(again) + 1
    for part in (DELTA, CONTEXT):
        if fitting := _fitting(texts.get(part, ""), left - 1):
            pieces.append(fitting)
            shown[part] = fitting
            left -= len(fitting) + 1
    if again and shown:
        pieces.append(again)
    return "\n".join(pieces), shown


def directive_room(anchor: str, limit: int = LIMIT) -> int:
    """How many characters a directive may take in a hook that begins with this Anchor."""
    left = limit - len(anchor) - 1
    return max(min(DIRECTIVE, left), left - AGAIN_ROOM) if anchor else limit


def _at_hand(directive: str, room: int) -> str:
    """The lines of a directive's Now that fit; empty where it has none of that heading."""
    lines = next((found for heading in NOW if (found := directive.partition(heading)[2])), "").split("\n")
    blocks: list[str] = []
    for line in lines:
        if line.startswith("- "):
            blocks.append(line)
        elif blocks and line.startswith("  "):
            blocks[-1] += f"\n{line}"
        else:
            break
    return _as_fit(AGAIN_TITLE, blocks, room)


def _fitting(text: str, room: int) -> str:
    """The title and the blocks of a pack that fit into so many characters; nothing without a block. A block is a line with the indented
    ones under it."""
    lines = text.rstrip("\n").split("\n")
    blocks: list[str] = []
    for line in lines[1:]:
        if blocks and line[:1] in (" ", "@", "+", "-"):
            blocks[-1] += "\n" + line
        else:
            blocks.append(line)
    return _as_fit(lines[0], blocks, room)


def _as_fit(title: str, blocks: list[str], room: int) -> str:
    kept, left = [title], room - len(title)
    for block in blocks:
        if len(block) + 1 <= left:
            kept.append(block)
            left -= len(block) + 1
    return "\n".join(kept) if len(kept) > 1 else ""


def is_off() -> bool:
    """Whether the team wanted no packs moments ago."""
    try:
        return 0 <= time.time() - os.stat(sign("off")).st_mtime < OFF_SECONDS
    except OSError:
        return False


def gives() -> bool:
    """Whether the team gave packs when it was last asked."""
    return os.path.exists(sign("gives"))


def sign(name: str) -> str:
    return f"{files.folder('packs')}/{name}"


def root_of(cwd: str) -> str:
    """The nearest folder at or above this one that has a `.git`; itself where none has."""
    real = os.path.realpath(cwd)
    at = real
    while True:
        if os.path.lexists(f"{at}/.git"):
            return at
        above = os.path.dirname(at)
        if above == at:
            return real
        at = above


def anchor_here(told: dict[str, Any], root: str) -> str:
    """The Anchor pack that the server told of a work tree, where every file that it names is there."""
    return str(told.get("anchor") or "") if _are_there(root, list(told.get("paths") or [])) else ""


def _are_there(root: str, paths: list[Any]) -> bool:
    return all(os.path.lexists(f"{root}/{path}") for path in paths[:400])
