"""Free TCP ports outside the range that the system hands out to outgoing connections, so that a restart finds them free again."""

from __future__ import annotations

import errno
import random
import socket

from config.embedded.errors import StartError

FIRST, LAST = 20_000, 32_000


def free_port(host: str = "127.0.0.1") -> int:
    chooser = random.SystemRandom()
    for _ in range(200):
        port = chooser.randrange(FIRST, LAST)
        if is_free(host, port):
            return port
    raise StartError(f"no free TCP port between {FIRST} and {LAST} on {host}")


def is_free(host: str, port: int) -> bool:
    return refusal(host, port) is None


def refusal(host: str, port: int) -> str | None:
    """Return in one line why we cannot listen there now, None if we can."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # As the servers do: a port in TIME_WAIT counts as free, one that someone listens on does not.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except socket.gaierror:
            return f"HOST: '{host}' is not an address"
        except PermissionError:
            return f"port {port} is reserved for root: set PORT to one above 1023"
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return f"port {port} on {host} is in use: end what uses it, or set PORT to another"
            return f"HOST: cannot listen on '{host}' ({error.strerror})"
    return None


def reachable(host: str) -> str:
    """Return the address at which a server that listens on `host` answers on this machine."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  (read, not bound)
