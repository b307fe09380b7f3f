"""Handing a directive on: rendered, read back from a session that begins with it, rendered again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from continuity.knowledge import FoldState, InMemoryStore, fold
from continuity.knowledge.model import Knowledge
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from handoffs.contract.model import Style
from tests.packages.samples import prepared


def pasted(text: str, voice: Voice = Voice.PERSON, role: Role = Role.USER) -> Message:
    return Message(role, (Part(PartKind.TEXT, voice, text),), "")


def known(*messages: Message) -> Knowledge:
    """What a session of these messages knows."""
    folded = fold(FoldState(), enumerate(messages, 1))
    memory = InMemoryStore()
    memory.apply(folded.changes)
    return memory.knowledge(folded.state)


def rendered(knowledge: Knowledge, budget: int, style: Style) -> str:
    return prepared(knowledge, budget=budget, style=style).text


def hops(knowledge: Knowledge, budget: int, style: Style, count: int) -> list[str]:
    """The directive of the knowledge, and those of `count` sessions that each begin with the one before."""
    texts = [rendered(knowledge, budget, style)]
    for _ in range(count):
        texts.append(rendered(known(pasted(texts[-1])), budget, style))
    return texts


def told(knowledge: Knowledge) -> dict[str, Any]:
    """What a session knows, without the places where it stands and the importance that follows from the kind."""
    now = knowledge.situation
    # an alternative that the words name is found in them again
    anchors = [replace(a, rejected="" if a.rejected in a.text else a.rejected) for a in knowledge.anchors]
    return {
        "anchors": sorted((a.type, a.text, a.truth, a.critical, a.rationale, a.rejected) for a in anchors),
        "superseded": sorted(a.text for a in knowledge.superseded),
        "tasks": sorted((t.description, t.status, t.steps_done, t.steps_left, t.blocking_reason) for t in knowledge.tasks),
        "files": sorted((f.path, f.action.value, f.note) for f in knowledge.files),
        "requests": [(row.text.text, row.outcome and row.outcome.text) for row in knowledge.requests],
        "quotes": [q and q.text for q in (now.next_step, now.waiting_for)],
        "place": (now.cwd, now.branch, now.waiting, now.running, sorted(c.text for c in now.commits)),
        "check": now.verification
        and (now.verification.command, now.verification.passed, now.verification.exit_code, now.verification.result),
        "commands": sorted((c.command, c.passed, c.exit_code) for c in now.recent_commands),
    }
