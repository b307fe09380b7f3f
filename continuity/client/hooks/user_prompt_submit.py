"""UserPromptSubmit: one line when the window is nearly full, a request for a note, one line for what somebody handed over.

It asks no server, but once where the server did not answer when the session began: a tool that starts keeps the processors busy.
"""

from __future__ import annotations

from importlib import import_module

from continuity.client import offers
from continuity.client.hooks import headless, note_request, session
from continuity.client.hooks.answers import HookAnswer
from continuity.client.light import files, packs
from continuity.client.light.wording import excerpt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WARN_FROM = 0.75
STEP = 0.05
SUMMARY = 120
MARK = "Continuity: "


def answer(payload: dict[str, Any]) -> HookAnswer:
    path = session.file_of(payload)
    if not path:
        return HookAnswer()
    known = session.known_of(path)
    late = _late(payload, path, known.get("conversation", ""))
    session.record(path, payload)
    memory = f"{files.folder('told')}/{files.key_of(path)}.json"
    told = files.read_object(memory)
    limit = _limit(known.get("decision", {}), told)
    offer = (
        "" if late.context or headless.is_headless(payload) else _offer(str(payload.get("cwd", "")), known.get("conversation", ""), told)
    )
    made = _made(known, told)
    if limit or offer or made:
        files.write(memory, import_module("json").dumps(told))
    # What comes next, the person says now.
    lost = session.lost_words(path, without="next")
    lines = [late.context, lost, limit, note_request.asked(payload, path, known), offer]
    packs.wish(payload, path, begun=True)
    seen = [late.told, session.PUT_BACK if lost else "", limit.removeprefix(MARK), offer.removeprefix(MARK), made]
    return HookAnswer(packs.added(path, "\n".join(line for line in lines if line)), "\n".join(line for line in seen if line))


def _late(payload: dict[str, Any], path: str, conversation: str) -> HookAnswer:
    if not session.was_put_off(path):
        return HookAnswer()
    resuming = import_module("continuity.client.hooks.resuming")
    found: HookAnswer = resuming.late_continuation(payload, conversation)
    if resuming.is_begun(payload):
        session.put_off(path)
    return found


def _made(known: dict[str, Any], told: dict[str, Any]) -> str:
    """Says once that a handoff of this very session is ready; for the person, whose it is to begin a new session."""
    handoff = str(known.get("handoff") or "")
    if not handoff or told.get("handoff") == handoff or offers.is_taken(str(known.get("conversation") or ""), handoff):
        return ""
    told["handoff"] = handoff
    place = import_module("continuity.client.credentials").find().url.rstrip("/")
    return f"a handoff of this session is ready: a new session of this folder resumes it. {place}/handoffs/{handoff}"


def _limit(decision: dict[str, Any], told: dict[str, Any]) -> str:
    """A warning, once for each further twentieth of the window; it begins anew when the window was emptied."""
    share = float(decision.get("utilization") or 0.0)
    if decision.get("above_window"):  # One of the two numbers is wrong, so nothing follows from them.
        return ""
    near = share >= WARN_FROM or bool(decision.get("should_handoff"))
    before = float(told.get("share", 0.0))
    if not near or before <= share < before + STEP:
        return ""
    told["share"] = share
    turns = decision.get("remaining_turns")
    left = f", about {turns} turns left" if turns is not None else ""
    return f"{MARK}the context window is {share:.0%} full{left}. `continuity handoff` prepares a checked handoff for a new session."


def _offer(cwd: str, conversation: str, told: dict[str, Any]) -> str:
    seen = list(told.get("offers", []))
    fresh = [offer for offer in offers.known(cwd) if offer["id"] not in seen and offer["conversation_id"] != conversation]
    if not fresh:
        return ""
    told["offers"] = [*seen, *(offer["id"] for offer in fresh)][-100:]
    first = fresh[0]
    about = excerpt(str(first["summary"]), SUMMARY)
    return f"{MARK}a handoff of this folder is ready{f' (“{about}”)' if about else ''}; `continuity resume {first['id']}` resumes it."
