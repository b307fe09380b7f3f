"""The run file: where the embedded servers listen and which processes were started, for every command run beside them."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

from config.supervision.processes import Identity

NAME = "run.json"


@dataclass
class RunFile:
    """The servers and processes that one supervisor or command started; urls are empty where a server is not (yet) embedded."""

    owner: Identity
    kind: str  # "supervisor" or "command"
    database_url: str = ""
    redis_url: str = ""
    web_url: str = ""
    processes: dict[str, Identity] = field(default_factory=dict)

    def alive(self) -> bool:
        return self.owner.alive()


def location(data_dir: Path) -> Path:
    """Return the run file of a data folder, or the one named by CONTINUITY_RUN_FILE."""
    named = os.environ.get("CONTINUITY_RUN_FILE", "").strip()
    return Path(named) if named else data_dir / NAME


def read(path: Path) -> RunFile | None:
    """Return the run file, or None if there is none that can be read (a torn one counts as none)."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return RunFile(
            owner=Identity(**raw["owner"]),
            kind=raw["kind"],
            database_url=raw["database_url"],
            redis_url=raw["redis_url"],
            web_url=raw["web_url"],
            processes={name: Identity(**who) for name, who in raw["processes"].items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def write(path: Path, run: RunFile) -> None:
    """Replace the run file in one step, readable by its owner only: it holds passwords."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        json.dump(asdict(run), stream, indent=1)
    fresh.replace(path)


def remove(path: Path) -> None:
    path.unlink(missing_ok=True)
