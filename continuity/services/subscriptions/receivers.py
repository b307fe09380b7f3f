"""Sending one webhook: to allowed addresses only, bounded in time and size, never redirected."""

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings

from continuity.core.errors import Invalid
from continuity.events import receivers
from continuity.events.receivers import BadReceiver, Receiver

SECONDS = 10.0
MOST_READ = 64 * 1024


@dataclass(frozen=True, slots=True)
class ReceiverAnswer:
    """`error` is empty where the receiver took it (2xx), and else says why not, without any of its words."""

    error: str = ""


def check(url: str) -> None:
    """Raises Invalid where no webhook is sent there."""
    try:
        receivers.check_host(receivers.receiver_of(url), settings.CONTINUITY_WEBHOOK_HOSTS)
    except BadReceiver as error:
        raise Invalid(f"{error}.", field="url") from error


def post(url: str, body: bytes, headers: Mapping[str, str], *, seconds: float = SECONDS) -> ReceiverAnswer:
    """Posts JSON once. It never raises for what a receiver does."""
    begun = time.monotonic()
    try:
        receiver = receivers.receiver_of(url)
        receivers.check_host(receiver, settings.CONTINUITY_WEBHOOK_HOSTS)
        address = receivers.chosen(receiver, _addresses(receiver), settings.CONTINUITY_WEBHOOK_HOSTS)
        error = _exchange(receiver, address, body, headers, begun + seconds)
    except BadReceiver as refused:
        error = str(refused)
    except ssl.SSLError:
        error = "its certificate is not valid, or it does not speak TLS"
    except TimeoutError:
        error = f"no answer within {seconds:g} seconds"
    except (OSError, UnicodeError, http.client.HTTPException) as failure:  # UnicodeError: a name that can't be looked up
        error = f"no answer ({type(failure).__name__})"
    if time.monotonic() - begun >= seconds:  # What was cut may look like an answer: HTTP ends headers and bodies with the connection, too.
        error = f"no answer within {seconds:g} seconds"
    return ReceiverAnswer(error)


def _addresses(receiver: Receiver) -> list[str]:
    found = socket.getaddrinfo(receiver.host, receiver.port, type=socket.SOCK_STREAM)
    return [str(each[4][0]).partition("%")[0] for each in found]


def _exchange(receiver: Receiver, address: str, body: bytes, headers: Mapping[str, str], until: float) -> str:
    left = max(0.1, until - time.monotonic())
    plain = socket.create_connection((address, receiver.port), timeout=left)
    raw = plain.dup()  # TLS takes the descriptor of `plain` away, so that cutting that would cut nothing.
    cutter = threading.Timer(left, _cut, [raw])  # A receiver that sends a byte a second never runs into a timeout of one read.
    cutter.daemon = True
    cutter.start()
    try:
        connected = ssl.create_default_context().wrap_socket(plain, server_hostname=receiver.host) if receiver.scheme == "https" else plain
        connection = http.client.HTTPConnection(receiver.host, receiver.port, timeout=left)
        connection.sock = connected
        with contextlib.closing(connection):
            connection.request("POST", receiver.target, body=body, headers=dict(headers))
            answer = connection.getresponse()
            answer.read(MOST_READ)
            return "" if 200 <= answer.status < 300 else f"it answered {answer.status}"
    finally:
        cutter.cancel()
        raw.close()
        plain.close()


def _cut(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
