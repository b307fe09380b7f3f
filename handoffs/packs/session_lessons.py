"""The lessons that the fold of an earlier session found for the next one in this repository: rules, landmines, what fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from continuity.core.stored_json import message_as_stored
from continuity.knowledge import FoldState, InMemoryStore, fold
from continuity.knowledge.anchor_types import LANDMINES
from continuity.knowledge.anchors.rules_in_force import is_rule_in_force
from continuity.knowledge.model import Anchor, AnchorState, AnchorType, FileTouch, Knowledge, Truth
from continuity.packs.lessons import Failing, Lesson
from continuity.repository.words import ALL_WORDS
from continuity.transcripts.base.model import Message
from handoffs.packs.earlier_work import own_path

BATCH = 200
MESSAGES = 1_500  # of one session that are folded, its latest
NEAR = 12  # messages between a lesson and an edit that it is about
FILES = 4
SHORTEST = 4  # words of a lesson: fewer say nothing to a stranger


def learned(
    id: str, messages: Sequence[tuple[int, Message]], known: Mapping[str, object]
) -> tuple[tuple[Lesson, ...], tuple[Failing, ...]]:
    """Lessons, the latest last, and the checks that failed last, of at most MESSAGES numbered messages of a session; paths as `known` has
    them."""
    state, memory = FoldState(), InMemoryStore()
    for at in range(0, len(messages), BATCH):
        folded = fold(state, ((seq, message_as_stored(message)) for seq, message in messages[at : at + BATCH]))
        state = folded.state
        memory.apply(folded.changes)
    knowledge = memory.knowledge(state)
    lessons = [
        Lesson(
            anchor.text,
            anchor.type in LANDMINES,
            id,
            anchor.ref.seq,
            _files(anchor, knowledge.files, known),
        )
        for anchor in knowledge.anchors
        if teaches(anchor)
    ]
    return tuple(sorted(lessons, key=lambda lesson: (lesson.seq, lesson.text))), failing_of(id, knowledge)


def teaches(anchor: Anchor) -> bool:
    """Whether it is a standing rule, and not a part of one request or a remark about one change; a correction of a person's; or an approach
    that failed."""
    said = anchor.truth is Truth.STATED or anchor.type is AnchorType.FAILED_APPROACH
    kind = is_rule_in_force(anchor) or anchor.type in LANDMINES
    return kind and said and anchor.state is AnchorState.CURRENT and len(ALL_WORDS.findall(anchor.text)) >= SHORTEST


def _files(anchor: Anchor, touched: Sequence[FileTouch], known: Mapping[str, object]) -> tuple[str, ...]:
    """Those that the words name, else those that were touched near them; the nearest first."""
    named, near = [], []
    for touch in touched:
        path = own_path(touch.path, known)
        if path is None:
            continue
        if path.rpartition("/")[2] in anchor.text:
            named.append(path)
        distance = min(abs(touch.seq - anchor.ref.seq), abs(touch.last_seq - anchor.ref.seq))
        if distance <= NEAR and touch.action.value != "read":
            near.append((distance, path))
    return tuple(dict.fromkeys(named or [path for _, path in sorted(near)]))[:FILES]


def failing_of(id: str, knowledge: Knowledge) -> tuple[Failing, ...]:
    return tuple(
        Failing(failure.test or failure.check, failure.cause or failure.got, f"{id}#m{failure.seq}")
        for failure in knowledge.situation.failures
        if not failure.stale
    )
