"""Calls to the API, over one connection that is kept open."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, Protocol
from urllib.parse import quote, urlencode, urlsplit

from continuity import VERSION as OWN_VERSION
from continuity import releases
from continuity.client.credentials import ACTING, Credentials

ROOT = "/api/v1"
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 60.0
READY_SECONDS = 2.0
AGENT = f"{releases.AGENT}/{OWN_VERSION}"
VERSION = "Continuity-Version"
ONCE = "Idempotency-Key"
# The server can't work now, or another stands before it that says so; 429 asks for patience.
AWAY = (429, 502, 503, 504)
# What also a server before ours may refuse, without the name that ours gives each problem.
ANYBODYS = (401, 403, 407, 413)

# Headers that tell what the calls of this thread follow from.
_cause: ContextVar[Mapping[str, str]] = ContextVar("cause", default=MappingProxyType({}))

RawAnswer = tuple[int, str, bytes]  # status, media type, body


class Away(Exception):
    """The server can't be reached, or can't work now; the same request may be sent again. `reached` where something took the connection."""

    def __init__(self, reason: str, *, reached: bool = True) -> None:
        self.reached = reached
        super().__init__(reason)


class Refused(Exception):
    """The server understood and refused: HTTP `status`, `code` for programs, a sentence, and the facts of the case."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.code = str(problem.get("code", ""))
        self.problem = problem
        super().__init__(str(problem.get("detail") or f"The server answered {status}."))


class ServerFault(Refused):
    """The server is there and failed at this very request (500): a fault of its own, found in its log by `correlation_id`."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(status, problem)
        self.correlation_id = str(problem.get("correlation_id", ""))
        found = f", correlation id {self.correlation_id}" if self.correlation_id else ""
        self.args = (f"the server failed at this (HTTP {status}{found})",)


class ServerTooOld(Refused):
    """The server has version {given}, and this client needs {oldest} or a newer one: have the server brought up to date, or use the client
    that it offers on its page /client/. What is recorded meanwhile is kept."""

    def __init__(self, given: str) -> None:
        told = " ".join((type(self).__doc__ or "").split()).format(given=given, oldest=releases.OLDEST_SERVER)
        super().__init__(403, {"code": "server_too_old", "detail": told})


class BadAddress(Exception):
    """The server's address is none: it begins with http:// or https:// and names a host."""

    def __init__(self) -> None:
        super().__init__(type(self).__doc__)


class Caller(Protocol):
    """Something that takes calls to the API: a connection, or the server itself."""

    def call(
        self, method: str, path: str, body: Any = None, *, query: dict[str, Any] | None = None, answer: float | None = None
    ) -> Any: ...

    def close(self) -> None: ...


class _OneSend(http.client.HTTPConnection):
    """Sends a request in one piece: its body does not follow its headers as a packet that the server has to wait for."""

    _parts: list[bytes] | None = None

    def request(self, method: str, url: str, body: Any = None, headers: Any = MappingProxyType({}), **how: Any) -> None:
        self._parts = []
        try:
            super().request(method, url, body, headers, **how)
            whole = b"".join(self._parts)
        finally:
            self._parts = None
        super().send(whole)

    def send(self, data: Any) -> None:
        if self._parts is None:
            super().send(data)
        else:
            self._parts.append(data)


class _OneSendSecure(_OneSend, http.client.HTTPSConnection):
    pass


