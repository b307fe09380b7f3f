"""Made-up sessions of any length for measuring: the same for the same numbers, and shaped like real ones."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice

PARTS = ["importer", "scheduler", "billing page", "search index", "retry queue", "audit log", "session cache", "report job"]
REQUESTS = [
    "Please make the {part} handle empty input, and never touch the migrations folder.",
    "The {part} is slow with {n} rows. Find out why, and keep the public function names.",
    "Use a limit of {n} for the {part}; the old one was too low.",
    "Go on with the {part}. Don't add a dependency for it.",
]
REPORTS = [
    "The root cause is that the {part} reads all {n} rows at once. I decided to stream them in batches of {n} instead of paging by offset.",
    "The {part} now rejects input over {n} bytes with a clear error. Next I'll add a test for it.",
    "I tried to cache the {part}, but that did not work because the keys change with each of the {n} requests.",
]


MESSAGES_PER_TURN = 12  # as in real sessions: most messages are calls and their results


def turns(seed: int, count: int) -> Iterator[list[Message]]:
    """`count` turns: a request, five calls with their results, a report."""
    for number in range(count):
        yield _turn(random.Random(f"{seed}:{number}"), f"{seed}-{number}")


def messages(seed: int, count: int) -> Iterator[Message]:
    """`count` messages of consecutive turns."""
    return islice((message for turn in turns(seed, count // MESSAGES_PER_TURN + 1) for message in turn), count)


def plain(seed: int, count: int) -> list[Message]:
    """`count` messages of words alone, a hundred each, as CONT-06 measures token tracking."""
    rng = random.Random(seed)
    said = []
    for number in range(count):
        words = " ".join(rng.choice(["load", "check", "store", "row", "value", "return", "self", "index"]) for _ in range(100))
        role, voice = (Role.USER, Voice.PERSON) if number % 2 == 0 else (Role.ASSISTANT, Voice.AGENT)
        said.append(_message(f"p{seed}-{number}", "", role, Part(PartKind.TEXT, voice, words)))
    return said


def _turn(rng: random.Random, number: str) -> list[Message]:
    words = {"part": rng.choice(PARTS), "n": rng.randrange(10, 9000)}
    body = " ".join(rng.choice(["load", "check", "store", "row", "value", "return", "self", "index"]) for _ in range(60))
    made = [_message(number, "a", Role.USER, Part(PartKind.TEXT, Voice.PERSON, rng.choice(REQUESTS).format(**words)))]
    for step in range((MESSAGES_PER_TURN - 2) // 2):
        name, arguments, result = _call(rng, str(words["part"]), body)
        call_id = f"{number}-{step}"
        call = Part(PartKind.TOOL_CALL, Voice.AGENT, name=name, call_id=call_id, input=arguments)
        made.append(_message(number, f"b{step}", Role.ASSISTANT, call))
        made.append(_message(number, f"c{step}", Role.USER, Part(PartKind.TOOL_RESULT, Voice.TOOL, result, call_id=call_id)))
    report = rng.choice(REPORTS).format(**words) + " " + body
    return [*made, _message(number, "d", Role.ASSISTANT, Part(PartKind.TEXT, Voice.AGENT, report))]


def _call(rng: random.Random, part: str, body: str) -> tuple[str, dict[str, Any], str]:
    """A tool's name, its arguments, and what it gave back."""
    path = f"src/{part.replace(' ', '_')}_{rng.randrange(40)}.py"
    listing = "\n".join(f"{line:5d}  value_{rng.randrange(1_000_000)} = compute({rng.randrange(1_000_000)})" for line in range(120))
    match rng.randrange(3):
        case 0:
            return "Edit", {"file_path": path, "old_string": body[:120], "new_string": body}, f"The file {path} has been updated."
        case 1:
            return "Read", {"file_path": path}, listing
        case _:
            return "Bash", {"command": f"pytest tests/{part.split()[0]}"}, f"{listing}\n{rng.randrange(90)} passed in 1.20s"


def _message(number: str, letter: str, role: Role, part: Part) -> Message:
    return Message(role=role, parts=(part,), external_id=f"{number}{letter}", cwd="/srv/app", branch="main")


def write_claude_code(path: Path, *, seed: int, size: int) -> int:
    """Writes a Claude Code file of at least `size` bytes. Returns the number of its records."""
    rng = random.Random(seed)
    session = str(UUID(int=rng.getrandbits(128), version=4))
    parent, written, records = None, 0, 0
    with path.open("w", encoding="utf-8") as file:
        while written < size:
            for message in _turn(random.Random(f"{seed}:{records}"), f"{seed}-{records}"):
                uuid = str(UUID(int=rng.getrandbits(128), version=4))
                line = json.dumps(_record(message, uuid, parent, session)) + "\n"
                parent, records = uuid, records + 1
                written += file.write(line)
    return records


def _record(message: Message, uuid: str, parent: str | None, session: str) -> dict[str, Any]:
    part = message.parts[0]
    content: Any = [{"type": "text", "text": part.text}]
    if part.kind is PartKind.TOOL_CALL:
        content = [{"type": "tool_use", "id": part.call_id, "name": part.name, "input": dict(part.input)}]
    elif part.kind is PartKind.TOOL_RESULT:
        content = [{"type": "tool_result", "tool_use_id": part.call_id, "content": part.text}]
    kind = "assistant" if message.role is Role.ASSISTANT else "user"
    return {
        "type": kind,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": session,
        "isSidechain": False,
        "timestamp": "2026-01-05T10:00:00.000Z",
        "cwd": message.cwd,
        "gitBranch": message.branch,
        "message": {"role": kind, "content": content},
    }
