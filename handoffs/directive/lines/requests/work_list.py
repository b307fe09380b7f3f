"""The list that the work goes by as a block: each point with what became of it, and for those that are open the code at their place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from continuity.knowledge.coverage.terms import is_name
from continuity.knowledge.evidence import CodeExcerpt
from continuity.knowledge.extractors.outcomes.marked_lines import ELIDED
from continuity.knowledge.extractors.outcomes.searches import CAME as FOUND
from continuity.knowledge.language.content_words import content
from continuity.knowledge.model import Knowledge, Quote, Ref
from continuity.knowledge.requests.gist import is_filler, without_announcements
from continuity.knowledge.requests.work_items import ItemState, WorkItem, WorkList, is_point, marks_named, work_list
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.blocks import block
from handoffs.directive.lines.checks import changed_files, runs
from handoffs.directive.lines.message_lines import message_line
from handoffs.directive.lines.quoting import as_name, within_quotes
from handoffs.directive.lines.request_steps import LABEL as STEPS
from handoffs.directive.lines.wording import and_more, clip_said, one_line

LABEL = "items"
WORTH = 0.97
OPEN_WORDS, DONE_WORDS = 420, 200  # characters of a point
ROOM, WITH_CODE = 0.75, 1.6  # of a block that a list takes, and one with the code at the places of its points
FILES = 4
PARTS, ALIKE = 2, 0.6  # words within a name that was sought, and the share of them in a point, for it to be about that
MOSTLY = 0.6  # of a report, the share that points tell, from which it says no more
SAYS = 3  # words of content of what else a message says
HOW = 100  # characters of what a change was called
FAILED = "failed"
INDENT = "   "
UNCHECKED = ", and nothing was checked since"
NO_RESULT = " (no result was seen)"
NOW = "in {}, as it was read:"
_COUNTED = {ItemState.LEFT: "without a change"}
_LOUD = frozenset((ItemState.OPEN, ItemState.BEGUN))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SOUGHT = re.compile(r"[A-Za-z_][\w.]{3,}")
_REPORTED = frozenset(("told", "told before", "last words"))


def with_work_list(candidates: Sequence[Candidate], knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """The candidates with the list that the work goes by; what it tells is not told again."""
    found = work_list(knowledge) if limits.earlier else None
    note = knowledge.note
    if found is None or (note is not None and found.seq <= note.through_seq):
        return list(candidates)
    shown = {f"{each.path}:{each.name}": each for item in found.items for each in _places(item, found, knowledge)}
    sought = {each.ref.seq for item in found.items for each in _searches(item, found, knowledge)}
    line = _line(found, knowledge, limits)
    kept = (_kept(each, found, shown, sought) for each in candidates)
    return [line, *(each for each in kept if each is not None)]


def _kept(candidate: Candidate, found: WorkList, shown: dict[str, CodeExcerpt], sought: set[int]) -> Candidate | None:
    """A candidate without what the list tells; None where nothing of it is left."""
    item = candidate.item
    if item.label == "excerpt" and any(each.seq == item.seq and item.text.endswith(block(each.body)) for each in shown.values()):
        return None
    if item.label == "searched" and item.seq in sought:
        return None
    if found.of_person and item.label == "step":
        title = item.text.removeprefix(f"{item.text.partition(': ')[0]}: ") if item.text[:1].isdigit() else item.text
        return None if any(_is_headed(title, each.mark) for each in found.items) else candidate
    if item.label == STEPS and candidate.kind is SectionKind.LAST:
        return _without_points(candidate, {each.mark for each in found.items if each.state is ItemState.DONE})
    if found.of_person and item.label in _REPORTED:
        told = [each.words for each in found.items if each.words and each.words in item.text]
        return None if len(told) > 1 and sum(map(len, told)) >= MOSTLY * len(item.text) else candidate
    if not found.of_person and item.label in _REPORTED and item.seq == found.seq:
        rest = [each for each in item.text.split("\n") if each.strip() and not is_point(each) and each[:1] not in (" ", "\t")]
        words = without_announcements("\n".join(each for each in rest if not is_filler(each) and not each.rstrip(" *_").endswith(":")))
        if len(content(words, SAYS)) < SAYS:
            return None
        return candidate._replace(item=item._replace(text=block(words)), shorter=(), fuller=())
    return candidate


def _without_points(candidate: Candidate, done: set[str]) -> Candidate | None:
    """The steps of the work without those that a point tells: what was changed for it."""

    def kept(text: str) -> str:
        lines = text.split("\n")
        return "\n".join(line for line in lines if not (marks := marks_named(line)) or not marks <= done or FAILED in line)

    left = kept(candidate.item.text)
    if not left.strip():
        return None
    fewer = tuple(dict.fromkeys(kept(each) for each in candidate.shorter))
    return candidate._replace(item=candidate.item._replace(text=left), shorter=tuple(each for each in fewer if each and each != left))


def _is_headed(title: str, mark: str) -> bool:
    """Whether the title of a part of the work begins with the id of a point."""
    return re.match(rf"{re.escape(mark)}(?![\w-])", title) is not None or mark in title.partition(":")[0].split("/")


def _line(found: WorkList, knowledge: Knowledge, limits: LineLimits) -> Candidate:
    room = int(limits.block * ROOM)
    whole = _told(found, knowledge, code=True)
    forms = [whole, _told(found, knowledge, code=False), _told(found, knowledge, code=False, words=0.5)]
    rooms = (int(limits.block * WITH_CODE), room, room)
    fitting = [form for form, room in zip(forms, rooms, strict=True) if len(form) <= room] or forms[-1:]
    line = message_line(SectionKind.TASKS, LABEL, Quote(fitting[0], Ref(found.seq)), WORTH)
    shorter = tuple(block(form) for form in (*fitting[1:], _briefly(found)))
    line = line._replace(words="\n".join((line.item.text, found.text)))  # its points without their states are told, too
    line = line._replace(shorter=tuple(dict.fromkeys(each for each in shorter if len(each) < len(line.item.text))))
    fuller = block(_told(found, knowledge, code=True, wanted=True))
    return line._replace(fuller=(line.item._replace(text=fuller),)) if fuller != line.item.text == block(whole) else line


def _told(found: WorkList, knowledge: Knowledge, *, code: bool, words: float = 1.0, wanted: bool = False) -> str:
    lines = [_count(found, knowledge)]
    for item in found.items:
        more = f"; wanted: “{within_quotes(clip_said(one_line(item.wanted), DONE_WORDS))}”" if wanted and item.wanted else ""
        lines.append(f"{_row(item, words)}{more}")
        if code and item.state in _LOUD:
            lines += _evidence(item, found, knowledge)
    return "\n".join(lines)


def _briefly(found: WorkList) -> str:
    """How many points there are of each state, by their numbers."""
    marks = {state: [item.mark for item in found.items if item.state is state] for state in ItemState if state.value}
    return "; ".join(f"{state.value}: {', '.join(of)}" for state, of in marks.items() if of)


def _count(found: WorkList, knowledge: Knowledge) -> str:
    """How many of the points are done, and whether anything was checked since."""
    of = {state: sum(1 for item in found.items if item.state is state) for state in ItemState}
    told = [f"{of[ItemState.DONE]} of {len(found.items)} done"]
    told += [
        f"{of[state]} {_COUNTED.get(state, state.value)}"
        for state in ItemState
        if state.value and state is not ItemState.DONE and of[state]
    ]
    last = max((item.last_seq for item in found.items if item.state is ItemState.DONE), default=0)
    checked = max((run.seq for run in runs(knowledge.situation) if run.passed is not None), default=0)
    return f"{', '.join(told)}{UNCHECKED if last > checked and of[ItemState.DONE] else ''}"


def _row(item: WorkItem, share: float) -> str:
    """A point in a line: its number, its state, its words, and the files that were changed for it."""
    room = int((OPEN_WORDS if item.state in _LOUD else DONE_WORDS) * share)
    mark = f"{item.mark}." if item.mark.isdigit() else item.mark
    state = item.state.value.upper() if item.state in _LOUD else "" if item.state is ItemState.BEFORE else item.state.value  # as it says
    told = f"{' '.join(filter(None, (mark, state)))}{': ' if item.words and state else ' '}{clip_said(one_line(item.words), room)}".rstrip()
    told += f" — “{clip_said(one_line(item.verdict), DONE_WORDS)}”" if item.verdict else ""
    names = list(dict.fromkeys(as_name(path.rsplit("/", 1)[-1]) for path in item.files))
    unsure = [as_name(path.rsplit("/", 1)[-1]) for path in item.unwritten]
    how = f"{clip_said(one_line(item.how), HOW)}: " if item.how and names else ""
    if names:
        return f"{told} → {how}{', '.join(names[:FILES])}{and_more(names, FILES)}"
    return f"{told} → {', '.join(unsure)}{NO_RESULT}" if unsure else told


def _evidence(item: WorkItem, found: WorkList, knowledge: Knowledge) -> Iterator[str]:
    """The code at the place of a point, and what a search for it found."""
    for each in _places(item, found, knowledge):
        place = f"{as_name(each.path.rsplit('/', 1)[-1])}{f':{each.line}' if each.line else ''}"
        yield f"{INDENT}{NOW.format(place)}"
        yield from (f"{INDENT}{line}".rstrip() for line in each.body.split("\n"))
    for quote in _searches(item, found, knowledge):
        yield f"{INDENT}found: {one_line(quote.text)}"


def _places(item: WorkItem, found: WorkList, knowledge: Knowledge) -> list[CodeExcerpt]:
    """What was read of the definition that a point that is open names, the newest; that of another where the point names it alone."""
    if item.state not in _LOUD:
        return []
    since = {file.path: file.last_seq for file in changed_files(knowledge)}
    others = {name for each in found.items if each is not item for name in each.names}
    excerpts = [
        each
        for each in knowledge.situation.excerpts
        if each.name in item.names
        and each.name not in others
        and not (each.body.endswith(ELIDED) and since.get(each.path, 0) > each.seq)
        and is_name(each.name)
    ]
    excerpts.sort(key=lambda each: (each.path.rsplit("/", 1)[-1] in item.words, each.seq))
    return excerpts[-1:]


def _searches(item: WorkItem, found: WorkList, knowledge: Knowledge) -> list[Quote]:
    """The last search, made since the list was, for a name whose words are those of an open point."""
    if item.state not in _LOUD:
        return []
    own = _alike(item)
    hits = []
    for quote in knowledge.situation.searched:
        match = _SOUGHT.search(quote.text.partition(FOUND)[0])
        parts = {part.lower() for part in _WORD.findall(match[0])} if match else set()
        most = max((len(parts & _alike(each)) for each in found.items if each is not item), default=0)
        shared = len(parts & own)
        if quote.ref.seq > found.seq and shared >= PARTS and shared >= ALIKE * len(parts) and shared > most:
            hits.append(quote)
    return hits[-1:]


def _alike(item: WorkItem) -> set[str]:
    return {part.lower() for part in _WORD.findall(item.words)}
