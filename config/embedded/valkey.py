"""The embedded Valkey: broker and cache, with a password and an append-only file, restarted from any crash."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from config.embedded import leftovers
from config.embedded.errors import StartError
from config.embedded.launch import spawn, stop, tail
from config.embedded.privileges import Privileges
from config.embedded.secrets_file import keep

GENTLY = ((signal.SIGTERM, 10.0),)


@dataclass
class Valkey:
    """One server in `data_dir`/valkey. `durable=False` is for throw-away test servers only."""

    data_dir: Path
    binary: Path
    port: int
    privileges: Privileges
    durable: bool = True
    environment: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    repaired: bool = False

    @property
    def folder(self) -> Path:
        return self.data_dir / "valkey"

    @property
    def log(self) -> Path:
        return self.data_dir / "logs" / "valkey.log"

    @property
    def url(self) -> str:
        return f"redis://:{self._password()}@127.0.0.1:{self.port}/0"

    def launch(self) -> None:
        """Clear what a crash left and start without waiting."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        self.privileges.own(self.folder)
        leftovers.end(leftovers.working_in(self.folder), GENTLY)
        self.process = spawn(
            [self.binary, "-"],
            privileges=self.privileges,
            death_signal=signal.SIGTERM,
            cwd=self.folder,
            env={**os.environ, **self.environment},
            log=self.log,
            given=self._configuration().encode(),  # Through standard input: on the command line everyone could read the password.
        )

    def ready(self) -> bool:
        """Tell whether it answers; StartError if it ended instead.

        A damaged append-only file is moved aside once: what must go on is kept in Postgres.
        """
        if self.process is None or self.process.poll() is not None:
            said = tail(self.log, 8)
            damaged = self.folder / "appendonlydir"
            if "append only file" not in said or not damaged.exists() or self.repaired:
                raise StartError(f"Valkey did not start: {tail(self.log) or 'it said nothing'} (log: {self.log})")
            self.repaired = True
            damaged.rename(damaged.with_name(f"appendonlydir.damaged-{int(time.time())}"))
            self.launch()
            return False
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(f"AUTH {self._password()}\r\nPING\r\n".encode())
                answer = b""
                while answer.count(b"\r\n") < 2 and (part := connection.recv(1024)):
                    answer += part
        except OSError:
            return False
        return b"+PONG" in answer

    def stop(self) -> None:
        if self.process is not None:
            stop(self.process, GENTLY)

    def _password(self) -> str:
        return keep(self.data_dir / "valkey_password")[0]

    def _configuration(self) -> str:
        settings = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "protected-mode": "yes",
            "requirepass": self._password(),
            "dir": str(self.folder),
            "daemonize": "no",
            "databases": "64",
            "appendonly": "yes" if self.durable else "no",
            "appendfsync": "everysec",
            "aof-load-truncated": "yes",
            "save": '""',
            "maxmemory": "256mb",
            "maxmemory-policy": "noeviction",  # It is a broker first: a queued task is never dropped for a cached page.
            "tcp-keepalive": "30",
            "loglevel": "warning",
        }
        return "".join(f"{name} {_quoted(value)}\n" for name, value in settings.items())


def _quoted(value: str) -> str:
    if value == '""' or value.replace("-", "").replace("_", "").replace(".", "").isalnum():
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
