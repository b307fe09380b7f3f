"""UserPromptSubmit: one line when the window is nearly full, one for what somebody handed over. Asks no server."""

from __future__ import annotations

import json
from typing import Any

from continuity.client import offers, places, positions
from continuity.client.hooks import session

WARN_FROM = 0.75
STEP = 0.05


def answer(payload: dict[str, Any]) -> str:
    path = session.file_of(payload)
    session.record(path)
    if path is None:
        return ""
    known = positions.load(path.absolute())
    memory = places.folder("told") / f"{places.key_of(str(path))}.json"
    told = places.read_object(memory)
    lines = [session.lost_words(path), _limit(known.decision, told), _offer(str(payload.get("cwd", "")), known.conversation, told)]
    places.write(memory, json.dumps(told)) if any(lines[1:]) else None
    return "\n".join(line for line in lines if line)


def _limit(decision: dict[str, Any], told: dict[str, Any]) -> str:
    """A warning, once for each further twentieth of the window; it begins anew when the window was emptied."""
    share = float(decision.get("utilization") or 0.0)
    near = share >= WARN_FROM or bool(decision.get("should_handoff"))
    before = float(told.get("share", 0.0))
    if not near or before <= share < before + STEP:
        return ""
    told["share"] = share
    turns = decision.get("remaining_turns")
    left = f", about {turns} turns left" if turns is not None else ""
    return f"Continuity: the context window is {share:.0%} full{left}. `continuity handoff` prepares a checked handoff for a new session."


def _offer(cwd: str, conversation: str, told: dict[str, Any]) -> str:
    seen = list(told.get("offers", []))
    fresh = [offer for offer in offers.known(cwd) if offer["id"] not in seen and offer["conversation_id"] != conversation]
    if not fresh:
        return ""
    told["offers"] = [*seen, *(offer["id"] for offer in fresh)][-100:]
    first = fresh[0]
    return f"Continuity: a handoff of this folder is ready ({first['summary'][:120]}); `continuity resume {first['id']}` goes on from it."
