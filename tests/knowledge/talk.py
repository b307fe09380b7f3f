"""Conversations in a few words, and what distilling makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from continuity.knowledge import FoldState, InMemoryStore, fold
from continuity.knowledge.model import Anchor, AnchorState, AnchorType, Change, Knowledge
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice

CWD = "/home/ada/shop"


def said(text: str, voice: Voice = Voice.PERSON, role: Role = Role.USER, **about: Any) -> Message:
    return Message(role, (Part(PartKind.TEXT, voice, text),), "", cwd=about.pop("cwd", CWD), **about)


def person(text: str, **about: Any) -> Message:
    return said(text, **about)


def agent(text: str, **about: Any) -> Message:
    return said(text, Voice.AGENT, Role.ASSISTANT, **about)


def harness(text: str, role: Role = Role.USER) -> Message:
    return said(text, Voice.HARNESS, role)


def call(name: str, call_id: str = "c1", cwd: str = CWD, agent: str = "", **arguments: Any) -> Message:
    part = Part(PartKind.TOOL_CALL, Voice.AGENT, name=name, call_id=call_id, input=arguments)
    return Message(Role.ASSISTANT, (part,), "", cwd=cwd, agent=agent)


def result(
    text: str = "",
    call_id: str = "c1",
    *,
    failed: bool | None = False,
    exit_code: int | None = None,
    data: Mapping[str, Any] | None = None,
    cwd: str = CWD,
    agent: str = "",
) -> Message:
    part = Part(PartKind.TOOL_RESULT, Voice.TOOL, text, call_id=call_id, failed=failed, exit_code=exit_code, data=data or {})
    return Message(Role.TOOL, (part,), "", cwd=cwd, agent=agent)


def ran(command: str, output: str = "", exit_code: int = 0, call_id: str = "c1", **about: Any) -> tuple[Message, Message]:
    """A shell command and its result."""
    return call("Bash", call_id, command=command, **about), result(output, call_id, failed=exit_code != 0, exit_code=exit_code, **about)


@dataclass(frozen=True)
class Distilled:
    changes: list[Change]
    state: FoldState
    memory: InMemoryStore
    knowledge: Knowledge

    def current(self, *types: AnchorType) -> list[Anchor]:
        """Current anchors in the order in which they were found."""
        return [a for a in self.memory.anchors.values() if a.state is AnchorState.CURRENT and (not types or a.type in types)]

    def texts(self, *types: AnchorType) -> list[str]:
        return [a.text for a in self.current(*types)]

    def paths(self) -> dict[str, str]:
        return {f.path: f.action.value for f in self.knowledge.files}


def distil(*messages: Message | tuple[Message, ...]) -> Distilled:
    """Fold messages, numbered from 1; tuples of messages are laid out flat."""
    flat = [m for item in messages for m in (item if isinstance(item, tuple) else (item,))]
    folded = fold(FoldState(), enumerate(flat, 1))
    memory = InMemoryStore()
    memory.apply(folded.changes)
    return Distilled(folded.changes, folded.state, memory, memory.knowledge(folded.state))
