"""What a person chose in a form that the agent showed: the question, the options with what they mean, and which were taken. No database."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from continuity.knowledge.extractors.tools import answers, tool_names
from continuity.transcripts.base.model import PartKind

BEFORE = 40  # messages before an answer in which its question is looked for


@dataclass(frozen=True, slots=True)
class ShownOption:
    label: str
    meaning: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ShownChoice:
    asked_seq: int
    question: str
    options: Sequence[ShownOption]

    @property
    def in_own_words(self) -> bool:
        return not any(option.chosen for option in self.options)


def choice_in(messages: Collection[tuple[int, Sequence[Mapping[str, Any]]]], *, question: str, answer: str) -> ShownChoice | None:
    """The latest form in the messages, as number and parts, that asks the question; its words may be the beginning of it."""
    calls = ((seq, part) for seq, parts in sorted(messages, key=lambda each: -each[0]) for part in parts if _asks(part))
    for seq, call in calls:
        for text, options in answers.offered_in(call.get("input") or {}):
            if options and text.startswith(question.removesuffix("…").strip()):
                taken = {answer, *answer.split(", ")}
                return ShownChoice(seq, text, [ShownOption(label, meaning, label in taken) for label, meaning in options])
    return None


def _asks(part: Mapping[str, Any]) -> bool:
    return part.get("kind") == PartKind.TOOL_CALL and tool_names.plain_name(str(part.get("name", ""))) in tool_names.ASK
