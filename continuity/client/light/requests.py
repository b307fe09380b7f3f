"""Questions to the server over a bare socket, with a deadline: a hook need not load a whole HTTP client.

It speaks HTTP/1.0, so an answer ends where the server closes, and comes in one piece. HTTPS is left to the whole client.
"""

from __future__ import annotations

import _socket
import os
import time
from importlib import import_module

from continuity import VERSION, releases
from continuity.client import credentials
from continuity.client.light import fast_json, files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# A dead server is found out within this, whichever way it is dead. One that is far away may be given more.
PATIENCE, DEFAULT_MS = "CONTINUITY_HOOK_MS", 100
# The hook's own start is part of what it may take in all, most where the machine is busy; the server still gets the least.
WHOLE_MS, LEAST_MS = 120, 40
# One that let a hook wait in vain is not asked again for so long: the next hooks cost nothing.
AWAY_SECONDS = 10.0
ANSWER_BYTES = 16 << 20
UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


class NoAnswer(Exception):
    """The server did not answer in time, or not as a server does."""


class Refusal(Exception):
    """The server understood and refused: `code` for programs, a sentence for people."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.code = str(problem.get("code", ""))
        super().__init__(str(problem.get("detail") or f"The server answered {status}."))


def ready(cwd: str, limit: int, *, again: bool = False) -> list[dict[str, Any]]:
    """The handoffs that are ready in the folder, the newest first; in any folder where `cwd` is empty.

    Asked where the server may be dead: waits for CONTINUITY_HOOK_MS, and not at all where it was dead seconds ago, unless
    `again`. Raises NoAnswer, Refusal, NotLoggedIn.
    """
    known = credentials.find()
    if _is_away(known.url) and not again:
        raise NoAnswer("no answer to a hook shortly before: not asked")
    try:
        wanted = f"/handoffs?status=ready&overtaken=false&limit={limit}" + (f"&cwd={escaped(cwd)}" if cwd else "")
        found = call("GET", wanted, None, patience())
    except TimeoutError as error:
        _remember(known.url)
        raise NoAnswer(f"no answer: {error}") from error
    return list(found.get("items", []))


def call(method: str, path: str, body: Mapping[str, str] | None, seconds: float) -> dict[str, Any]:
    """The object that the API answers with. Raises NoAnswer, Refusal, NotLoggedIn, and TimeoutError behind `seconds`."""
    known = credentials.find()
    address = _address(known.url)
    if address is None:
        whole: dict[str, Any] = import_module("continuity.client.hooks.full_client").call(method, path, body, seconds)
        return whole
    host, port, prefix = address
    sent = b"" if body is None else fast_json.write(body).encode()
    acting = f"{credentials.ACTING}: {known.acting}\r\n" if known.acting else ""
    head = (
        f"{method} {prefix}/api/v1{path} HTTP/1.0\r\nHost: {host}:{port}\r\nUser-Agent: {releases.AGENT}/{VERSION}\r\n"
        f"Authorization: Bearer {known.key}\r\n{acting}Accept: application/json\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(sent)}\r\n\r\n"
    )
    try:
        answer = _exchange(host, port, head.encode("latin-1") + sent, time.monotonic() + seconds)
    except TimeoutError:
        raise
    except (OSError, UnicodeError) as error:
        raise NoAnswer(str(error) or type(error).__name__) from error
    return _read(answer)


def patience() -> float:
    """Seconds."""
    given = os.environ.get(PATIENCE, "")
    return (int(given) if given.isdigit() else max(LEAST_MS, min(DEFAULT_MS, WHOLE_MS - _age() * 1000))) / 1000


def _age() -> float:
    """Seconds since this process began, to a hundredth; 0 where the system does not tell."""
    try:
        with open("/proc/self/stat", "rb") as stream:
            began = int(stream.read().rpartition(b")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        return time.clock_gettime(time.CLOCK_BOOTTIME) - began
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0


def _read(answer: bytes) -> dict[str, Any]:
    first, _, body = answer.partition(b"\r\n\r\n")
    status = first.split(b" ", 2)[1:2]
    if not first.startswith(b"HTTP/") or not status or not status[0].isdigit():
        raise NoAnswer("the address is not the server's")
    if status[0] >= b"400":
        raise Refusal(int(status[0]), fast_json.parse_object(body))
    try:
        value = fast_json.parse(body)
    except ValueError as error:
        raise NoAnswer("the address is not the server's") from error
    return value if isinstance(value, dict) else {}


def _exchange(host: str, port: int, sent: bytes, deadline: float) -> bytes:
    """The whole answer. Raises OSError, TimeoutError also where it comes too slowly."""
    connection = _connected(host, port, deadline)
    try:
        connection.settimeout(_left(deadline))
        connection.sendall(sent)
        pieces: list[bytes] = []
        size = 0
        while size < ANSWER_BYTES:
            connection.settimeout(_left(deadline))
            if not (more := connection.recv(1 << 16)):
                break
            pieces.append(more)
            size += len(more)
        return b"".join(pieces)
    finally:
        connection.close()


def _connected(host: str, port: int, deadline: float) -> _socket.socket:
    """A connection to the first of the host's addresses that takes one."""
    failure: OSError = OSError("the host has no address")
    # As bytes: looking up a text loads the tables of international names first.
    for family, kind, protocol, _, address in _socket.getaddrinfo(host.encode("ascii"), port, 0, _socket.SOCK_STREAM):
        connection = _socket.socket(family, kind, protocol)
        try:
            connection.settimeout(_left(deadline))
            connection.connect(address)
        except OSError as error:
            connection.close()
            failure = error
        else:
            return connection
    raise failure


def _address(url: str) -> tuple[str, int, str] | None:
    """Host, port and path of a plain address; None where only the whole client can tell what it means."""
    scheme, _, rest = url.partition("://")
    place, _, path = rest.partition("/")
    host, _, port = place.partition(":")
    if scheme != "http" or not host or "@" in place or "[" in place or not (port or "80").isdigit():
        return None
    prefix = path.rstrip("/")
    return host, int(port or "80"), f"/{prefix}" if prefix else ""


def escaped(text: str) -> str:
    """For a place in a query."""
    return "".join(chr(byte) if byte in UNRESERVED else f"%{byte:02X}" for byte in text.encode("utf-8", "surrogateescape"))


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("timed out")
    return left


def _is_away(url: str) -> bool:
    """Whether a hook waited in vain moments ago. A file of the future (a clock set back) says nothing."""
    try:
        return 0 <= time.time() - os.stat(_sign(url)).st_mtime < AWAY_SECONDS
    except OSError:
        return False


def _remember(url: str) -> None:
    """The next hooks wait in vain as this one did where the disk is full."""
    try:
        with open(_sign(url), "wb"):
            pass
    except OSError:
        return


def _sign(url: str) -> str:
    return f"{files.folder('away')}/{files.key_of(url)}"
