"""What the fold gives for fixed sessions, as digests: `python -m tests.knowledge.digests` records them for this version of the rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from continuity.knowledge import FoldState, fold
from continuity.knowledge.rules.catalogue import Setting, families
from continuity.knowledge.state.codec import encode
from continuity.knowledge.versions import RULES_VERSION
from continuity.transcripts import open_transcript
from continuity.transcripts.base.model import Abandoned, Message
from diagnostics.bench import material
from tests.knowledge import talk
from tests.knowledge.test_fold import ANSWERS, DEEDS, WORDS

RECORDED = Path(__file__).with_name("digests.json")
COMMAND = "python -m tests.knowledge.digests"
DEMO = Path(__file__).parents[2] / "continuity" / "demo" / "session.jsonl"


def _demo() -> Iterable[Message]:
    return (entry for entry in open_transcript(DEMO) if not isinstance(entry, Abandoned))


def _talk() -> Iterable[Message]:
    """Every word, answer and deed of the tests, in turn."""
    for number in range(3 * len(DEEDS)):
        yield talk.person(WORDS[number % len(WORDS)])
        yield talk.agent(ANSWERS[number % len(ANSWERS)])
        yield DEEDS[number % len(DEEDS)]


def _examples() -> Iterable[Message]:
    """Every sentence that a rule is known by, and every one that looks like it."""
    for family in families():
        for entry in family.entries:
            for text in (*entry.matches, *entry.ignores):
                yield talk.person(text) if Setting.PERSON in entry.rule.settings else talk.agent(text)
        for speaker, texts in family.ignores.items():
            yield from (talk.person(text) if speaker == "user" else talk.agent(text) for text in texts)


SESSIONS: dict[str, Callable[[], Iterable[Message]]] = {
    "demo": _demo,
    "examples": _examples,
    "material": lambda: material.messages(3, 700),
    "talk": _talk,
}


def digests() -> dict[str, dict[str, str]]:
    """For each session the digest of its messages as they were read, and of what the fold gives for them."""
    found = {}
    for name, session in SESSIONS.items():
        messages = list(enumerate(session(), 1))
        folded = fold(FoldState(), messages)
        state = {key: value for key, value in folded.state.to_json().items() if key != "rules_version"}
        changes = [[type(change).__name__, encode(change)] for change in folded.changes]
        found[name] = {"messages": _digest([asdict(message) for _, message in messages]), "fold": _digest([state, changes])}
    return found


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode("utf-8", "surrogatepass")).hexdigest()


def record() -> None:
    RECORDED.write_text(json.dumps({"rules_version": RULES_VERSION, "sessions": digests()}, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    record()
