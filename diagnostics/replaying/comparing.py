"""Compares a session file, message by message, with what was recorded of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from continuity.client.recording.api_messages import as_request
from continuity.models import Conversation, Message, Team
from continuity.transcripts import Abandoned, open_transcript
from continuity.transcripts import Message as Said
from continuity.transcripts.base.model import Part
from continuity.transcripts.base.sanitise import clean_json

SHOWN = 10
KEPT = 100


@dataclass(frozen=True, slots=True)
class Result:
    """`differences` name places and kinds, never words; the first hundred."""

    name: str
    expected: int
    recorded: int
    differences: list[str]

    @property
    def same(self) -> bool:
        return not self.differences

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "same": self.same}


def compare(team: Team, file: Path) -> Result:
    """The messages of `file`, and those of the conversation that begins with its first one. Holds one message of each at a time."""
    said, abandoned = _ids(file)
    conversation = _recorded(team, said)
    if conversation is None:
        return Result(str(file), len(said), 0, ["nothing was recorded"] if said else [])
    rows = Message.objects.filter(conversation=conversation).order_by("seq")
    differences: list[str] = []
    recorded = 0
    for number, (wanted, row) in enumerate(zip_longest(_messages(file), rows.iterator(chunk_size=200)), start=1):
        recorded += row is not None
        if (told := _difference(wanted, row, abandoned)) and len(differences) < KEPT:
            differences.append(f"message {number}: {told}")
    return Result(str(file), len(said), recorded, differences)


def _messages(file: Path) -> Iterator[Said]:
    with open_transcript(file) as transcript:
        yield from (event for event in transcript if isinstance(event, Said))


def _ids(file: Path) -> tuple[list[str], set[str]]:
    said: list[str] = []
    abandoned: set[str] = set()
    with open_transcript(file) as transcript:
        for event in transcript:
            if isinstance(event, Said):
                said.append(event.external_id[:200])
            elif isinstance(event, Abandoned):
                abandoned.update(event.external_ids)
    return said, abandoned


def _recorded(team: Team, said: list[str]) -> Conversation | None:
    """The team's conversation with the file's first message."""
    return Conversation.objects.filter(team=team, messages__external_id__in=said[:1]).order_by("-created_at").first()


def _difference(wanted: Said | None, row: Message | None, abandoned: set[str]) -> str:
    if wanted is None:
        return "recorded, but not in the file"
    if row is None:
        return "in the file, but not recorded"
    if wanted.external_id[:200] != row.external_id:
        return "another message stands here"
    if wanted.role.value != row.role:
        return f"recorded as {row.role}, in the file {wanted.role.value}"
    if (wanted.external_id in abandoned) != row.abandoned:
        return "rewound in one of them only"
    sent = json.loads(json.dumps(clean_json(as_request(wanted)["parts"])))
    return "" if [Part.from_json(part) for part in sent] == [Part.from_json(part) for part in row.parts] else "other parts"
