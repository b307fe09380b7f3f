"""continuity statusline: what Claude Code tells of its context window, kept for the recorder, and one line for the person.

It asks no server. The recorder sends what is kept here with the next messages.
"""

from __future__ import annotations

import sys
from importlib import import_module

from continuity.client.light import exclusions, fast_json, files
from continuity.usage.short_form import short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

THEN = "--then"
PATIENCE_SECONDS = 5
LOST = "Continuity · the status line can't be read; see `continuity doctor`"


def main(arguments: Sequence[str]) -> int:
    """Reads a status line's JSON from standard input; always 0. Behind `--then` stands the person's own command, whose lines come first."""
    sent = sys.stdin.buffer.read()
    lines = [_theirs(arguments[1], sent)] if len(arguments) == 2 and arguments[0] == THEN else []
    try:
        lines.append(_line(fast_json.parse_object(sent)))
    except Exception as error:  # noqa: BLE001 — a fault of ours must not blank the person's line; the log keeps it, `doctor` shows it.
        import_module("continuity.client.hooks.dispatch").log(f"statusline: {type(error).__name__}: {error}")
        lines.append(LOST)
    sys.stdout.buffer.write("\n".join(line for line in lines if line).encode("utf-8", "replace") + b"\n")
    return 0


def window_path(path: str) -> str:
    """Where it is kept what was told of a session's window: `tokens` (0: not told), `used` and `model`."""
    return f"{files.folder('windows')}/{files.key_of(path)}.json"


def _line(payload: dict[str, Any]) -> str:
    told = _told(payload)
    path = files.absolute(str(payload.get("transcript_path") or ""))
    if payload.get("transcript_path") and files.read_object(window_path(path)) != told:
        files.write(window_path(path), import_module("json").dumps(told))
    known = files.read_object(f"{files.folder('files')}/{files.key_of(path)}.json")
    parts = ["Continuity", _filled(told["tokens"], told["used"]), _recorded(payload, path, known)]
    handoff = str(known.get("handoff") or "")
    if handoff and not import_module("continuity.client.offers").is_taken(str(known.get("conversation") or ""), handoff):
        parts.append(f"handoff ready{_link(handoff)}")
    return " · ".join(parts)


def _recorded(payload: dict[str, Any], path: str, known: dict[str, Any]) -> str:
    if until := exclusions.paused():
        return f"paused {until}"
    if exclusions.folder_reason(str(payload.get("cwd") or _object(payload.get("workspace")).get("current_dir") or "")):
        return "not recorded here"
    if known.get("session") and not known.get("conversation"):
        return "kept here, not sent yet"
    return "recording" if known.get("conversation") or _is_followed(path) else "not recorded yet"


def _is_followed(path: str) -> bool:
    """Whether a hook named the session to the recorder, which it starts where none is at work: the first words are on their way."""
    live_sessions, credentials = import_module("continuity.client.light.live_sessions"), import_module("continuity.client.credentials")
    try:
        entry = files.read_object(live_sessions.file_of(live_sessions.folder(), path))
    except credentials.NotLoggedIn:
        return False
    return bool(entry.get("path") == path and not entry.get("ended"))


def _link(handoff: str) -> str:
    credentials = import_module("continuity.client.credentials")
    try:
        return f": {credentials.find().url.rstrip('/')}/handoffs/{handoff}"
    except credentials.NotLoggedIn:
        return ""


def _told(payload: dict[str, Any]) -> dict[str, Any]:
    """The window's tokens, how many of them are in use, and the model, as far as this version of the tool tells them."""
    about, model = _object(payload.get("context_window")), str(_object(payload.get("model")).get("id") or "")
    tokens = _count(about.get("context_window_size"))
    if not tokens and model.endswith("]"):
        tokens = import_module("continuity.windows.sizes").size_of(model) or 0
    usage = _object(about.get("current_usage"))
    used = sum(
        _count(usage.get(name)) for name in ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    )
    share = about.get("used_percentage")
    if not used and isinstance(share, (int, float)) and 0 <= share <= 100:
        used = int(tokens * share / 100)
    return {"tokens": tokens, "used": used, "model": model[:120]}


def _filled(tokens: int, used: int) -> str:
    if not tokens:
        return "window unknown"
    return f"{min(100, used * 100 // tokens)} % of {short(tokens)}"


def _theirs(command: str, sent: bytes) -> str:
    """The output of the person's own status line; nothing where it fails, as it would without us."""
    subprocess = import_module("subprocess")
    try:
        done = subprocess.run(command, shell=True, input=sent, stdout=subprocess.PIPE, timeout=PATIENCE_SECONDS, check=False)  # noqa: S604  theirs
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return str(done.stdout.decode("utf-8", "replace").rstrip("\n"))


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= 100_000_000 else 0
