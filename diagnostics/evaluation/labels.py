"""Label files: what people found that a handoff at one cut of a session must carry."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diagnostics.evaluation.errors import EvaluationError

SUPERSEDED = "superseded"
COMPLETED = "completed"
CHANGES = ("created", "modified", "deleted")


@dataclass(frozen=True, slots=True)
class LabelledAnchor:
    """Knowledge that must be stated while it is current, and not as current once it is superseded."""

    type: str
    tokens: tuple[str, ...]
    critical: bool
    state: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class LabelledTask:
    tokens: tuple[str, ...]
    completed: bool
    description: str = ""


@dataclass(frozen=True, slots=True)
class LabelledProbe:
    """A question of a successor; `dimension` is what kind of knowledge answers it."""

    dimension: str
    tokens: tuple[str, ...]
    question: str = ""


@dataclass(frozen=True, slots=True)
class Labels:
    """One session at one cut. `transcript` is a file name, `cut` the lines that exist, `files` the paths that were changed.

    `objective` is what the user wants at the cut, `next_step` the very next thing to do: a sentence each, in the reader's words.
    `cwd` and `branch` are where the work stands, empty where nobody knows; `waiting_for_user` says whose turn it is.
    """

    name: str
    transcript: str
    format: str
    cut: int
    anchors: tuple[LabelledAnchor, ...]
    tasks: tuple[LabelledTask, ...]
    files: tuple[str, ...]
    probes: tuple[LabelledProbe, ...]
    objective: str = ""
    next_step: str = ""
    waiting_for_user: bool = False
    cwd: str = ""
    branch: str = ""

    @property
    def current(self) -> tuple[LabelledAnchor, ...]:
        return tuple(anchor for anchor in self.anchors if anchor.state == "current")

    @property
    def superseded(self) -> tuple[LabelledAnchor, ...]:
        return tuple(anchor for anchor in self.anchors if anchor.state == SUPERSEDED)


def read_labels(path: Path) -> Labels:
    """The labels of a file, named as the file is. Raises EvaluationError where it cannot be read or is no label file."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read ({(error.strerror or type(error).__name__).lower()}).") from error
    except ValueError as error:
        raise EvaluationError(f"{path} is no label file: it is not JSON.") from error
    try:
        return parse_labels(raw, name=path.stem)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        missing = f"it has no {error}" if isinstance(error, KeyError) else "it has another shape"
        raise EvaluationError(f"{path} is no label file: {missing}.") from error


def parse_labels(raw: Mapping[str, Any], *, name: str) -> Labels:
    """The labels of a parsed file. Raises KeyError, TypeError, AttributeError or ValueError on another shape."""
    files, state = raw["files"], raw.get("state", {})
    return Labels(
        name=name,
        transcript=str(raw["transcript"]),
        format=str(raw["format"]),
        cut=int(raw["cut"]),
        anchors=tuple(
            LabelledAnchor(
                type=str(each["type"]),
                tokens=_tokens(each),
                critical=bool(each.get("critical")),
                state=str(each.get("state", "current")),
                quote=str(each.get("quote", "")),
            )
            for each in raw["anchors"]
        ),
        tasks=tuple(LabelledTask(_tokens(each), each["status"] == COMPLETED, str(each.get("description", ""))) for each in raw["tasks"]),
        files=tuple(str(path) for change in CHANGES for path in files.get(change, [])),
        probes=tuple(LabelledProbe(str(each["dimension"]), _tokens(each), str(each.get("question", ""))) for each in raw["probes"]),
        objective=str(raw.get("objective", "")),
        next_step=str(raw.get("next_step", "")),
        waiting_for_user=bool(raw.get("waiting_for_user")),
        cwd=str(state.get("cwd", "")),
        branch=str(state.get("branch", "")),
    )


def _tokens(labelled: Mapping[str, Any]) -> tuple[str, ...]:
    """What must stand together, in lower case; an empty one asks for nothing."""
    wanted: Sequence[Any] = labelled["must_contain"]
    if isinstance(wanted, str):
        raise TypeError("must_contain is a list")
    return tuple(str(token).lower().strip() for token in wanted if token)
