"""Sessions of a corpus, one after another, as their main conversations' messages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from continuity.transcripts import TranscriptError, open_transcript
from continuity.transcripts.base.model import Abandoned, Message
from diagnostics.evaluation.errors import EvaluationError
from diagnostics.evaluation.present_state.measuring import unpacked

PATTERN = "*.jsonl*"


def sessions_in(folder: Path) -> Iterator[list[Message]]:
    """The messages of each session file in a folder, in the order of their names; those that were rewound are left out.

    Raises EvaluationError where the folder holds no session, or one cannot be read."""
    paths = sorted(folder.glob(PATTERN))
    if not paths:
        raise EvaluationError(f"There are no sessions ({PATTERN}) in {folder}.")
    for path in paths:
        try:
            with unpacked(path) as file:
                yield _live(list(open_transcript(file)))
        except TranscriptError as error:
            raise EvaluationError(f"{path.name}: {error}") from error


def _live(entries: list[Message | Abandoned]) -> list[Message]:
    gone = {key for entry in entries if isinstance(entry, Abandoned) for key in entry.external_ids}
    return [entry for entry in entries if isinstance(entry, Message) and not entry.agent and entry.external_id not in gone]