class Connection:
    """Not for use by several threads. `connect` and `answer` are seconds to wait for a connection and for an answer."""

    def __init__(self, credentials: Credentials, *, connect: float = CONNECT_SECONDS, answer: float = ANSWER_SECONDS) -> None:
        parts = urlsplit(credentials.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadAddress
        kind = _OneSendSecure if parts.scheme == "https" else _OneSend
        self._http = kind(parts.hostname, parts.port, timeout=connect)
        self._prefix = parts.path.rstrip("/")
        self._credentials = credentials
        self._connect, self._answer = connect, answer
        self.version = ""  # of the server, as its last answer named it

    def for_thread(self) -> Connection:
        """Another connection to the same server, for another thread."""
        return Connection(self._credentials, connect=self._connect, answer=self._answer)

    def is_ready(self) -> bool:
        """Whether the server can work as far as it says, asked for at most some seconds on a connection of its own.

        Whoever answers for it that there is no such page has at least reached it.
        """
        asked = type(self._http)(self._http.host, self._http.port, timeout=READY_SECONDS)
        try:
            asked.request("GET", f"{self._prefix}/ready", headers={"User-Agent": AGENT})
            answer = asked.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            return False
        finally:
            asked.close()
        self.version = answer.headers.get(VERSION) or self.version
        return answer.status < 500

    def call(
        self, method: str, path: str, body: Any = None, *, query: dict[str, Any] | None = None, answer: float | None = None, key: str = ""
    ) -> Any:
        """The answer's JSON, or its text where it is none. Raises Away and Refused, of which ServerFault and ServerTooOld are. Sent again
        with the same `key` the server does its work once.

        A connection that the server closed meanwhile is opened again, once; so whatever is sent must be safe to repeat.
        """
        target, sent = self._prefix + target_of(path, query), body_of(body)
        status, content_type, told = self._tried(method, target, sent, {ONCE: key} if key else {}, answer or self._answer)
        return answer_of(status, content_type, told)

    def mcp(self, message: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
        """A message to the server's MCP address: the status and the body of its answer. Raises Away, ServerTooOld."""
        status, _, told = self._tried("POST", f"{self._prefix}/mcp", message, headers, self._answer)
        return status, told

    def _tried(self, method: str, target: str, sent: bytes | None, headers: Mapping[str, str], answer: float) -> RawAnswer:
        reused = self._http.sock is not None
        try:
            return self._exchange(method, target, sent, headers, answer)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError) as error:
            if not reused:
                raise self._away(error) from error
        except (OSError, http.client.HTTPException) as error:
            raise self._away(error) from error
        try:
            self._http.close()
            return self._exchange(method, target, sent, headers, answer)
        except (OSError, http.client.HTTPException) as error:
            raise self._away(error) from error

    def close(self) -> None:
        self._http.close()

    def __del__(self) -> None:
        # Where the address was refused there is no connection.
        if hasattr(self, "_http"):
            self._http.close()

    def _exchange(self, method: str, target: str, sent: bytes | None, more: Mapping[str, str], answer: float) -> RawAnswer:
        headers = {**headers_of(self._credentials), **more}
        if sent is not None:
            headers["Content-Type"] = "application/json"
        if self._http.sock is None:
            try:
                self._http.connect()
            except OSError as error:
                raise Away(error.strerror or str(error) or type(error).__name__, reached=False) from error
        self._http.sock.settimeout(answer)
        self._http.request(method, target, body=sent, headers=headers)
        response = self._http.getresponse()
        told = response.read()
        self.version = response.headers.get(VERSION) or self.version
        if releases.is_older(self.version, releases.OLDEST_SERVER):
            raise ServerTooOld(self.version)
        return response.status, response.headers.get("Content-Type", ""), told

    def _away(self, error: Exception) -> Away:
        self._http.close()
        return Away(str(error) or type(error).__name__)


def headers_of(credentials: Credentials, accept: str = "application/json") -> dict[str, str]:
    """The headers that say who makes a call; a key that is not there yet is not told."""
    key = {"Authorization": f"Bearer {credentials.key}"} if credentials.key else {}
    acting = {ACTING: credentials.acting} if credentials.acting else {}
    return {"Accept": accept, "User-Agent": AGENT, **key, **acting, **_cause.get()}


@contextmanager
def caused_by(correlation_id: str, traceparent: str) -> Iterator[None]:
    """Calls of this thread follow from something: they go on under its correlation id, and in its trace."""
    told = {"X-Correlation-ID": correlation_id, "traceparent": traceparent}
    token = _cause.set({name: value for name, value in told.items() if value})
    try:
        yield
    finally:
        _cause.reset(token)


def target_of(path: str, query: dict[str, Any] | None) -> str:
    """The path of a call with its query; values that are None or empty are left out. Whatever is named for an id stays in the path."""
    named = {name: value for name, value in (query or {}).items() if value not in (None, "")}
    return f"{ROOT}{quote(path, safe='/%', errors='replace')}" + (f"?{urlencode(named, doseq=True)}" if named else "")


def body_of(body: Any) -> bytes | None:
    return None if body is None else json.dumps(body, separators=(",", ":")).encode("utf-8", "replace")


def answer_of(status: int, content_type: str, told: bytes) -> Any:
    """The answer's JSON, its text where it is none, or None where it is empty. Raises Away and Refused, of which ServerFault is one."""
    problem = json_object(told) if status >= 400 else {}
    if status in AWAY:
        raise Away(_reason(status, problem))
    if status >= 500:
        raise ServerFault(status, problem)
    if status >= 400 and (problem.get("code") or status in ANYBODYS):
        raise Refused(status, problem)
    if status >= 300:
        raise Away(f"the address is not the server's: it answers {status}")
    if not told:
        return None
    return json.loads(told) if "json" in content_type else told.decode("utf-8", "replace")


def json_object(told: bytes) -> dict[str, Any]:
    """What an answer says, empty where it is no JSON object."""
    try:
        value = json.loads(told)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _reason(status: int, problem: dict[str, Any]) -> str:
    return str(problem.get("detail") or f"the server answered {status}")
