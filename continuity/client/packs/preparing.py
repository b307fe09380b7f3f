"""Preparing the packs of one session: reads where the repository stands, asks the server, and where it has nothing, finds it here.

Runs in a process of its own, which the recorder ends when it takes too long. Nothing waits for it.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from continuity.client import places
from continuity.client.client import Client
from continuity.client.connection import Away
from continuity.client.hooks import session as sessions
from continuity.client.light import exclusions, packs
from continuity.client.packs import finding, memory
from continuity.client.shapes import Pack, PackAnswer
from continuity.repository.tree_state import TreeState, read_tree_state

TAIL = 65_536  # bytes of a session's file in which a limit is looked for
_LIMITED = re.compile(rb'"(?:rate_limit_error|overloaded_error)"|\b(?:429|529)\b')
OFF = "off"


def prepare(path: str, client: Client) -> bool:
    """Packs for the session whose file is at `path`, as it wished; whether anything was left for its next hook. Raises Away, Refused.

    Where the session is not recorded yet, the wish stays for the next time.
    """
    wished = Path(packs.place("wished", path))
    wish = places.read_object(wished)
    conversation = str(sessions.known_of(path).get("conversation") or "")
    if not wish or not conversation or exclusions.folder_reason(str(wish["cwd"])):
        return False
    wished.unlink(missing_ok=True)
    known = memory.session(path)
    folder = Path(str(wish["cwd"]))
    remembered, identity = memory.tree(str(folder))
    standing = read_tree_state(folder, remembered=remembered, known=identity)
    if standing.remembered != remembered or identity is None:
        memory.keep_tree(str(folder), standing)
    if wish.get("prompt"):
        known["prompts"] = [*known.get("prompts", []), wish["prompt"]][-memory.PROMPTS :]
    known.setdefault("first_head", standing.head)
    known["since"] = "" if wish.get("emptied") else known.get("since", "")
    question = _question(path, wish, known, standing)
    try:
        answer = client.ask_packs(conversation, question)
    except Away:
        _put_back(wished, wish)
        raise
    if answer["wanted"]:
        prompt = "\n".join(known.get("prompts", []))
        made, known["diff_lines"], known["committed_lines"] = finding.material(
            folder, prompt, since=known["since"], first_head=known["first_head"], asked=answer
        )
        again = {"begun": False, "emptied": False, "anchored": "", "arrivals": []}
        measured = {name: known[name] for name in ("diff_lines", "committed_lines")}
        answer = client.make_packs(conversation, {**question, **again, **measured}, made)
    return _leave(path, known, standing, answer)


def _put_back(wished: Path, wish: dict[str, Any]) -> None:
    """Puts what the server missed about the session's window into the next request."""
    if wish.get("emptied") or wish.get("anchored"):
        newer = places.read_object(wished) or {**wish, "prompt": ""}
        kept = {name: newer.get(name) or wish.get(name) for name in ("begun", "emptied", "anchored")}
        places.write(wished, json.dumps({**newer, **kept}))


def _question(path: str, wish: dict[str, Any], known: dict[str, Any], standing: TreeState) -> dict[str, Any]:
    arrived = Path(packs.place("arrived", path))
    arrivals = places.read_object(arrived).get("arrivals", [])
    arrived.unlink(missing_ok=True)
    if any("delta" in arrival["parts"] or "context" in arrival["parts"] for arrival in arrivals):
        known["since"] = known.get("made_at", standing.head)
    who = standing.identity
    where = {"machine": os.uname().nodename[:120], "root": str(standing.root)}
    return {
        "place": {**where, "key": who.key, "remote": who.remote, "roots": list(who.roots)},
        "head": standing.head,
        "changed": standing.changed,
        "since": known["since"],
        "mode": wish.get("mode", "code"),
        "begun": bool(wish.get("begun")),
        "emptied": bool(wish.get("emptied")),
        "anchored": str(wish.get("anchored") or ""),
        "limited": is_limited(path),
        "diff_lines": int(known.get("diff_lines", 0)),
        "committed_lines": int(known.get("committed_lines", 0)),
        "arrivals": arrivals,
    }


def _leave(path: str, known: dict[str, Any], standing: TreeState, answer: PackAnswer) -> bool:
    """Stores what the next hook of the session gives. Where the team erased something since, all that is kept here goes first."""
    if known.get("epoch", answer["epoch"]) != answer["epoch"] or _epoch() not in (None, answer["epoch"]):
        memory.forget_all()
    places.write(Path(packs.sign("epoch")), str(answer["epoch"]))
    _mark("off", answer["mode"] == OFF)
    _mark("gives", answer["gives"])
    pack, parts = answer["pack"], answer["parts"]
    known |= {"epoch": answer["epoch"], "made_at": standing.head}
    memory.keep_session(path, known)
    if not answer["gives"] or pack is None or not parts:
        return False
    texts = {part: text for part, text in _texts(pack).items() if part in parts}
    paths = [each for each in pack["paths"] if each in standing.files]
    told = {"pack": pack["id"], "texts": texts, "paths": paths, "root": str(standing.root), "epoch": answer["epoch"]}
    if len(paths) < len(pack["paths"]):
        return False  # A file went while the pack was made.
    places.write(Path(packs.place("ready", path)), json.dumps(told))
    return True


def _texts(pack: Pack) -> dict[str, str]:
    return {"anchor": pack["anchor"], "context": pack["context"], "delta": pack["delta"]}


def _epoch() -> int | None:
    try:
        return int(Path(packs.sign("epoch")).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def _mark(name: str, holds: bool) -> None:
    """A sign that hooks look at; its time is when it was true last."""
    place = Path(packs.sign(name))
    if holds:
        places.write(place, "")
    else:
        place.unlink(missing_ok=True)


def is_limited(path: str) -> bool:
    """Whether the tool wrote into its session lately that the provider refused it: too many requests, or an overload."""
    try:
        with Path(path).open("rb") as stream:
            stream.seek(0, os.SEEK_END)
            stream.seek(max(0, stream.tell() - TAIL))
            lines = stream.read(TAIL).split(b"\n")
    except OSError:
        return False
    return any(b'"isApiErrorMessage":true' in line.replace(b" ", b"") and _LIMITED.search(line) for line in lines)
