"""Steps of the work for a request as lines: the agent's words, the files changed with them, and how a check ended."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise

from continuity.knowledge.directive_parser.grammar import BETWEEN_STEPS, MET, OUTCOMES
from continuity.knowledge.extractors.shell.paths import is_scratch
from continuity.knowledge.extractors.tools.commands import without_filters
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.numbered_items import items_told
from continuity.knowledge.language.reply_structure import gives_reason
from continuity.knowledge.model import Knowledge, Quote, Ref, Request, RequestStep
from continuity.knowledge.requests.gist import only_announces, without_announcement, without_announcements, without_last_announcement
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.steps import STEPS as STEPS_KEPT
from continuity.knowledge.requests.steps import failed, kept
from continuity.knowledge.requests.whole_sentences import sentences_of
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.message_lines import detail_line, message_line
from handoffs.directive.lines.quoting import as_data
from handoffs.directive.lines.wording import CODE, clip_said, file_names, normalise, one_line

LABEL = "steps"
FILLS = 0.01  # what a line is worth that only fills a budget
WORDS = 40
LEARNED = 60  # characters of a step's words that tell something
LINE = 260  # characters of a step's words
FILES_NAMED = 4
SAYS = 3  # words of content of a step of which nothing came
CAME = " → "  # between the words of a step and what came of it
# What the check that stands behind it says anyway.
PASSES = re.compile(
    r"(?:(?:great|good|perfect|excellent|now|ok(?:ay)?)[,!. ]+)?(?:all |the |both |these )*(?:\d[\d,.]* )?"
    r"(?:of them |new |unit |integration )*(?:tests?|checks?|lint(?:er|ing)?|build|types?|it|everything|ci)\b[^.:;]{0,24}?"
    r"\b(?:pass(?:es|ed|ing)?|clean|green|succeed(?:s|ed)?)(?: (?:now|again))?[.:!]*$",
    re.I,
)


_NODS = re.compile(
    r"^(?:(?:good|great|perfect|excellent|nice|ok(?:ay)?|right|alright|yes)(?: (?:point|question|catch|pattern|news|idea))?"
    r"(?:[,.!:]+| [-–—])(?:\s+|$))+",
    re.I,
)
_SEES = re.compile(r"(?:now )?i (?:can )?(?:see|understand|have|get)(?: \w+){0,3}[.!:]*|here(?:'s| is) (?:my|the) [\w ]{0,40}[.!:]*", re.I)
# What the agent thinks of an editor's messages, which it did not check: the next run tells.
_DOUBTS = re.compile(
    r"(?:(?:wait|hm+|oh|but|so|ok(?:ay)?|actually)[,. –—-]+)*(?:the|that|this|those|these) (?:\w+ )?diagnostics?\b[^.]{0,40}?"
    r"\b(?:stale|wrong|misleading|outdated|old|about|false|just|not (?:real|right|correct|an? (?:issue|problem))"
    r"|from (?:the|before|an?))\b",
    re.I,
)
# How words begin that say what to do: their reason is that of the change alone.
_ORDERS = re.compile(
    r"(?:add|adjust|apply|also|change|check|convert|copy|create|delete|drop|extract|find|fix|implement|keep|let|look|make|mark|move|need|put"
    r"|read|refactor|register|remove|rename|replace|restore|revert|run|set|simplify|skip|slice|switch|test|try|update|use|verify|wire|wrap"
    r"|write)\b",
    re.I,
)
_ITEM = re.compile(r"(?:(?P<number>\d{1,2})[.)]|[-*+•]) +(?P<words>\S.*)")
ITEMS, SAME, TELLING = 2, 0.5, 20  # items of a list, the share of them that steps say, and characters from which one can be known again


def changes_began(rows: Sequence[Request]) -> int:
    """The message with which the first step of the work changed files; 0 where none did, or the first ones are not known any more."""
    steps = [step for row in rows for step in row.steps]
    return next((step.seq for step in steps if step.files), 0) if len(steps) < STEPS_KEPT else 0


def is_carried_out(told: Quote, changed: Sequence[RequestStep]) -> bool:
    """Whether a list says what the agent would do, and steps that changed files since say most of it again."""
    items = [normalise(match["words"]) for line in told.text.splitlines() if (match := _ITEM.match(line.strip()))]
    items = [words for words in items if len(words) >= TELLING]
    said = [normalise(step.said) for step in changed if step.seq > told.ref.seq]
    done = sum(any(words in each for each in said) for words in items)
    return len(items) >= ITEMS and done >= SAME * len(items)


def with_what_was_done(told: Quote, changed: Sequence[RequestStep]) -> str:
    """A numbered list with the files that were changed since for each of its items: where a step names one of them alone by its number, and
    what it says behind that is about the item. Another list may have the same numbers."""
    named: dict[int, list[tuple[str, RequestStep]]] = {}
    for step in changed:
        said = items_told(step.said) if step.seq > told.ref.seq else []
        if len(said) == 1 and len(said[0][0]) == 1:
            named.setdefault(min(said[0][0]), []).append((said[0][1], step))
    return "\n".join(_with_files(line, named) for line in told.text.split("\n")) if named else told.text


def _with_files(line: str, named: Mapping[int, Sequence[tuple[str, RequestStep]]]) -> str:
    item = _ITEM.match(line.strip())
    if item is None or not item["number"]:
        return line
    words = set(content(item["words"], WORDS))
    steps = [step for said, step in named.get(int(item["number"]), ()) if words & set(content(said, WORDS))]
    names = list(dict.fromkeys(path.rsplit("/", 1)[-1] for step in steps for path in step.files if not is_scratch(path)))
    return f"{line}{CAME}{', '.join(names[-FILES_NAMED:])}" if names else line


def steps_line(
    kind: SectionKind, steps: Sequence[RequestStep], room: int, worth: float, *, seq: int, among: Sequence[str] = ()
) -> list[Candidate]:
    """The steps in one block of about `room` characters, those that tell most; none where nothing tells more than files do. What came of
    a single one stands below it: in one line it would stand within the agent's words."""
    lines = _fitting(tuple(steps), room, among or [path for step in steps for path in step.files])
    if not lines:
        return []
    if len(lines) == 1:
        said, came, what = lines[0].partition(CAME)
        lines = [said, f"{came.lstrip()}{what}"] if "`" in what and OUTCOMES[False] in what else [said]
    line = message_line(kind, LABEL, Quote("\n".join(lines), Ref(steps[-1].seq)), worth, seq=seq)
    return [line._replace(words="\n".join((*lines, *(step.said for step in steps))))]  # also what was said with a nod is told


