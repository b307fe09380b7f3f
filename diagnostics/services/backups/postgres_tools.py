"""Postgres' own programs: those that come with the embedded server, else those on the PATH."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from psycopg.conninfo import make_conninfo

# What libpq reads from the environment: a password on a command line could be read by everyone on the machine.
_VARIABLES = {"password": "PGPASSWORD", "options": "PGOPTIONS"}
_NOT_LIBPQ = {"pool", "cursor_factory", "context", "prepare_threshold", "server_side_binding", "client_encoding", "isolation_level"}
_WITHOUT_TLS = {"disable", "allow", "prefer"}


class ToolMissing(Exception):
    """A program of Postgres can't be found; the message says which and what to do."""


def program(name: str, *, tls: bool = False) -> str:
    """Those that come along know no TLS. Raises ToolMissing."""
    folder: Path | None = settings.CONTINUITY_POSTGRES_PROGRAMS
    ours = folder / name if folder is not None and not tls else None
    found = str(ours) if ours is not None and ours.is_file() else shutil.which(name)
    if found is None:
        why = "that knows TLS " if tls else ""
        raise ToolMissing(f"no {name} {why}is there: install Postgres' client programs")
    return found


def dump(*arguments: str, **streams: Any) -> subprocess.Popen[bytes]:
    """pg_dump, on the database of this installation. Raises ToolMissing."""
    told = {key: value for key, value in connection.get_connection_params().items() if key not in _NOT_LIBPQ and value not in (None, "")}
    env = {key: value for key, value in os.environ.items() if not key.startswith("PG")}
    env |= {variable: str(told.pop(key)) for key, variable in _VARIABLES.items() if key in told}
    tls = told.get("sslmode", "prefer") not in _WITHOUT_TLS
    return subprocess.Popen([program("pg_dump", tls=tls), "--dbname", make_conninfo("", **told), *arguments], env=env, **streams)


def output_tail(errors: bytes) -> str:
    """The last lines of what a program wrote, in one line."""
    lines = [line.strip() for line in errors.decode("utf-8", "replace").splitlines() if line.strip()]
    return " | ".join(lines[-3:]) or "it said nothing"
