"""The points of a list that the work goes by, and what became of each: the agent's findings or plan, or what the person named by ids.

A point is bound to what was done by its number, its id, or a name that no other point has. Where nothing binds, nothing is said of any.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from continuity.knowledge.coverage.terms import is_name, terms_in
from continuity.knowledge.evidence import PartState, WorkPart
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.numbered_items import items_named, items_told
from continuity.knowledge.model import Knowledge, Quote, Request
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.overtaken import REPLACED, SETTLED
from continuity.knowledge.requests.whole_sentences import sentences_of

LEAST, IDS = 2, 3  # points of a list that is worked by, and ids of one that the person names
MOST = 30
TOGETHER = 2  # points that one change is for
SHORT = 2000  # characters of a message
CALLED = 100  # characters of what a change is called
TOLD = 0.7  # of the words for a change, those that the point has, which say nothing more
NAME = 5  # letters of a name that tells one point from the others
WORDS = 400  # characters of a point
ID = r"(?!UTF|SHA|MD|V\d|PR-?\d)[A-Z]{1,6}-?\d{1,4}"

_POINT = re.compile(
    r"(?:#{1,4} +)?(?P<bold>\*\*)?(?:\| *)?(?P<kind>(?:fix|issue|finding|problem|bug|comment|item|befund|fehler) #?)?(?P<number>\d{1,2})"
    r"(?P<end>(?:\*\*)?(?(kind)[.):]|[.)])(?:\*\*)? +|(?<=\d) *\| *)(?P<words>\S.*)",
    re.IGNORECASE,
)
_LIST = re.compile(rf"\b{ID}(?:(?:, ?| ?/ ?|,? (?:and|und|&) ){ID}){{{IDS - 1},}}\b")
_ID = re.compile(rf"\b{ID}\b")
_SAYS = r"(?:^|[:;,] |\*\* ){id}(?P<rest>(?: \([^)]*\))?\W{{0,3}}[-–—:] .+)"
_HEADS = re.compile(rf"\W*(?P<ids>{ID}(?:(?:, ?| ?/ ?| ?& ?){ID})*)(?P<rest>(?: \([^)]*\))?\W*[-–—:].*)")
_CODE = re.compile(r"`([^`\n]{2,80})`")
# Words by which the agent says of a point that it changes nothing for it, now or at all: where a sentence or a clause begins with them.
_BEGINS = r"(?:^|[.;:!] |[-–—(] ?)\W{0,3}"
_LATER = re.compile(
    rf"{_BEGINS}(?:postponed?|deferred|defer (?:it|this|to)|out of scope|later\b|future)"
    r"|\b(?:create|add|added|file|filed|as) (?:it )?(?:as )?(?:an? )?(?:\w+ )?(?:todo|issue|ticket|follow[- ]?up)\b",
    re.I,
)
_NEVER = re.compile(
    rf"{_BEGINS}(?:no (?:change|fix|action)s?\b|not (?:an issue|needed|necessary|a (?:bug|problem)|valid|applicable)\b|invalid(?=[.,;:]|$)"
    r"|false positive|won'?t (?:fix|change)|(?:skip|skipped|dismissed|acknowledged)\b|accept(?:ed)? as\b|leave (?:it )?as\b|by design\b)",
    re.I,
)
_ALREADY = re.compile(r"\balready (?:been )?(?:fixed|addressed|done|handled|implemented|resolved|in place|covered)\b", re.I)
_FIXES = re.compile(
    r"\b(?:i(?:'ll| will)|let me|let's|must|need to|needs to|should) (?:[\w ]{0,40}? )?"
    r"(?:add|fix|do|change|make|include|update|handle|address|implement|apply|resolve)\b",
    re.I,
)
# What announces that the points of a list are seen to, and what tells that they were.
_SEES_TO = re.compile(
    r"\b(?:i(?:'ll| will)|let me|let's|and) (?:now |also |then )?(?:fix|address|implement|apply|resolve|correct|handle)\b", re.I
)
_DID = re.compile(r"\b(?:done|i(?:'ve| have)|added|fixed|implemented|changed|updated|completed|addressed)\b", re.I)
_CHOSEN = re.compile(r"\((?P<numbers>\d{1,2}(?:, ?\d{1,2}| ?(?:and|&|-) ?\d{1,2}){0,9})\)")


class ItemState(StrEnum):
    DONE = "done"
    BEGUN = "begun"
    OPEN = "open"
    LEFT = "no change"  # the agent said so
    LATER = "postponed"
    BEFORE = "already done"
    UNKNOWN = ""


_WORKED = frozenset((ItemState.DONE, ItemState.BEGUN))


@dataclass(frozen=True, slots=True)
class WorkItem:
    """A point by its number or id: its words, the files that were changed for it, and the agent's verdict where it came later;
    `unwritten` are files whose change has no result, `wanted` what a task says of it, `how` what the agent called the change."""

    mark: str
    words: str
    state: ItemState = ItemState.OPEN
    files: tuple[str, ...] = ()
    verdict: str = ""
    last_seq: int = 0
    unwritten: tuple[str, ...] = ()
    wanted: str = ""
    how: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of code and files in its words."""
        coded = (each for found in _CODE.findall(self.words) for each in terms_in(found))
        return tuple(dict.fromkeys((*coded, *(term for term in terms_in(self.words) if is_name(term)))))


