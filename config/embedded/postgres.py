"""The embedded Postgres: initialised once, started on 127.0.0.1 with SCRAM, recovered after any crash."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from config.embedded import leftovers
from config.embedded.errors import StartError
from config.embedded.launch import spawn, stop, tail
from config.embedded.postgres_settings import SETTINGS, UNSAFE_BUT_FAST
from config.embedded.privileges import Privileges
from config.embedded.secrets_file import keep

USER = DATABASE = "continuity"
FAST_THEN_IMMEDIATE = ((signal.SIGINT, 20.0), (signal.SIGQUIT, 5.0))


@dataclass
class Postgres:
    """One server in `data_dir`/postgres. `durable=False` is for throw-away test servers only."""

    data_dir: Path
    binaries: Path
    port: int
    privileges: Privileges
    durable: bool = True
    environment: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None

    @property
    def cluster(self) -> Path:
        return self.data_dir / "postgres"

    @property
    def log(self) -> Path:
        return self.data_dir / "logs" / "postgres.log"

    @property
    def url(self) -> str:
        return f"postgresql://{USER}:{self._password()[0]}@127.0.0.1:{self.port}/{DATABASE}"

    def launch(self) -> None:
        """Initialise if new, clear what a crash left, and start without waiting."""
        password, made_now = self._password()
        if not (self.cluster / "PG_VERSION").exists():
            self._initialise(password)
        else:
            self._check_version()
            self.privileges.own(self.cluster)
            self._clear_crash()
            if made_now:  # The folder was kept, its password was not.
                self._single_user(f"ALTER USER {USER} PASSWORD '{password}'", self.cluster)
        options = [part for name, value in self._settings().items() for part in ("-c", f"{name}={value}")]
        self.process = spawn(
            [self.binaries / "postgres", "-D", self.cluster, "-p", str(self.port), *options],
            privileges=self.privileges,
            death_signal=signal.SIGINT,
            cwd=self.cluster,
            env=self._environment(),
            log=self.log,
        )

    def ready(self) -> bool:
        """Tell whether it accepts connections; StartError if it ended instead."""
        if self.process is None or self.process.poll() is not None:
            raise StartError(self._explain("Postgres did not start", tail(self.log)))
        try:
            lines = (self.cluster / "postmaster.pid").read_text(encoding="ascii").splitlines()
        except FileNotFoundError:
            return False
        return len(lines) >= 8 and lines[7].strip() == "ready" and lines[0] == str(self.process.pid)

    def stop(self) -> None:
        if self.process is not None:
            stop(self.process, FAST_THEN_IMMEDIATE)

    def _password(self) -> tuple[str, bool]:
        return keep(self.data_dir / "postgres_password")

    def _settings(self) -> dict[str, str]:
        return SETTINGS if self.durable else {**SETTINGS, **UNSAFE_BUT_FAST}

    def _environment(self) -> dict[str, str]:
        # PG… variables of the user's shell are not meant for this server.
        own = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        return {**own, **self.environment, "LC_ALL": "C", "TZ": "UTC"}

    def _initialise(self, password: str) -> None:
        """Make the cluster beside its place and move it there when complete: a crash half-way leaves nothing to repair."""
        fresh = self.data_dir / "postgres.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        secret = fresh / "password"
        secret.write_text(password, encoding="ascii")
        secret.chmod(0o600)
        self.privileges.own(fresh)
        cluster = fresh / "cluster"
        command: list[str | Path] = [self.binaries / "initdb", "-D", cluster, "-U", USER, f"--pwfile={secret}", "--encoding=UTF8"]
        command += ["--auth=scram-sha-256", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--no-instructions"]
        self._run(command if self.durable else [*command, "--no-sync"], cwd=fresh)
        self._single_user(f"CREATE DATABASE {DATABASE}", cluster)
        cluster.rename(self.cluster)
        shutil.rmtree(fresh, ignore_errors=True)

    def _single_user(self, statement: str, cluster: Path) -> None:
        command: list[str | Path] = [self.binaries / "postgres", "--single", "-j", "-c", f"fsync={'on' if self.durable else 'off'}"]
        self._run([*command, "-D", cluster, "postgres"], cwd=cluster, given=f"{statement};\n\n")

    def _run(self, command: list[str | Path], cwd: Path, given: str = "") -> None:
        done = subprocess.run(
            self.privileges.wrap(command, signal.SIGKILL),
            cwd=cwd,
            env=self._environment(),
            input=given,
            text=True,
            capture_output=True,
            check=False,
        )
        if done.returncode != 0:
            said = " | ".join(line.strip() for line in done.stderr.splitlines()[-3:] if line.strip())
            raise StartError(self._explain("Postgres could not be set up", said))

    def _explain(self, what: str, said: str) -> str:
        if os.strerror(errno.ENOSPC) in said:
            return f"the disk that holds {self.data_dir} is full"
        return f"{what}: {said or 'it said nothing'} (log: {self.log})"

    def _check_version(self) -> None:
        made_by = (self.cluster / "PG_VERSION").read_text(encoding="ascii").strip()
        said = subprocess.run([str(self.binaries / "postgres"), "-V"], text=True, capture_output=True, check=True).stdout
        installed = said.split()[-1].split(".")[0]
        if made_by != installed:
            raise StartError(
                f"{self.cluster} was made by Postgres {made_by}, installed is {installed}: "
                "dump it with the former and restore it into the new one (docs/operations.md, Upgrading)"
            )

    def _clear_crash(self) -> None:
        """End what still works in this folder, then remove a lock file whose pid may by now belong to another process.

        The data folder's own lock is held: no other living supervisor uses it.
        """
        lock = self.cluster / "postmaster.pid"
        if not lock.exists():
            return
        left = leftovers.working_in(self.cluster)
        if left and not leftovers.end(left, FAST_THEN_IMMEDIATE):
            raise StartError(f"a Postgres left over in {self.cluster} cannot be ended (pid {left[0].pid})")
        lock.unlink(missing_ok=True)
