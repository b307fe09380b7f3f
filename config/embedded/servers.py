"""Both embedded servers as one: those that the environment does not replace are started together."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from config.embedded import binaries, leftovers, ports, privileges
from config.embedded.errors import StartError
from config.embedded.launch import wait_until
from config.embedded.postgres import Postgres
from config.embedded.secrets_file import keep
from config.embedded.valkey import Valkey
from config.supervision.processes import Identity, identify, own_identity

# Crash recovery replays the write-ahead log before Postgres is ready.
START_SECONDS = 60.0


@dataclass
class Servers:
    """The servers of one data folder; None where a URL was given instead."""

    postgres: Postgres | None = None
    valkey: Valkey | None = None
    started: list[Postgres | Valkey] = field(default_factory=list)

    def launch(self) -> None:
        """Start without waiting; Valkey first, since a new Postgres initialises itself in the foreground."""
        for server in self.all():
            self.started.append(server)
            server.launch()

    def ready(self) -> bool:
        """Tell whether all answer; StartError if one ended instead."""
        answers = [server.ready() for server in self.all()]  # All are asked: any of them may have ended.
        return all(answers)

    def wait(self) -> None:
        if not wait_until(self.ready, START_SECONDS):
            raise StartError(f"the embedded servers were not ready after {START_SECONDS:.0f} s (see the logs folder in the data folder)")

    def stop(self) -> None:
        """Stop in order: Valkey, then Postgres. Safe to call after a start that failed half-way."""
        for server in self.started:
            server.stop()
        self.started.clear()

    def all(self) -> list[Postgres | Valkey]:
        return [server for _, server in self.named()]

    def named(self) -> list[tuple[str, Postgres | Valkey]]:
        both: list[tuple[str, Postgres | Valkey | None]] = [("valkey", self.valkey), ("postgres", self.postgres)]
        return [(name, server) for name, server in both if server is not None]

    @property
    def database_url(self) -> str:
        return "" if self.postgres is None else self.postgres.url

    @property
    def redis_url(self) -> str:
        return "" if self.valkey is None else self.valkey.url

    def processes(self) -> dict[str, Identity]:
        found: dict[str, Identity] = {}
        for name, server in self.named():
            if server.process is not None and (who := identify(server.process.pid)):
                found[name] = who
        return found


def servers_in(data_dir: Path, *, database: bool, redis: bool, durable: bool = True) -> Servers:
    """Find the binaries, ports and rights for the wanted servers; nothing is started yet.

    Raises StartError where a binary is missing or root cannot give up its rights.
    """
    needed = [binaries.postgres_binaries() / "postgres"] if database else []
    valkey_binary = binaries.valkey_binary() if redis else None
    if valkey_binary is not None:
        needed.append(valkey_binary)
    rights = privileges.choose(data_dir, needed) if needed else privileges.Privileges()
    marked = {leftovers.MARK: leftovers.mark(own_identity(), data_dir)}
    found = Servers()
    if valkey_binary is not None:
        found.valkey = Valkey(data_dir, valkey_binary, ports.free_port(), rights, durable, marked)
    if database:
        keep(data_dir / "secret_key")
        found.postgres = Postgres(data_dir, needed[0].parent, ports.free_port(), rights, durable, marked)
    return found