@dataclass(frozen=True, slots=True)
class WorkList:
    """A list with its points; `seq` is the message that holds it, `of_person` says whose it is."""

    seq: int
    items: tuple[WorkItem, ...]
    of_person: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class _Deed:
    """Words of the agent, and the files that it changed with them; those whose change has no result are `unsure`."""

    said: str
    seq: int
    files: tuple[str, ...] = ()
    unsure: bool = False


def work_list(knowledge: Knowledge) -> WorkList | None:
    """The list that the request in work goes by, the person's own before the agent's latest; None where nothing is known of its points."""
    rows = in_work(knowledge.requests)
    deeds = _deeds(rows, knowledge)
    for row in reversed(rows):
        found = _of_ids(row, knowledge, deeds)
        if found is not None:
            return found
    said = [row.outcome for row in rows[:-1] if row.outcome is not None]
    own = [row.text for row in rows if len(row.text.text) <= SHORT]  # of a document nobody knows which list is meant
    told = [quote for row in rows for quote in row.told] + said + own + _offered(rows, knowledge)
    for quote in sorted(told, key=lambda quote: -quote.ref.seq):
        items = _points(quote.text)
        found = _bound(items, quote, deeds) if _names_code(items) else None
        if found is not None:
            return found
    return None


def _offered(rows: Sequence[Request], knowledge: Knowledge) -> list[Quote]:
    """What the agent had said before the request, where that goes on from it."""
    before = [row for row in knowledge.requests if rows and row.seq < rows[0].seq]
    goes_on = bool(rows) and (rows[0].answers is not None or bool(items_named(rows[0].text.text)))
    return [before[-1].outcome] if before and goes_on and before[-1].outcome is not None else []


def _deeds(rows: Sequence[Request], knowledge: Knowledge) -> list[_Deed]:
    """What the agent did and said for the request, in its order, the last words with the changes that have no result."""
    found = [_Deed(step.said, step.seq, step.files) for row in rows for step in row.steps]
    known = {each.seq for each in found}
    found += [_Deed(quote.text, quote.ref.seq) for row in rows for quote in row.told if quote.ref.seq not in known]
    last = rows[-1].outcome if rows else None
    if last is not None:
        files = tuple(edit.path for edit in knowledge.situation.unwritten if edit.seq >= last.ref.seq)
        found.append(_Deed(last.text, last.ref.seq, files, unsure=True))
    return sorted(found, key=lambda each: each.seq)


def _points(text: str) -> list[WorkItem]:
    """The numbered points of the last such list in a text, with the lines below each."""
    found: list[list[str]] = []
    marks: list[int] = []
    for line in text.replace(REPLACED, "").replace(SETTLED, "").split("\n"):
        point = _POINT.match(line)
        if point:
            number = int(point["number"])
            if number != (marks[-1] + 1 if marks else 1):
                if number != 1:
                    return []  # no list, or one that is not whole
                found, marks = [], []
            marks.append(number)
            closed = "**" in point["end"] or not point["bold"]
            words = point["words"] if closed else f"**{point['words']}"
            cells = [cell.strip() for cell in words.strip().strip("|").split("|")] if point["end"].strip() == "|" else [words.strip()]
            found.append([" — ".join(filter(None, cells))])
        elif found and line.strip() and line[:1] in (" ", "\t"):
            found[-1].append(line.strip())
    items = [WorkItem(str(mark), " ".join(lines)[: WORDS * 2]) for mark, lines in zip(marks, found, strict=True)]
    return items[:MOST] if len(items) >= LEAST else []


def marks_named(words: str) -> frozenset[str]:
    """The points that the words of a step name: by their numbers, or by ids that they begin with."""
    return frozenset((*map(str, items_named(words)), *_ids_of(words.replace("**", ""))))


def is_point(line: str) -> bool:
    """Whether a line begins a point of a numbered list."""
    return _POINT.match(line) is not None


def _names_code(items: Sequence[WorkItem]) -> bool:
    """Whether at least two points name a file, something of the code, or an id."""
    return sum(1 for item in items if item.names) >= LEAST


