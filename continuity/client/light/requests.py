"""Questions to the server over a bare socket, with limits: a hook need not load a whole HTTP client.

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

# Milliseconds for the connection and, once it stands, for the answer; each by itself, instead of what stands below.
PATIENCE = "CONTINUITY_HOOK_MS"
# For the connection: who does not take it is dead. It takes no time on this machine, elsewhere the way there and back, with TLS twice.
HERE_SECONDS, FAR_SECONDS, TLS_SECONDS = 0.1, 0.5, 1.0
# For the answer of one that took the connection: it lives and may be busy, and a handoff that is not resumed costs hours.
ANSWER_SECONDS = 2.0
# One that let a hook wait in vain is not asked again for so long: the next hooks cost nothing.
AWAY_SECONDS = 10.0
ANSWER_BYTES = 16 << 20
ONCE = "Idempotency-Key"
UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


class NoAnswer(Exception):
    """The server did not answer, or not as a server does. `waited` where it was found out by waiting in vain."""

    def __init__(self, reason: str, *, waited: bool = False) -> None:
        self.waited = waited
        super().__init__(reason)


class Unreachable(NoAnswer):
    """Nobody took the connection."""


class NotInTime(NoAnswer):
    """The server took the connection, and did not answer in time."""


class Refusal(Exception):
    """The server understood and refused: `code` for programs, a sentence for people. `passing` where it may do it later."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.passing = status >= 500 or status == 429
        self.code = str(problem.get("code", ""))
        super().__init__(str(problem.get("detail") or f"The server answered {status}."))


def ready(cwd: str, limit: int, *, again: bool = False, seconds: float = ANSWER_SECONDS) -> list[dict[str, Any]]:
    """The handoffs that are ready in the folder, the newest first; in any folder where `cwd` is empty. Raises as `ask`."""
    wanted = f"/handoffs?status=ready&overtaken=false&limit={limit}" + (f"&cwd={escaped(cwd)}" if cwd else "")
    return list(ask(wanted, seconds, again=again).get("items", []))


def ask(path: str, seconds: float, *, again: bool = False) -> dict[str, Any]:
    """The object at this address of the API, asked where the server may be dead: not at all where it was seconds ago, unless `again`.

    Raises NoAnswer, Refusal, NotLoggedIn.
    """
    url = credentials.find().url
    if not again:
        _refuse_away(url)
    try:
        return call("GET", path, None, patience(seconds))
    except NoAnswer as error:
        if error.waited:
            _remember(url, reached=isinstance(error, NotInTime))
        raise


def call(method: str, path: str, body: Mapping[str, str] | None, seconds: float, *, key: str = "") -> dict[str, Any]:
    """The object that the API answers with, within `seconds` once the connection stands; sent again with the same `key` it does its work
    once. Raises NoAnswer, Refusal, NotLoggedIn."""
    known = credentials.find()
    address = _address(known.url)
    if address is None:
        whole: dict[str, Any] = import_module("continuity.client.hooks.full_client").call(method, path, body, seconds, key=key)
        return whole
    host, port, prefix = address
    sent = b"" if body is None else fast_json.write(body).encode()
    acting = f"{credentials.ACTING}: {known.acting}\r\n" if known.acting else ""
    once = f"{ONCE}: {key}\r\n" if key else ""
    head = (
        f"{method} {prefix}/api/v1{path} HTTP/1.0\r\nHost: {host}:{port}\r\nUser-Agent: {releases.AGENT}/{VERSION}\r\n"
        f"Authorization: Bearer {known.key}\r\n{acting}{once}Accept: application/json\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(sent)}\r\n\r\n"
    )
    here = host == "localhost" or host.startswith("127.")
    try:
        connection = _connected(host, port, patience(HERE_SECONDS if here else FAR_SECONDS))
    except (OSError, UnicodeError) as error:
        raise Unreachable(str(error) or type(error).__name__, waited=isinstance(error, TimeoutError)) from error
    try:
        answer = _exchange(connection, head.encode("latin-1") + sent, time.monotonic() + seconds)
    except TimeoutError as error:
        raise NotInTime("no answer in time", waited=True) from error
    except (OSError, UnicodeError) as error:
        raise NoAnswer(str(error) or type(error).__name__) from error
    finally:
        connection.close()
    return _read(answer)


def patience(seconds: float) -> float:
    """So many seconds, or what CONTINUITY_HOOK_MS says instead."""
    given = os.environ.get(PATIENCE, "")
    return int(given) / 1000 if given.isdigit() else seconds


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


def _exchange(connection: _socket.socket, sent: bytes, deadline: float) -> bytes:
    """The whole answer. Raises OSError, TimeoutError also where it comes too slowly."""
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


def _connected(host: str, port: int, seconds: float) -> _socket.socket:
    """A connection to the first of the host's addresses that takes one. The first gets all of `seconds`, however late we come to it."""
    failure: OSError = OSError("the host has no address")
    # As bytes: looking up a text loads the tables of international names first.
    found = _socket.getaddrinfo(host.encode("ascii"), port, 0, _socket.SOCK_STREAM)
    left, deadline = seconds, time.monotonic() + seconds
    for family, kind, protocol, _, address in found:
        connection = _socket.socket(family, kind, protocol)
        try:
            connection.settimeout(left)
            connection.connect(address)
            return connection
        except OSError as error:
            connection.close()
            failure = error
        if (left := deadline - time.monotonic()) <= 0:
            break
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


def _refuse_away(url: str) -> None:
    """Raises NoAnswer where a hook waited in vain moments ago. A file of the future (a clock set back) says nothing."""
    try:
        known = os.stat(_sign(url))
    except OSError:
        return
    if 0 <= time.time() - known.st_mtime < AWAY_SECONDS:
        raise (NotInTime if known.st_size else Unreachable)("no answer to a hook shortly before: not asked")


def _remember(url: str, *, reached: bool) -> None:
    """The next hooks wait in vain as this one did where the disk is full."""
    try:
        with open(_sign(url), "wb") as stream:
            stream.write(b"." if reached else b"")
    except OSError:
        return


def _sign(url: str) -> str:
    return f"{files.folder('away')}/{files.key_of(url)}"
