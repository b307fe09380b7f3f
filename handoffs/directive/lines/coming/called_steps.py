"""The steps of the command or skill that the person called, from the first that no call matched on."""

from __future__ import annotations

from collections.abc import Sequence

from continuity.knowledge.evidence import CalledInstructions, CalledStep
from continuity.knowledge.extractors.called_instructions import filled
from continuity.knowledge.language.clip import command_within
from continuity.knowledge.model import Knowledge, Quote, Ref
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.blocks import block
from handoffs.directive.lines.message_lines import by_itself, message_line

ROOM = 1500  # characters of all steps
COMMAND, SAID = 220, 500
WORTH = 0.968
BEGUN = " (begun)"
TRIED, TRIED_SHOWN = 0.85, 2


def called_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """One block, with shorter forms of it for where it finds no room; nothing beside the agent's own note, which says what it would do."""
    called = _called(knowledge)
    if called is None or not limits.earlier or knowledge.note is not None:
        return []
    steps = steps_left(knowledge)
    room = min(ROOM, limits.block)
    if not steps:
        told = "" if called.steps else called.said[: 2 * SAID]
        return [_line(called, told, ())] if told else []
    forms = [_told(steps, called, detailed) for detailed in range(len(steps), -1, -1)]
    fitting = [form for form in forms if len(form) <= room] or forms[-1:]
    return [_line(called, fitting[0], tuple(dict.fromkeys((fitting[len(fitting) // 2], fitting[-1]))))]


def never_tried(knowledge: Knowledge) -> list[Candidate]:
    """What a long request asks to be tried in the end, beside the checks, and that no call did."""
    asked, rows = knowledge.situation.to_try, in_work(knowledge.requests)
    if asked is None or knowledge.note is not None or all(row.seq != asked.seq for row in knowledge.requests):
        return []
    kind = SectionKind.NEXT if any(row.seq == asked.seq for row in rows) else SectionKind.RECENT
    lines = [(message_line(kind, "asked for", Quote(step.title, Ref(asked.seq)), TRIED), step.title) for step in asked.steps]
    return [by_itself(*each) for each in lines[:TRIED_SHOWN]]


def steps_left(knowledge: Knowledge) -> Sequence[CalledStep]:
    """The steps from the last one that a call matched, where that says more than its command, or from the one behind it on."""
    called = _called(knowledge)
    if called is None:
        return ()
    begun = called.begun
    again = begun and called.steps[begun - 1].lines
    return called.steps[begun - 1 if again else begun :]


def _called(knowledge: Knowledge) -> CalledInstructions | None:
    """The instructions of the request in work, while it is the agent's move."""
    called, rows = knowledge.situation.called, in_work(knowledge.requests)
    if called is None or not rows or called.seq < rows[0].seq or knowledge.situation.waiting is not False:
        return None
    return called


def _line(called: CalledInstructions, text: str, shorter: tuple[str, ...]) -> Candidate:
    line = message_line(SectionKind.NEXT, "instructed", Quote(text, Ref(called.seq)), WORTH)
    return line._replace(shorter=tuple(block(each) for each in shorter if block(each) != line.item.text))


def _told(steps: Sequence[CalledStep], called: CalledInstructions, detailed: int) -> str:
    """The steps, the first ones with what they say; the others by what they are called and their command."""
    lines = [_step(step, called, whole=place < detailed) for place, step in enumerate(steps)]
    return "\n".join((*lines, *(called.binding if detailed else ())))


def _step(step: CalledStep, called: CalledInstructions, *, whole: bool) -> str:
    said = "; ".join(line.rstrip(" .;") for line in step.lines) if whole else ""
    said = said.replace(":; ", ": ").removesuffix(":")
    commands = [f"`{command_within(filled(command, called.values), COMMAND)}`" for command in step.commands[: None if whole else 1]]
    about = "; ".join(filter(None, (filled(said, called.values), *commands)))
    begun = called.begun and step is called.steps[called.begun - 1] and not step.title.endswith(BEGUN)
    return f"{step.number}. {filled(step.title, called.values)}{BEGUN if begun else ''}{f': {about}' if about else ''}"