def _bound(items: Sequence[WorkItem], quote: Quote, deeds: Sequence[_Deed]) -> WorkList | None:
    """The list with what became of its points; None where nothing tells."""
    later = [deed for deed in deeds if deed.seq > quote.ref.seq]
    known = {item.mark for item in items}
    own = _own_names(items)
    found: dict[str, list[_Deed]] = {}
    counted = False
    for deed in later:
        numbers = {str(number) for number in items_named(deed.said)}
        if numbers - known or not _agrees(items, deed.said):
            return None  # it is another list that is counted
        if len(numbers) > TOGETHER or (len(numbers) > 1 and numbers == known):
            continue  # it announces the whole work
        counted = counted or bool(numbers)
        for mark in numbers or ({own[name] for name in terms_in(deed.said) if name in own} if deed.files else ()):
            found.setdefault(mark, []).append(deed)
    chosen = _chosen(quote.text, known)
    judged = [_judged(item, chosen) for item in items]
    left = [item for item in judged if item.state is ItemState.OPEN]
    if not counted:  # a name alone says little
        beside = _beside(quote.text)
        if any(deed.files for deed in deeds) or not left or not _SEES_TO.search(beside) or _DID.search(beside):
            return None
        return WorkList(quote.ref.seq, tuple(judged), text=quote.text)  # it is to be worked through, and nothing was changed so far
    files = _after(later, found, only=left[0].mark if len(left) == 1 else "")
    loose = [deed for deed in later if deed.files and not deed.unsure and not any(deed.seq in of for of in files.values())]
    told = [_with_state(item, found.get(item.mark, []), files.get(item.mark, {}), later, loose) for item in judged]
    return WorkList(quote.ref.seq, tuple(told), text=quote.text) if any(item.state in _WORKED for item in told) else None


def _agrees(items: Sequence[WorkItem], said: str) -> bool:
    """Whether what words say of each point that they name by its number has more of this point's words than of another's."""
    for numbers, words in items_told(said):
        meant = set(content(words, WORDS))
        if len(numbers) > 1 or not meant:
            continue
        shared = {item.mark: len(meant & set(content(item.words, WORDS))) for item in items}
        most = max(shared.values())
        if not most or shared[str(next(iter(numbers)))] < most:
            return False
    return True


def _own_names(items: Sequence[WorkItem]) -> dict[str, str]:
    """The names of code by which one point is known from the others."""
    found: dict[str, set[str]] = {}
    for item in items:
        for name in {term for code in _CODE.findall(item.words) for term in terms_in(code)}:
            found.setdefault(name, set()).add(item.mark)
    return {name: next(iter(marks)) for name, marks in found.items() if len(marks) == 1 and len(name) >= NAME and is_name(name)}


def _after(later: Sequence[_Deed], found: dict[str, list[_Deed]], *, only: str) -> dict[str, dict[int, tuple[str, ...]]]:
    """The files changed for each point, by message: with the words that name it, and where these only announce it with the first change
    before others are named. Where it is the only one left, all changes are for it."""
    naming = {deed.seq: [mark for mark, deeds in found.items() if deed in deeds] for deed in later}
    files: dict[str, dict[int, tuple[str, ...]]] = {}
    announced: list[str] = []
    for deed in later:
        announced = naming[deed.seq] or announced
        if deed.files and not deed.unsure:
            for mark in announced or ([only] if only else []):
                files.setdefault(mark, {})[deed.seq] = deed.files
            announced = []
    return files


def _with_state(
    item: WorkItem, deeds: Sequence[_Deed], files: dict[int, tuple[str, ...]], later: Sequence[_Deed], loose: Sequence[_Deed]
) -> WorkItem:
    """A point is done where files were changed for it and the agent went on to something else, begun where it is what the agent does.
    Where other changes may be for it, nobody knows."""
    if files:
        changed = tuple(dict.fromkeys(path for of in files.values() for path in of))
        state = ItemState.DONE if later[-1].seq > max(files) else ItemState.BEGUN
        return replace(item, state=state, files=changed, last_seq=max(files), how=_how(item, deeds))
    if any(deed.unsure for deed in deeds):
        return replace(item, state=ItemState.BEGUN, last_seq=later[-1].seq, unwritten=later[-1].files)
    if item.state is ItemState.OPEN and any(_may_be_for(item, deed) for deed in loose):
        return replace(item, state=ItemState.UNKNOWN)
    return item


def _how(item: WorkItem, deeds: Sequence[_Deed]) -> str:
    """What the agent called the change for a point, where that says more than the point."""
    told = [words for deed in deeds for numbers, words in items_told(deed.said) if numbers == {int(item.mark)}]
    plain = (words.strip(" :*+—–-,").partition("**")[0].strip() for words in told)
    said = next(filter(None, plain), "")
    meant, known = content(said, WORDS), content(item.words, WORDS)
    return said if meant and len(said) <= CALLED and sum(word in known for word in meant) < TOLD * len(meant) else ""


