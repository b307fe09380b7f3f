"""Sending webhooks to real servers that are not what they should be: each test goes the whole way of `receivers.post`."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from continuity.events.receivers import allowed
from continuity.services.subscriptions import receivers
from tests.events import receiving
from tests.events.test_webhooks import LOCAL

NAME = "hooks.example.com"
PUBLIC = "93.184.216.34"
Resolving = Callable[..., list[str]]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Iterator[Resolving]:
    """Says what addresses a name has. The list that it returns is of the times when somebody asked, as it is asked once only."""
    real = socket.getaddrinfo

    def has(*addresses: str) -> list[str]:
        asked: list[str] = []

        def look_up(host: str, *args: Any, **how: Any) -> Any:
            if host != NAME:
                return real(host, *args, **how)
            asked.append(host)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 0)) for each in addresses]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        return asked

    return has  # type: ignore[return-value]


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The sockets that are opened to receivers, each with the bytes that were read from it."""
    opened: list[Any] = []
    real = socket.create_connection

    class Counting(socket.socket):
        read = 0

        def recv_into(self, *args: Any, **how: Any) -> int:
            number = super().recv_into(*args, **how)
            self.read += number
            return number

    def open(*args: Any, **how: Any) -> Any:
        plain = real(*args, **how)
        patience = plain.gettimeout()
        opened.append(Counting(fileno=plain.detach()))
        opened[-1].settimeout(patience)
        return opened[-1]

    monkeypatch.setattr(socket, "create_connection", open)
    return opened


@pytest.fixture
def here(settings: Any) -> None:
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL


def named(there: receiving.Receiver) -> str:
    return there.url.replace("127.0.0.1", NAME)


def test_it_works(settings: Any, names: Resolving) -> None:
    """A name that has an address in a network that is allowed; it is looked up once, so that it can't be another one afterwards."""
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL
    asked = names("127.0.0.1")
    with receiving.receiver() as there:
        assert receivers.post(named(there), b"{}", {}).error == ""
    assert there.got[0][0]["Host"].partition(":")[0] == NAME
    assert asked == [NAME]


@pytest.mark.parametrize("addresses", [("127.0.0.1",), ("127.0.0.1", PUBLIC), ("::ffff:127.0.0.1",), (PUBLIC, "127.0.0.1")])
def test_a_name_that_leads_inside_is_never_connected_to(
    settings: Any, names: Resolving, connected: list[Any], addresses: tuple[str, ...]
) -> None:
    """Though the name itself is allowed, and a server answers there."""
    settings.CONTINUITY_WEBHOOK_HOSTS = allowed([NAME])
    names(*addresses)
    with receiving.receiver() as there:
        answer = receivers.post(named(there), b"{}", {}, seconds=1)
    assert answer.error == f"{NAME} has an address that the operators do not allow"
    assert (there.got, connected) == ([], [])


def test_a_network_that_is_allowed_allows_no_other(settings: Any, names: Resolving, connected: list[Any]) -> None:
    settings.CONTINUITY_WEBHOOK_HOSTS = allowed(["10.1.0.0/16"])
    names("127.0.0.1")
    with receiving.receiver() as there:
        for url in (named(there), there.url):
            assert "allow" in receivers.post(url, b"{}", {}, seconds=1).error
    assert (there.got, connected) == ([], [])


@pytest.mark.usefixtures("here")
def test_a_certificate_that_nobody_vouches_for_gets_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = receiving.certificate(tmp_path / "own.pem")
    with receiving.receiver(certificate=own) as there:
        answer = receivers.post(there.url, b"{}", {}, seconds=5)
        assert answer.error == "its certificate is not valid, or it does not speak TLS"
        assert there.got == []
        monkeypatch.setenv("SSL_CERT_FILE", str(own))
        assert receivers.post(there.url, b"{}", {}, seconds=5).error == ""
    assert len(there.got) == 1


@pytest.mark.usefixtures("here")
def test_a_certificate_of_another_host_gets_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: Resolving) -> None:
    """Trusted, but of 127.0.0.1 and not of the name that was asked for."""
    own = receiving.certificate(tmp_path / "own.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(own))
    names("127.0.0.1")
    with receiving.receiver(certificate=own) as there:
        assert "certificate" in receivers.post(named(there), b"{}", {}, seconds=5).error
    assert there.got == []


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("length", [True, False])
def test_of_a_long_answer_64_kb_are_read(connected: list[Any], length: bool) -> None:
    """Of 10 MB, whether their number is said or not."""

    def long(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        if length:
            handler.send_header("Content-Length", str(160 * 65_536))
        handler.end_headers()
        for _ in range(160):
            handler.wfile.write(b"x" * 65_536)

    with receiving.receiver(long) as there:
        assert receivers.post(there.url, b"{}", {}, seconds=5).error == ""
    (opened,) = connected
    assert 60_000 < opened.read < 100_000


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_an_answer_that_leads_nowhere(status: int) -> None:
    with receiving.receiver() as inside:

        def lead(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            handler.send_header("Location", inside.url)
            handler.end_headers()

        with receiving.receiver(lead) as there:
            assert receivers.post(there.url, b"{}", {}).error == f"it answered {status}"
    assert (len(there.got), inside.got) == (1, [])


def silent(handler: BaseHTTPRequestHandler) -> None:
    time.sleep(5)


def slow_headers(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
    receiving.trickle(handler)


def slow_body(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "600")
    handler.end_headers()
    receiving.trickle(handler)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("answering", [silent, slow_headers, slow_body])
def test_a_slow_answer_is_none(connected: list[Any], answering: receiving.Answering) -> None:
    """However it comes: there are so many seconds in all."""
    with receiving.receiver(answering) as there:
        assert receivers.post(there.url, b"{}", {}, seconds=0.5).error == "no answer within 0.5 seconds"
    (opened,) = connected
    assert opened.read < 200  # Of 600, which take 30 seconds.
    assert len(there.got) == 1
