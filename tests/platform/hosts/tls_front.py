"""A server that demands TLS, before one that speaks none: the servers that come along are built without it."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SSL_REQUEST = b"\0\0\0\x08\x04\xd2\x16\x2f"


@contextmanager
def tls_front(port: int, certificate: Path, *, postgres: bool) -> Iterator[int]:
    """The port on which it listens. Postgres' clients ask for TLS in its own protocol; who doesn't is sent away, as by `hostssl`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=_accept, args=(listening, port, context, postgres), daemon=True).start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)


def _accept(listening: socket.socket, port: int, context: ssl.SSLContext, postgres: bool) -> None:
    with suppress(OSError):
        while True:
            client, _ = listening.accept()
            threading.Thread(target=_serve, args=(client, port, context, postgres), daemon=True).start()


def _serve(client: socket.socket, port: int, context: ssl.SSLContext, postgres: bool) -> None:
    with suppress(OSError), client:
        if postgres:
            if client.recv(8) != SSL_REQUEST:
                return
            client.sendall(b"S")
        with context.wrap_socket(client, server_side=True) as inside, socket.create_connection(("127.0.0.1", port)) as server:
            back = threading.Thread(target=copy, args=(server, inside), daemon=True)
            back.start()
            copy(inside, server)
            back.join(5)


def copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