def _fitting(steps: tuple[RequestStep, ...], room: int, among: Sequence[str]) -> list[str]:
    """The lines of as many steps as fit."""
    telling = [
        step
        for before, step in pairwise((None, *steps))
        if step is not None
        and not MET.fullmatch(step.said)
        and (step.check or without_nods(step.said))  # its files alone are told anyway
        and (step.said or step.cause or (before is not None and failed(before) and step.check))
    ]
    for count in range(len(telling), 0, -1):
        lines = [words for words, _ in groupby(step_words(step, among) for step in kept(tuple(telling), count)) if words]
        if sum(len(line) + 5 for line in lines) <= room:
            return lines
    return []


def learned_candidates(knowledge: Knowledge) -> list[Candidate]:
    """What steps of earlier requests found out: those that say why, but for what mended an error, which is told with that."""
    working = {row.seq for row in in_work(knowledge.requests)}
    found = []
    for row in knowledge.requests:
        for before, step in pairwise((None, *row.steps)):
            if row.seq in working or step is None or not step.files or failed(step) or (before is not None and failed(before)):
                continue
            if len(without_announcements(step.said)) >= LEARNED and gives_reason(step.said) and not _ORDERS.match(step.said):
                line = detail_line(SectionKind.FACTS, "learned", as_data(step_words(step)), step.seq, FILLS)
                found.append(line._replace(words=step.said))
    return found


def nods(said: str) -> bool:
    """Whether words begin with a nod to what was just seen: by themselves they say little."""
    return _NODS.match(said) is not None


def without_nods(said: str) -> str:
    """What the agent said of a step without how it nods to what it saw ("Good, I see the pattern. Update the caller" is "Update the
    caller"), or doubts it."""
    plain = [_NODS.sub("", each) for each in sentences_of(said)]
    told = [
        without_announcement(each) for each in plain if each and not (_SEES.fullmatch(each) or _DOUBTS.match(each) or only_announces(each))
    ]
    return " ".join(each[:1].upper() + each[1:] for each in told)


def step_words(step: RequestStep, among: Sequence[str] = ()) -> str:
    """One step in a line, its files by names that tell them from others `among` which they were changed."""
    names = file_names([path for path in step.files if not is_scratch(path)], among)
    came = (
        [f"{', '.join(names[-FILES_NAMED:])}{f' and {len(names) - FILES_NAMED} more' if len(names) > FILES_NAMED else ''}"] if names else []
    )
    if step.check:
        check = CODE.sub(lambda found: f"`{without_filters(found[1])}`", step.check)
        came.append(f"{check}: {as_data(one_line(step.cause))}" if step.cause else check)
    # What it announced is what the files were changed for; without anything that came of it, it says nothing.
    words = step.said if step.files else without_last_announcement(step.said) if came else without_announcements(step.said)
    words = without_nods(words)
    if not came and len(content(words, SAYS)) < SAYS:
        return ""
    said = "" if step.check and PASSES.match(words.strip()) else clip_said(one_line(words), LINE)
    return CAME.join(words for words in (said, BETWEEN_STEPS.join(came)) if words)
