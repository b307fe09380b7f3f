"""Machines of a test: network namespaces on one bridge, which reach the test run's Postgres and Valkey over it, and nothing else."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.platform.hosts.tls_front import copy
from tests.platform.running import Application

BRIDGE, NETWORK = "ctbridge", "10.177.0"
ROUTER = f"{NETWORK}.1"


class Machine:
    """One of them, with web, worker, beat and monitor of its own."""

    def __init__(self, number: int, folder: Path, database: str, redis: str) -> None:
        self.name, self.address, self.link = f"ctmachine{number}", f"{NETWORK}.{10 + number}", f"ctlink{number}"
        run("ip", "netns", "add", self.name)
        run("ip", "link", "add", self.link, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        run("ip", "link", "set", self.link, "master", BRIDGE, "up")
        self.inside("ip", "link", "set", "lo", "up")
        self.inside("ip", "address", "add", f"{self.address}/24", "dev", "eth0")
        self.inside("ip", "link", "set", "eth0", "up")
        command = [shutil.which("ip") or "ip", "netns", "exec", self.name, sys.executable]
        shared = {"DATABASE_URL": database, "REDIS_URL": redis, "SECRET_KEY": "shared by all", "CONTINUITY_QUEUE": "machines"}
        listening = {"HOST": self.address, "ALLOWED_HOSTS": self.address, "CONTINUITY_KEY_PREFIX": "machines"}
        self.application = Application(folder / self.name, command, **shared, **listening)

    def inside(self, *command: str) -> None:
        run("ip", "netns", "exec", self.name, *command)

    def unplug(self) -> None:
        run("ip", "link", "set", self.link, "down")

    def plug_in(self) -> None:
        run("ip", "link", "set", self.link, "up")

    def lose_power(self) -> None:
        """kill -9 of everything that runs on it."""
        found = subprocess.run(["ip", "netns", "pids", self.name], capture_output=True, text=True, check=True).stdout.split()
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)

    def end(self) -> None:
        self.application.end()
        self.lose_power()
        run("ip", "netns", "delete", self.name)


def run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


@contextmanager
def machines(number: int, folder: Path, database: str, redis: str) -> Iterator[list[Machine]]:
    """So many of them; skips the test where this user may make none."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("network namespaces can only be made by root on Linux")
    if subprocess.run(["ip", "link", "add", BRIDGE, "type", "bridge"], capture_output=True, check=False).returncode != 0:
        pytest.skip("network namespaces may not be made here")
    with ExitStack() as last_first:
        last_first.callback(run, "ip", "link", "delete", BRIDGE)
        run("ip", "address", "add", f"{ROUTER}/24", "dev", BRIDGE)
        run("ip", "link", "set", BRIDGE, "up")
        there = [last_first.enter_context(relayed(url)) for url in (database, redis)]
        made = []
        for each in range(number):
            made.append(Machine(each, folder, *there))
            last_first.callback(made[-1].end)
        yield made


@contextmanager
def relayed(url: str) -> Iterator[str]:
    """The URL under which the machines reach a server that listens on this machine's loopback."""
    parts = urlsplit(url)
    with socket.create_server((ROUTER, 0)) as listening:
        threading.Thread(target=_accept, args=(listening, parts.port or 0), daemon=True).start()
        there = f"{parts.netloc.rpartition('@')[0]}@{ROUTER}:{listening.getsockname()[1]}"
        yield parts._replace(netloc=there).geturl()
        listening.shutdown(socket.SHUT_RDWR)


def _accept(listening: socket.socket, port: int) -> None:
    with suppress(OSError):
        while True:
            client, _ = listening.accept()
            threading.Thread(target=_join, args=(client, port), daemon=True).start()


def _join(client: socket.socket, port: int) -> None:
    with client, suppress(OSError), socket.create_connection(("127.0.0.1", port)) as server:
        back = threading.Thread(target=copy, args=(server, client), daemon=True)
        back.start()
        copy(client, server)
        back.join()
