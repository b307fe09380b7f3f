"""The last stop of this data folder, kept for the metrics of the next start (FR-054)."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

NAME = "last_stop.json"


@dataclass(frozen=True, slots=True)
class LastStop:
    """`seconds` from the signal to the end; `live` conversations of agents were found kept, None where the store did not say so."""

    seconds: float
    live: int | None

    @property
    def kept(self) -> bool:
        return self.live is not None


def write(data_dir: Path, stop: LastStop) -> None:
    """Writes the file in one step, so that a crash tears nothing. Raises OSError."""
    fresh = data_dir / f"{NAME}.new"
    fresh.write_text(json.dumps(asdict(stop)), encoding="utf-8")
    fresh.chmod(0o600)
    fresh.replace(data_dir / NAME)


def read(data_dir: Path) -> LastStop | None:
    """None where there was none, or it can't be read."""
    try:
        told = json.loads((data_dir / NAME).read_text(encoding="utf-8"))
        return LastStop(float(told["seconds"]), None if told["live"] is None else int(told["live"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
