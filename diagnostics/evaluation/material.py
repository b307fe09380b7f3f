"""Finds label files and their transcripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from diagnostics.evaluation.errors import EvaluationError
from diagnostics.evaluation.labels import Labels, read_labels

# Folders above a label file in which `transcripts/` is looked for.
LEVELS = 3


@dataclass(frozen=True, slots=True)
class Case:
    """The labels of a session at a cut, and the session's file."""

    labels: Labels
    transcript: Path


def cases(given: Sequence[Path], *, default: Path, transcripts: Path | None) -> list[Case]:
    """The label files given, else those in the folder `default`, each with its transcript.

    `transcripts` is the folder that holds them, by format or flat; else they are looked for beside the label files.
    Raises EvaluationError where there are no label files, one is none, or a transcript is missing.
    """
    paths = list(given) or sorted(default.glob("*.json"))
    if not paths:
        raise EvaluationError(f"There are no label files: none was named, and {default} holds none.")
    return [_case(path, transcripts) for path in paths]


def _case(path: Path, transcripts: Path | None) -> Case:
    labels = read_labels(path)
    folders = [transcripts] if transcripts else [parent / "transcripts" for parent in path.resolve().parents[:LEVELS]]
    for place in _places(labels, folders):
        if place.is_file():
            return Case(labels, place)
    raise EvaluationError(
        f"{path} is about {labels.format}/{labels.transcript}, which is not in {transcripts or 'a folder “transcripts” near it'}."
    )


def _places(labels: Labels, folders: Iterable[Path]) -> Iterable[Path]:
    for folder in folders:
        yield folder / labels.format / labels.transcript
        yield folder / labels.transcript
