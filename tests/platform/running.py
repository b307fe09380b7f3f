"""A whole Continuity, started as `make run` starts it, with a data folder and port of its own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

from config.embedded import leftovers
from config.embedded.binaries import postgres_binaries
from config.embedded.folder import prepare
from config.embedded.ports import free_port
from config.embedded.privileges import Privileges
from config.embedded.servers import servers_in
from config.supervision import runfile
from config.supervision.processes import Identity, identify
from tests.template import whole_tables

PROJECT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 90.0
INHERITED = ("PATH", "HOME", "LANG", "TZ")


def clean_environment(data_dir: Path, **more: str) -> dict[str, str]:
    """The environment of a fresh terminal, without what the test run set for itself, and without the demo, which takes its time."""
    kept = {name: os.environ[name] for name in INHERITED if name in os.environ}
    return {**kept, "CONTINUITY_DATA_DIR": str(data_dir), "LOG_FORMAT": "json", "CONTINUITY_DEMO": "0", **more}


def eventually(what: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if what():
            return True
        time.sleep(0.05)
    return False


class Application:
    """One supervisor and all that it keeps alive."""

    project = PROJECT  # where its release is

    begun: Path | None = None  # a folder as `begin` leaves it, with whose data it starts, so that nothing is migrated

    def __init__(self, data_dir: Path, command: Sequence[str | Path] = (sys.executable,), **more: str) -> None:
        self.data_dir, self.port = data_dir, free_port()
        # A test run that is killed must not leave a supervisor behind.
        self.command = Privileges().wrap([*command, "-m", "config.supervision.supervisor"], signal.SIGTERM)
        self.env = clean_environment(data_dir, **{"PORT": str(self.port), **more})
        self.log = data_dir.with_name(data_dir.name + ".log")
        self.supervisor: subprocess.Popen[bytes] | None = None

    def after(self, begun: Path) -> Self:
        self.begun = begun
        return self

    def start(self, seconds: float = PATIENCE_SECONDS) -> None:
        """Start it and wait until it serves with a worker; fails with its output otherwise."""
        self.launch()
        self.wait_until_up(seconds)

    def launch(self) -> None:
        """Start it, from a thread that lives as long as it shall: it ends with that."""
        if self.begun is not None and not self.data_dir.exists():
            # With owners and rights, which Postgres insists on.
            subprocess.run(["cp", "-a", str(self.begun / "data"), str(self.data_dir)], check=True)
            shutil.copy(self.begun / "data.log", self.log)
        with self.log.open("ab") as output:
            self.supervisor = subprocess.Popen(
                self.command, cwd=self.project, env=self.env, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
            )

    def wait_until_up(self, seconds: float) -> None:
        up = eventually(lambda: self.supervisor_ended() or self.has("worker", "beat", "web"), seconds)
        assert up, self.output()
        assert not self.supervisor_ended(), self.output()

    def try_start(self) -> subprocess.CompletedProcess[str]:
        """Start once more, expecting it to end by itself."""
        return subprocess.run(
            self.command, cwd=self.project, env=self.env, text=True, capture_output=True, timeout=PATIENCE_SECONDS, check=False
        )

    def supervisor_ended(self) -> bool:
        return self.supervisor is None or self.supervisor.poll() is not None

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Signal the supervisor and return its exit status."""
        assert self.supervisor is not None
        if self.supervisor.poll() is None:
            self.supervisor.send_signal(number)
        return self.supervisor.wait(60)

    def run(self) -> runfile.RunFile | None:
        found = runfile.read(self.data_dir / runfile.NAME)
        return found if found is not None and found.alive() else None

    def has(self, *names: str) -> bool:
        run = self.run()
        return run is not None and all(name in run.processes and run.processes[name].alive() for name in names)

    def process(self, name: str) -> Identity:
        run = self.run()
        assert run is not None, self.output()
        return run.processes[name]

    def kill(self, name: str) -> Identity:
        """kill -9 one process; returns who it was."""
        who = self.process(name)
        os.kill(who.pid, signal.SIGKILL)
        return who

    def replaced(self, name: str, before: Identity) -> bool:
        return eventually(lambda: self.has(name) and self.process(name) != before)

    def answers(self) -> bool:
        """Tell whether the web process answers; any status below 500 counts."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/docs", timeout=5) as response:
                return bool(response.status == 200)
        except urllib.error.HTTPError as error:
            return error.code < 500
        except OSError:
            return False

    def left_running(self) -> list[Identity]:
        """Return every process that was started for this data folder and still runs."""
        servers = [who for name in ("postgres", "valkey") for who in leftovers.working_in(self.data_dir / name)]
        return [*leftovers.marked(self.data_dir), *servers]

    def output(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")[-6000:]

    def end(self) -> None:
        """Leave nothing behind, whatever the test did."""
        if self.supervisor is not None and self.supervisor.poll() is None:
            self.stop()
        leftovers.end(self.left_running(), ())


OWNER, PASSWORD = "owner@example.com", "a long walk along the harbour"


def begin(folder: Path) -> None:
    """Make a data folder that was started once and stopped, and the log of that with its API key."""
    first = Application(folder / "data", CONTINUITY_OWNER_EMAIL=OWNER, CONTINUITY_OWNER_PASSWORD=PASSWORD)
    try:
        if tables := whole_tables():
            _put_tables(first.data_dir, tables)
        first.start()
        assert eventually(first.answers), first.output()
        assert first.stop() == 0, first.output()
    except BaseException:
        first.end()
        shutil.rmtree(first.data_dir, ignore_errors=True)  # Whoever needs it next begins anew.
        raise
    finally:
        first.end()


def _put_tables(data_dir: Path, tables: Path) -> None:
    """Copies what the migrations made for the tests of this run: to migrate again would take longer than all the rest of a start."""
    prepare(data_dir)
    servers = servers_in(data_dir, database=True, redis=False, durable=False)
    servers.launch()
    try:
        servers.wait()
        into = [str(postgres_binaries() / "psql"), "-qX", "-v", "ON_ERROR_STOP=1", "-f", str(tables), servers.database_url]
        subprocess.run(into, check=True, stdout=subprocess.DEVNULL)
    finally:
        servers.stop()


def key_of(application: Application) -> str:
    """The API key that the first start showed."""
    shown = re.search(r"API key\s+(\S+)", application.log.read_text(encoding="utf-8", errors="replace"))
    assert shown is not None, application.output()
    return shown[1]


def children_of(pid: int) -> list[Identity]:
    """Return the direct children of a process (Linux)."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return [who for child in listed if (who := identify(int(child)))]
