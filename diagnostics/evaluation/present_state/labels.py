"""Labels of where a session stands at one cut, and the session that they are about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diagnostics.evaluation.errors import EvaluationError

SINGLE = ("request", "next")
LISTED = ("state", "broken", "remaining", "rules", "finished", "one_off", "refuted", "rejected", "lessons", "course")


@dataclass(frozen=True, slots=True)
class LabelledItem:
    """A statement, and the short exact words that any good telling of it contains."""

    kind: str
    text: str
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PresentState:
    """One case. `cut` is the number of records that exist, `turn` is "go" or "wait"."""

    name: str
    transcript: Path
    cut: int
    turn: str
    items: tuple[LabelledItem, ...]

    def of(self, *kinds: str) -> list[LabelledItem]:
        return [item for item in self.items if item.kind in kinds]


def read_present_states(folder: Path, *, corpus: Path) -> list[PresentState]:
    """The label files of a folder in the order of their names; their transcripts lie below `corpus`. Raises EvaluationError."""
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise EvaluationError(f"There are no label files in {folder}.")
    return [_read(path, corpus) for path in paths]


def _read(path: Path, corpus: Path) -> PresentState:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        found = PresentState(path.stem, corpus / str(raw["transcript"]), int(raw["cut"]), str(raw["turn"]), _items(raw))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise EvaluationError(f"{path} is no label file of a present state: {type(error).__name__} {error}.") from error
    if not found.transcript.is_file():
        raise EvaluationError(f"{path} is about {raw['transcript']}, which is not in {corpus}.")
    return found


def _items(raw: Mapping[str, Any]) -> tuple[LabelledItem, ...]:
    singles = [(kind, raw[kind]) for kind in SINGLE]
    listed = [(kind, item) for kind in LISTED for item in raw.get(kind, [])]
    return tuple(
        LabelledItem(kind, str(item["text"]), tuple(str(token).lower().strip() for token in item.get("tokens", []) if token))
        for kind, item in [*singles, *listed]
    )
