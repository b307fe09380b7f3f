"""Resuming a handoff that is ready in the folder in which a session starts."""

from __future__ import annotations

import os
import time

from continuity.client import credentials, offers
from continuity.client.hooks import tools
from continuity.client.hooks.answers import HookAnswer, moment
from continuity.client.light import fast_json, files, packs, requests
from continuity.client.light.wording import excerpt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Of the folder's handoffs that are ready, the newest; more, since this session may have made some itself.
NEWEST = 5
# Tools wait ten seconds for a hook: all that one asks together takes less.
RESUME_SECONDS = 5.0
# At the first prompt, of a server that did not answer as the session began.
LATE_SECONDS = 3.0
# So long the next prompts ask again how a resume went whose answer did not come.
BEGUN_SECONDS = 600.0
SUMMARY = 100


def continuation(payload: dict[str, Any], own: str, *, again: bool = False, room: Callable[[], int] | None = None) -> HookAnswer:
    """The directive of the newest handoff of the folder that is not of the conversation `own`; empty where there is none.

    `room` tells how many characters it may take, where it has not a hook for itself. `again` asks also a server that did not answer
    shortly before, and waits longer. Raises NoAnswer, Refusal, NotLoggedIn.
    """
    if again and (begun := files.read_object(_begun(payload))):
        try:
            return _resumed(payload, begun)
        except requests.Refusal:
            pass  # It was not done then: what is ready now counts.
    seconds = LATE_SECONDS if again else requests.ANSWER_SECONDS
    cwd = str(payload.get("cwd", ""))
    ready = [each for each in requests.ready(cwd, NEWEST, again=again, seconds=seconds) if each["conversation_id"] != own] if cwd else []
    taken = ready[0]["conversation_id"] if ready else ""
    offers.forget_old(cwd, {each["id"] for each in ready if each["conversation_id"] != taken})
    if not ready:
        return HookAnswer()
    wanted = {"source_tool": tools.name_of(payload), "external_id": str(payload.get("session_id", "")), "format": "hook"}
    characters = room() if room else packs.LIMIT
    if characters < packs.LIMIT:
        wanted["characters"] = str(characters)
    known = {name: str(ready[0].get(name) or "") for name in ("id", "conversation_id", "created_at", "summary")}
    try:
        return _resumed(payload, {**known, "wanted": wanted})
    except requests.Refusal as refusal:
        return _beside(known["id"], refusal, characters)


def _resumed(payload: dict[str, Any], begun: dict[str, Any]) -> HookAnswer:
    """Resumes a handoff, and gives its directive. What was begun is remembered until the server has answered: it may have resumed the
    handoff although its answer came too late, and then nobody else gets it."""
    handoff, wanted = str(begun["id"]), dict(begun["wanted"])
    path = _begun(payload)
    _remember(path, begun)
    try:
        told = requests.call("POST", f"/handoffs/{handoff}/resume", wanted, RESUME_SECONDS, key=f"hook-{files.key_of(path + handoff)}")
    except requests.Refusal as refusal:
        if not refusal.passing:
            _forget(path)
        raise
    _forget(path)
    offers.take(str(begun["conversation_id"]), handoff)
    directive = str(told["directive"])
    # The folder's newest handoff may soon be another one, whose signs stand for something else.
    whole = directive if handoff in directive else f"{directive}`continuity expand a12 --handoff {handoff}` shows [a12].\n"
    return HookAnswer(whole, _continued(handoff, begun, told))


def _remember(path: str, begun: dict[str, Any]) -> None:
    """Without room a handoff is resumed all the same, and not asked for again."""
    try:
        files.write(path, fast_json.write(begun))
    except OSError:
        return


def _forget(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def is_begun(payload: dict[str, Any]) -> bool:
    """Whether the server has still to answer what this session began to resume, not long ago."""
    try:
        return time.time() - os.stat(_begun(payload)).st_mtime < BEGUN_SECONDS
    except OSError:
        return False


def _begun(payload: dict[str, Any]) -> str:
    """Where it is remembered which handoff this session began to resume."""
    return f"{files.folder('resuming')}/{files.key_of(str(payload.get('session_id', '')))}"


def _continued(handoff: str, known: dict[str, Any], resumed: dict[str, Any]) -> str:
    """Describes the handoff that is continued: from whom and when, about what, and where to look."""
    maker = str(resumed.get("prepared_by") or "")
    ago = moment(str(known.get("created_at", "")), time.time())
    whence = " ".join(part for part in (f"of {maker}" if maker else "", f"({ago})" if ago else "") if part)
    title = excerpt(str((resumed.get("conversation") or {}).get("title") or known.get("summary") or ""), SUMMARY)
    about = f", “{title}”" if title else ""
    return f"resumes a handoff{f' {whence}' if whence else ''}{about}. {credentials.find().url.rstrip('/')}/handoffs/{handoff}"


def late_continuation(payload: dict[str, Any], own: str) -> HookAnswer:
    """The same at the first prompt of a session at whose start the server did not answer; empty where it still does not."""
    try:
        return continuation(payload, own, again=True)
    except (requests.NoAnswer, requests.Refusal):
        return HookAnswer()  # The log has it from the session's start.


def _beside(handoff: str, refusal: requests.Refusal, characters: int) -> HookAnswer:
    """A session that is recorded already can't become the next one of the chain; it is told what was handed over."""
    if refusal.code != "conflict":
        return HookAnswer()  # Another session was faster, or the package went: there is nothing to resume.
    size = f"&characters={characters}" if characters < packs.LIMIT else ""
    told = requests.call("GET", f"/handoffs/{handoff}/directive?format=hook{size}", None, RESUME_SECONDS)["text"]
    note = f"`continuity resume {handoff}` takes this handoff over.\n"
    return HookAnswer(note + str(told), f"a handoff of this folder is shown to this session. `continuity resume {handoff}` takes it over.")
