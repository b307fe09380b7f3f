"""A receiver of webhooks in this process: it keeps what it gets, and answers as a test wants."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.serving import serving

Answering = Callable[[BaseHTTPRequestHandler], None]


def accept(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(204)
    handler.end_headers()


def refuse(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(500)
    handler.end_headers()


def redirect(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(302)
    handler.send_header("Location", "http://127.0.0.1:1/inside")
    handler.end_headers()


def trickle(handler: BaseHTTPRequestHandler) -> None:
    """A byte at a time, for ever."""
    for _ in range(600):
        handler.wfile.write(b"x")
        time.sleep(0.05)


def flood(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    for _ in range(160):
        handler.wfile.write(b"x" * 65_536)


class Receiver:
    def __init__(self, answering: Answering) -> None:
        self.answering = answering
        self.got: list[tuple[dict[str, str], bytes]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((dict(self.headers.items()), body))
                try:
                    receiver.answering(self)
                except OSError:
                    self.close_connection = True

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hook"


@contextmanager
def receiver(answering: Answering = accept, certificate: Path | None = None) -> Iterator[Receiver]:
    """Over TLS where there is a `certificate`."""
    made = Receiver(answering)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        made.server.socket = context.wrap_socket(made.server.socket, server_side=True)
        made.url = made.url.replace("http:", "https:")
    with serving(made.server):
        yield made


def certificate(path: Path) -> Path:
    """A file with a key and a certificate of this machine, which whoever trusts the file accepts."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    day, now = timedelta(days=1), datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now - day, now + day)
    made = made.add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(private + made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    return path
