"""The database that every worker's is a copy of: migrated once, beside the collection of tests, and kept for later runs.

All migrations take several seconds of a core. What they made is kept beneath `.pytest_cache`, under a digest of all that has a part in it,
so that it is made again when a migration, a model or a package changes.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import psycopg

from config.embedded.binaries import postgres_binaries

PROJECT = Path(__file__).resolve().parent.parent
NAME = "continuity_template"
KEPT = PROJECT / ".pytest_cache" / "continuity"
APPS = ("continuity", "handoffs", "diagnostics")
PATIENCE_SECONDS = 1800.0
OWN_IMPORT = re.compile(rf"^(?:from|import) ((?:{'|'.join(APPS)})[\w.]*)", re.MULTILINE)


class Template:
    """`tables` is there as soon as the template is whole; `tables.failed` tells why it never will be."""

    def __init__(self, database_url: str, tables: Path) -> None:
        self.server, self.url = database_url, f"{database_url.rpartition('/')[0]}/{NAME}"
        self.tables = tables
        self.env = {**os.environ, "DATABASE_URL": self.url, "SECRET_KEY": "only for tests"}
        self.running: subprocess.Popen[bytes] | None = None
        self.ended = False
        self.thread = threading.Thread(target=self._make)

    def begin(self) -> None:
        os.environ["CONTINUITY_TEST_TEMPLATE"], os.environ["CONTINUITY_TEST_TABLES"] = NAME, str(self.tables)
        self.thread.start()

    def end(self) -> None:
        """Also before it is whole, where nobody needed it."""
        self.ended = True
        if self.running is not None:
            self.running.terminate()
        self.thread.join()

    def _make(self) -> None:
        try:
            self._make_whole()
        except Exception as error:
            if not self.ended:
                self.tables.with_suffix(".failed").write_text(repr(error))
                raise

    def _make_whole(self) -> None:
        with psycopg.connect(self.server, autocommit=True) as server:
            server.execute(f"CREATE DATABASE {NAME}")
        kept, fresh = KEPT / f"tables-{digest()}.sql", self.tables.with_suffix(".new")
        if (tables := read(kept)) is not None:
            fresh.write_bytes(tables)
            self._run(postgres_binaries() / "psql", "-qX", "-v", "ON_ERROR_STOP=1", "-f", fresh, "-o", os.devnull, self.url)
        else:
            self._run(sys.executable, "manage.py", "migrate", "--skip-checks", "--verbosity", "0")
            self._run(postgres_binaries() / "pg_dump", "-f", fresh, self.url)
            keep(fresh.read_bytes(), kept)
        fresh.replace(self.tables)

    def _run(self, *command: str | Path) -> None:
        self.running = subprocess.Popen(command, cwd=PROJECT, env=self.env)
        if self.ended:
            self.running.terminate()
        if (code := self.running.wait()) != 0:
            raise RuntimeError(f"{command[0]} ended with {code}")


def read(kept: Path) -> bytes | None:
    """None where there is none, or another run has just put its own in its place."""
    try:
        return kept.read_bytes()
    except FileNotFoundError:
        return None


def keep(tables: bytes, kept: Path) -> None:
    """In place of those of other digests; runs beside each other write the same."""
    KEPT.mkdir(parents=True, exist_ok=True)
    for old in KEPT.glob("tables-*.sql"):
        old.unlink(missing_ok=True)
    fresh = kept.with_suffix(f".{os.getpid()}")
    fresh.write_bytes(tables)
    fresh.replace(kept)


def digest() -> str:
    """Of all that decides what the tables are: migrations, the modules that these import, models, settings and packages."""
    places = [PROJECT / app / folder for app in APPS for folder in ("migrations", "models")]
    made = [path for place in places for path in place.rglob("*") if path.suffix in (".py", ".sql")]
    imported = {name for path in made if "migrations" in path.parts for name in OWN_IMPORT.findall(path.read_text(encoding="utf-8"))}
    modules = [PROJECT / name.replace(".", "/") for name in imported]
    made += [found for module in modules for found in (module.with_suffix(".py"), *module.glob("*.py")) if found.exists()]
    made += [*(PROJECT / app / "apps.py" for app in APPS), *(PROJECT / "continuity" / "upgrades").rglob("*.py")]
    made += [PROJECT / name for name in ("config/settings.py", "requirements.txt", "requirements-dev.txt")]
    sums = [(str(path.relative_to(PROJECT)), hashlib.sha256(path.read_bytes()).hexdigest()) for path in sorted(set(made))]
    return hashlib.sha256(repr(sums).encode()).hexdigest()[:24]


def whole_tables() -> Path | None:
    """The file with all tables, as soon as it and the template are whole; None where the database is somebody else's."""
    if "CONTINUITY_TEST_TABLES" not in os.environ:
        return None
    tables = Path(os.environ["CONTINUITY_TEST_TABLES"])
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not tables.exists():
        failed = tables.with_suffix(".failed")
        assert not failed.exists(), f"the tables could not be made: {failed.read_text()}"
        assert time.monotonic() < deadline, "the tables are not made"
        time.sleep(0.05)
    return tables
