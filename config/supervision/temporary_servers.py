"""Servers for one `manage.py` command: those that run already, else a pair started for its duration."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from config import addresses
from config.embedded import folder
from config.embedded.errors import StartError
from config.env import Environment, process_environment
from config.supervision import runfile
from config.supervision.processes import own_identity

# Commands that read no database: they start nothing, and run on a machine that has none.
PURE = frozenset(
    {
        *("handoff", "pack", "evaluate", "fitpacks", "help", "version", "check", "collectstatic", "findstatic", "diffsettings"),
        *("makemigrations", "shutdown"),
    }
)
PATIENCE_SECONDS = 60.0


def needs_servers(arguments: Sequence[str]) -> bool:
    """Tell from a command line (without the program's name) whether the command needs the database."""
    if not arguments or arguments[0] in PURE:
        return arguments[:1] == ["check"] and any(part.startswith("--database") for part in arguments)
    return not arguments[0].startswith("-") and not {"-h", "--help", "--version"} & set(arguments[1:])


@contextmanager
def servers_for(arguments: Sequence[str], project: Path) -> Iterator[None]:
    """Run the block with the servers that its command needs."""
    env = process_environment(project)
    data_dir = env.path("CONTINUITY_DATA_DIR", project / "data", aliases=["STORAGE_PATH"])
    at = addresses.resolve(env, data_dir)
    if not needs_servers(arguments) or not (at.embedded_database or at.embedded_redis):
        yield
        return
    folder.prepare(data_dir)
    with _others_or_own(env, data_dir):
        yield


@contextmanager
def _others_or_own(env: Environment, data_dir: Path) -> Iterator[None]:
    """Use the servers of a supervisor or of another command as soon as they are up; start our own if nobody has any."""
    # Users of another's servers hold this lock shared; a command that owns servers waits for it before it stops them.
    users = data_dir / "users.lock"
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        with folder.locked(users, exclusive=False, seconds=0.0) as had:
            at = addresses.resolve(env, data_dir)
            if had and at.database_url and at.redis_url:
                yield
                return
        with folder.locked(data_dir / "lock", exclusive=True, seconds=0.0) as had:
            if had:
                with _own_servers(data_dir, users, database=at.embedded_database, redis=at.embedded_redis):
                    yield
                return
        time.sleep(0.1)
    raise StartError(f"another process is starting or stopping the servers in {data_dir}; try again when it has ended")


@contextmanager
def _own_servers(data_dir: Path, users: Path, *, database: bool, redis: bool) -> Iterator[None]:
    from config.embedded.servers import servers_in  # Most commands find servers running and need none of it.

    run_path = runfile.location(data_dir)
    os.environ["CONTINUITY_RUN_FILE"] = str(run_path)
    signal.signal(signal.SIGTERM, _leave)
    servers = servers_in(data_dir, database=database, redis=redis)
    try:
        servers.launch()
        servers.wait()
        runfile.write(
            run_path, runfile.RunFile(own_identity(), "command", servers.database_url, servers.redis_url, "", servers.processes())
        )
        yield
    finally:
        with folder.locked(users, exclusive=True, seconds=0.0) as alone:
            if not alone:
                print("continuity: another command still uses these servers; waiting for it to end", file=sys.stderr)
        with folder.locked(users, exclusive=True, seconds=86_400.0):
            runfile.remove(run_path)
            servers.stop()


def _leave(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)
