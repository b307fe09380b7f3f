"""The sessions that are live: each hook names its own, and the recorder reads which there are. A file a session, and one lock.

One recorder serves the sessions of one user that go to one server with one key.
"""

from __future__ import annotations

import os

from continuity.client import credentials
from continuity.client.light import fast_json, files
from continuity.client.recording.claims import Claim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LOCK = ".recorder"
# Where the runner of an agent keeps the agent's state, beside which its present session is named.
AGENT_STATE, AGENT_SESSION = "CONTINUITY_AGENT_STATE", "session.json"
# Tools call their hooks through one of these, which is gone at once.
SHELLS = frozenset([b"sh", b"bash", b"dash", b"zsh", b"fish", b"ksh", b"busybox"])


def folder() -> str:
    """Raises NotLoggedIn."""
    return folder_of(credentials.find())


def folder_of(known: credentials.Credentials) -> str:
    return files.folder(f"live/{files.key_of(f'{known.url} {known.key}')}")


def claim(place: str, *, handed: int | None = None) -> Claim:
    """The claim to be the recorder of the sessions in `folder()`; the one that a hook `handed` over, where it did."""
    return Claim(f"{place}/{LOCK}", handed=handed)


def name(place: str, path: str, *, ended: bool, tool: str = "", cwd: str = "") -> None:
    """Says that the session of this file is live, or that it `ended`; writes only where that is news. Raises OSError.

    `tool` names the format, and `cwd` the folder, where the file alone may not tell them.
    """
    entry, over = file_of(place, path), "yes" if ended else ""
    known = files.read_object(entry)
    if known.get("path") == path and known.get("ended") == over and is_alive(str(known.get("pid", "")), str(known.get("born", ""))):
        return
    if state := os.environ.get(AGENT_STATE):
        files.write(f"{os.path.dirname(state)}/{AGENT_SESSION}", fast_json.write({"path": path}))
    pid, born = _tool()
    files.write(entry, fast_json.write({"path": path, "tool": tool, "cwd": cwd, "pid": pid, "born": born, "ended": over}))


def file_of(place: str, path: str) -> str:
    return f"{place}/{files.key_of(path)}.json"


def is_alive(pid: str, born: str) -> bool:
    """Whether the tool's process is there; true where that can't be known."""
    if not pid:
        return True
    found = _stat(pid)
    return found is not None and found[2] == born


def _tool() -> tuple[str, str]:
    """The tool's process and when it began; empty where the system does not tell (/proc)."""
    pid = str(os.getppid())
    for _ in range(4):
        found = _stat(pid)
        if found is None:
            break
        called, parent, born = found
        if called not in SHELLS:
            return pid, born
        pid = parent
    return "", ""


def ancestors() -> set[str]:
    """The processes above this one (Linux); empty where the system does not tell."""
    pid, found = str(os.getppid()), set[str]()
    while pid not in ("0", "1") and len(found) < 32 and (told := _stat(pid)) is not None:
        found.add(pid)
        pid = told[1]
    return found


def everything() -> list[dict[str, Any]]:
    """The notes on each live session, whichever server it goes to; in the order in which they were named last."""
    place = files.folder("live")
    paths = [f"{place}/{each}/{name}" for each in os.listdir(place) for name in os.listdir(f"{place}/{each}") if name.endswith(".json")]
    return [files.read_object(path) for path in sorted(paths, key=os.path.getmtime)]


def tool_words() -> list[bytes]:
    """The words with which the tool was started; none where the system does not tell."""
    pid, _ = _tool()
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as stream:
            return stream.read(1 << 16).split(b"\0")
    except OSError:
        return []


def _stat(pid: str) -> tuple[bytes, str, str] | None:
    """The name, the parent and the start of a process; None where it is gone, or a zombie."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            first, _, rest = stream.read().rpartition(b")")
        told = rest.split()
        return None if told[0] == b"Z" else (first.partition(b"(")[2], told[1].decode(), told[19].decode())
    except (OSError, IndexError):
        return None
