"""Steps of the work for a request as lines: the agent's words, the files changed with them, and how a check ended."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.directive_parser.grammar import BETWEEN_STEPS
from continuity.knowledge.extractors.shell.paths import is_scratch
from continuity.knowledge.extractors.tools.commands import without_filters
from continuity.knowledge.language.content_words import content
from continuity.knowledge.model import Quote, Ref, RequestStep
from continuity.knowledge.requests.gist import without_announcements, without_last_announcement
from continuity.knowledge.requests.steps import kept
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.message_lines import message_line
from handoffs.directive.lines.quoting import as_data
from handoffs.directive.lines.wording import CODE, clip, one_line

LABEL = "steps"
LINE = 260  # characters of a step's words
FILES_NAMED = 4
SAYS = 3  # words of content of a step of which nothing came
CAME = " → "  # between the words of a step and what came of it
# What the check that stands behind it says anyway.
_PASSES = re.compile(
    r"(?:(?:great|good|perfect|excellent|now|ok(?:ay)?)[,!. ]+)?(?:all |the |both |these )*(?:new |unit |integration )*"
    r"(?:tests?|checks?|lint(?:er|ing)?|build|types?|it|everything|ci)\b[^.:;]{0,24}?\b(?:pass(?:es|ed|ing)?|clean|green|succeed(?:s|ed)?)"
    r"(?: (?:now|again))?[.:!]*$",
    re.I,
)


def steps_line(kind: SectionKind, steps: Sequence[RequestStep], room: int, worth: float, *, seq: int) -> list[Candidate]:
    """The steps in one block of about `room` characters, those that tell most; none where nothing tells more than files do."""
    lines = _fitting(tuple(steps), room)
    if not lines:
        return []
    return [message_line(kind, LABEL, Quote("\n".join(lines), Ref(steps[-1].seq)), worth, seq=seq)]


def _fitting(steps: tuple[RequestStep, ...], room: int) -> list[str]:
    """The lines of as many steps as fit."""
    telling = [step for step in steps if step.said or step.cause]
    for count in range(len(telling), 0, -1):
        lines = [words for step in kept(tuple(telling), count) if (words := step_words(step))]
        if sum(len(line) + 5 for line in lines) <= room:
            return lines
    return []


def step_words(step: RequestStep) -> str:
    """One step in a line."""
    names = list(dict.fromkeys(path.rsplit("/", 1)[-1] for path in step.files if not is_scratch(path)))
    came = (
        [f"{', '.join(names[-FILES_NAMED:])}{f' and {len(names) - FILES_NAMED} more' if len(names) > FILES_NAMED else ''}"] if names else []
    )
    if step.check:
        check = CODE.sub(lambda found: f"`{without_filters(found[1])}`", step.check)
        came.append(f"{check}: {as_data(one_line(step.cause))}" if step.cause else check)
    # What it announced is what the files were changed for; without anything that came of it, it says nothing.
    words = step.said if step.files else without_last_announcement(step.said) if came else without_announcements(step.said)
    if not came and len(content(words, SAYS)) < SAYS:
        return ""
    said = "" if step.check and _PASSES.match(words.strip()) else clip(one_line(words), LINE)
    return CAME.join(words for words in (said, BETWEEN_STEPS.join(came)) if words)
