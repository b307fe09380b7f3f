"""A story handed on from session to session without a database: each folds on from the last one's state."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from continuity.knowledge import InMemoryStore, fold
from continuity.knowledge.inheritance import inherited
from continuity.knowledge.model import AnchorState, Knowledge, TaskStatus
from continuity.knowledge.state.state import FoldState
from continuity.usage.tokens import counter_for, message_tokens
from handoffs.building.preparation import prepare
from handoffs.contract.model import Options, Prepared
from tests.chains.stories import Story

COUNTER = counter_for("")
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def tokens_of(story: Story) -> int:
    """The whole transcript's tokens, as a budget counts them."""
    return sum(message_tokens(message, COUNTER) for message in story.messages)


def passed_on(story: Story) -> Knowledge:
    """What the last session knows at its end; rows go along as the services copy them."""
    memory, state = InMemoryStore(), FoldState()
    for number, hop in enumerate(story.hops):
        if number:
            memory, state = _heir(memory, state.through_seq), inherited(FoldState.from_json(state.to_json()))
        folded = fold(state, enumerate(hop, 1))
        memory.apply(folded.changes)
        state = folded.state
    return memory.knowledge(state, tokens=tokens_of(story))


def handed_off(knowledge: Knowledge, budget: int) -> Prepared:
    return prepare(knowledge, Options(budget=budget), counter=COUNTER, now=NOW, handoff_id="h", conversation_id="c")


def _heir(memory: InMemoryStore, back: int) -> InMemoryStore:
    """Current anchors, open tasks and changed files, with their places before the heir's beginning."""
    heir = InMemoryStore()
    for key, anchor in memory.anchors.items():
        if anchor.state is AnchorState.CURRENT:
            heir.anchors[key] = replace(anchor, ref=replace(anchor.ref, seq=anchor.ref.seq - back))
    for key, task in memory.tasks.items():
        if task.status is not TaskStatus.COMPLETED:
            heir.tasks[key] = replace(task, seq=0, last_seq=0)
    return heir
