"""A stream of the running application while its broker and its web process are killed."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest

from continuity.client.client import Client
from tests.live.listening import Heard, parse
from tests.platform.running import Application, eventually, key_of

pytestmark = pytest.mark.processes


@pytest.fixture
def key(application: Application) -> str:
    return key_of(application)


class Reader:
    """Follows the stream as a browser does: it comes again with the last id that it heard."""

    def __init__(self, port: int, key: str) -> None:
        self.port, self.key, self.last = port, key, ""
        self.heard: list[str] = []
        self.connection: http.client.HTTPConnection | None = None
        self.answer: http.client.HTTPResponse | None = None
        self.connect()

    def connect(self) -> None:
        self.close()
        self.connection = connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Authorization": f"Bearer {self.key}"} | ({"Last-Event-ID": self.last} if self.last else {})
        connection.request("GET", "/api/v1/events/stream", headers=headers)
        self.answer = connection.getresponse()
        assert self.answer.status == 200
        ready = self.next()
        assert ready.name == "ready"

    def close(self) -> None:
        for each in (self.answer, self.connection):
            if each is not None:
                each.close()

    def next(self) -> Heard:
        """The next event. Raises OSError or HTTPException where the connection ended."""
        lines: list[bytes] = []
        while True:
            assert self.answer is not None
            line = self.answer.readline()
            if not line:
                raise ConnectionResetError
            if line.strip():
                lines.append(line)
            elif event := parse(b"".join(lines)):
                self.last = str(event.id)
                return event
            else:
                lines = []

    def until(self, subject: str) -> None:
        """Reads up to the opening of a conversation, over however many connections it takes."""
        while not self.heard or self.heard[-1] != subject:
            try:
                event = self.next()
            except (OSError, http.client.HTTPException):
                assert eventually(self._again)
                continue
            if event.name == "conversation.created":
                self.heard += event.data["about"]

    def _again(self) -> bool:
        try:
            self.connect()
        except (OSError, http.client.HTTPException, AssertionError):
            return False
        return True


@pytest.fixture
def follow(application: Application, key: str) -> Iterator[Callable[[], Reader]]:
    """Makes readers, and closes them."""
    with ExitStack() as closed:
        yield lambda: closed.enter_context(closing(Reader(application.port, key)))


def open_one(client: Client, number: int) -> str:
    return client.open(source_tool="test", external_id=f"stream-{number}")


def test_it_works(application: Application, key: str, follow: Callable[[], Reader]) -> None:
    client = Client(f"http://127.0.0.1:{application.port}", key)
    reader = follow()
    opened = [open_one(client, 1)]
    reader.until(opened[-1])

    before = application.kill("valkey")
    opened.append(open_one(client, 2))
    reader.until(opened[-1])
    assert application.replaced("valkey", before), application.output()
    opened.append(open_one(client, 3))
    reader.until(opened[-1])

    before = application.kill("web")
    assert application.replaced("web", before) and eventually(application.answers), application.output()
    client = Client(f"http://127.0.0.1:{application.port}", key)
    opened += [open_one(client, number) for number in (4, 5)]
    reader.until(opened[-1])
    assert reader.heard == opened


def test_an_open_stream_holds_up_no_stop(application: Application, follow: Callable[[], Reader]) -> None:
    reader = follow()
    assert application.stop() == 0
    with pytest.raises((OSError, http.client.HTTPException)):
        while True:
            reader.next()
    assert "refused to gracefully stop" not in application.output()