def _may_be_for(item: WorkItem, deed: _Deed) -> bool:
    """Whether a change may be for a point: it names no file or one of the changed ones, or the words name what it names."""
    named = [name for name in item.names if "." in name]
    names = {path.rsplit("/", 1)[-1] for path in deed.files}
    return not named or any(name in names for name in named) or any(name in terms_in(deed.said) for name in item.names)


def _beside(text: str) -> str:
    """What a text says beside its points."""
    return "\n".join(line for line in text.split("\n") if not _POINT.match(line) and line[:1] not in (" ", "\t"))


def _chosen(text: str, known: set[str]) -> set[str]:
    """The points which the agent says it sees to: "Let me fix the actionable ones (1, 2, 3)"."""
    end = text.rstrip().rsplit("\n", 1)[-1]
    match = _CHOSEN.search(end) if _FIXES.search(end) and not _POINT.match(end) else None
    numbers = set(re.findall(r"\d+", match["numbers"])) if match else set()
    return numbers if numbers <= known and "-" not in (match["numbers"] if match else "") else set()


def _judged(item: WorkItem, chosen: set[str]) -> WorkItem:
    """A point with what the agent says of it in its own words, unless it names it among those that it sees to."""
    if item.mark in chosen or _FIXES.search(item.words):
        return item
    state = _verdict(item.words)
    return replace(item, state=ItemState.LEFT if chosen and state is ItemState.OPEN else state)


def _verdict(words: str) -> ItemState:
    """What the agent's words say is done about a point: nothing, nothing now, or nothing any more."""
    plain = _CODE.sub("", words)
    for state, pattern in ((ItemState.BEFORE, _ALREADY), (ItemState.LEFT, _NEVER), (ItemState.LATER, _LATER)):
        if pattern.search(plain):
            return state
    return ItemState.OPEN


def _of_ids(row: Request, knowledge: Knowledge, deeds: Sequence[_Deed]) -> WorkList | None:
    """The points that the person named by their ids, where most of them are known from tasks or what the agent said."""
    match = _LIST.search(row.text.text)
    ids = list(dict.fromkeys(_ID.findall(match[0]))) if match else []
    if not IDS <= len(ids) <= MOST:
        return None
    later = [deed for deed in deeds if deed.seq > row.seq]
    said = [sentence for deed in later for line in deed.said.split("\n") for sentence in sentences_of(line)]
    wanted = [sentence for part in knowledge.situation.parts for sentence in sentences_of(part.wanted)]
    items = [_by_id(each, row.seq, knowledge.situation.parts, later, (*wanted, *said)) for each in ids]
    known = [item for item in items if item.state is not ItemState.OPEN]
    return WorkList(row.seq, tuple(items), of_person=True) if len(known) * 2 > len(items) else None


def _by_id(id: str, seq: int, parts: Sequence[WorkPart], later: Sequence[_Deed], said: Sequence[str]) -> WorkItem:
    """A point from the part of the work that its id heads, and what the agent said and did about it."""
    part = next((each for each in reversed(parts) if each.seq >= seq and id in _ids_of(each.title)), None)
    alone = part is not None and len(_ids_of(part.title)) == 1
    named = [deed for deed in later if id in _ids_of(deed.said.replace("**", "").partition("\n")[0])]
    own = [deed for deed in named if deed.files and len(_ids_of(deed.said.replace("**", ""))) == 1]
    says = re.compile(_SAYS.format(id=re.escape(id)))
    verdict = "" if alone else next((match["rest"] for sentence in reversed(said) if (match := says.search(sentence))), "")
    verdict = verdict.lstrip(" *-–—:").strip()
    files = (*(part.files if part is not None and alone else ()), *(path for deed in own for path in deed.files))
    title = _rest(part.title) if part is not None and alone else verdict
    done = part is not None and part.state is PartState.DONE
    judged = verdict and not files
    state = _verdict(verdict) if judged else ItemState.OPEN
    if state is not ItemState.OPEN:
        pass
    elif done or own:
        state = ItemState.DONE
    elif part is not None and part.state is PartState.IN_PROGRESS:
        state = ItemState.BEGUN
    elif part is not None and part.state is PartState.DROPPED:
        state = ItemState.LEFT
    last = max((deed.seq for deed in own), default=part.last_seq if part is not None else 0)
    told = verdict if judged and title != verdict else ""
    wanted = part.wanted if part is not None and alone else ""
    return WorkItem(id, title, state, tuple(dict.fromkeys(files)), told, last, wanted=wanted)


def _ids_of(words: str) -> tuple[str, ...]:
    """The ids that words begin with, before what they say of them: "L2/L3: Fix the small ones"."""
    match = _HEADS.match(words)
    return tuple(_ID.findall(match["ids"])) if match else ()


def _rest(words: str) -> str:
    match = _HEADS.match(words.replace("**", ""))
    return match["rest"].lstrip(" -–—:").strip() if match else ""
