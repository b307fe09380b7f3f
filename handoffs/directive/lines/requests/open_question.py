"""What was found for a question that is not answered yet: where what it asks about stands, without what was changed since."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.extractors.outcomes.searches import BETWEEN, CAME
from continuity.knowledge.language.content_words import content
from continuity.knowledge.model import Knowledge, Quote
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.weighing import only_sets_out, turns_round
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.checks import changed_files
from handoffs.directive.lines.goal import asks_first
from handoffs.directive.lines.message_lines import message_line
from handoffs.directive.lines.wording import one_line

LABEL = "found"
WORTH = 0.93
SEARCHES = 3
WEIGHED, THOUGHTS = 7, 0.75  # sentences of thoughts, and what they are worth
MEANT, SHARED = 40, 2  # words of a question, and those that a thought about it shares
LEAST = 4  # letters of what was sought that stand in the question
OWED = frozenset(("asks", "owed"))
SINCE = "changed since: "
_PLACE = re.compile(r"(?P<path>[^\s:]*[/.][^\s:]+?)(?::(?P<lines>\d[\d,]*))?$")
_HIT = re.compile(r"(?P<path>[^\s:]*[/.][^\s:]+):(?P<line>\d+):? ?(?P<words>.*)")


def with_found(candidates: Sequence[Candidate], knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """The candidates, and where a question is open what the searches for it found as lines of their own."""
    rows = in_work(knowledge.requests)
    said = rows[-1].outcome.ref.seq if rows and rows[-1].outcome is not None and rows[-1].tells else 0
    worked = max((quote.ref.seq for quote in (*knowledge.situation.searched, *knowledge.situation.unanswered)), default=0)
    goes_on = knowledge.situation.waiting is False and (not said or worked > said)
    is_open = (goes_on and asks_first(knowledge)) or any(each.item.label in OWED for each in candidates)
    if not rows or not is_open or not limits.earlier or (knowledge.note is not None and rows[0].seq <= knowledge.note.through_seq):
        return list(candidates)
    asked = " ".join(row.text.text.lower() for row in rows)
    found = [quote for quote in knowledge.situation.searched if quote.ref.seq > rows[0].seq and _is_about(quote, asked)][-SEARCHES:]
    lines = [
        message_line(SectionKind.LAST, LABEL, Quote(words, quote.ref), WORTH)
        for quote in found
        if (words := _told(quote, knowledge)) and len(words) <= limits.block
    ]
    lines += _weighed(knowledge, asked)
    told = {line.item.seq for line in lines if line.item.label == LABEL}
    return [*lines, *(each for each in candidates if not (each.item.label == "searched" and each.item.seq in told))]


def _weighed(knowledge: Knowledge, asked: str) -> list[Candidate]:
    """What the agent weighed in its thoughts about what the question is about: since it was asked, and in the turn before, whose changes
    it may be about. What the last thought holds is told there."""
    turns = knowledge.turns[-2:]
    last = turns[-1].thought.text if turns and turns[-1].thought is not None else ""
    meant = set(content(asked, MEANT))
    found = [
        quote
        for turn in turns
        for quote in turn.weighed
        if quote.text not in last
        and not only_sets_out(quote.text)
        and len(meant & set(content(quote.text, MEANT))) >= (1 if turns_round(quote.text) else SHARED)
    ][-WEIGHED:]
    if len(found) < 2:
        return []
    words = "\n".join(f"{number}. {one_line(quote.text)}" for number, quote in enumerate(found, start=1))
    return [message_line(SectionKind.LAST, "weighed", Quote(words, found[-1].ref), THOUGHTS)]


def _is_about(quote: Quote, asked: str) -> bool:
    sought, _, came = quote.text.partition(CAME)
    names = re.findall(rf"[\w./-]{{{LEAST},}}", sought.partition(" in ")[0])
    return came != "" and any(name.lower() in asked for name in names)


def _told(quote: Quote, knowledge: Knowledge) -> str:
    """What a search found by directory, or its hits; empty where all of it was changed since."""
    sought, _, came = quote.text.partition(CAME)
    since = {file.path for file in changed_files(knowledge) if file.last_seq > quote.ref.seq}
    pieces = came.split(BETWEEN)
    hits = [(match["path"], piece) for piece in pieces if (match := _HIT.match(piece)) and match["words"]]
    if hits:
        gone = _gone(knowledge)
        left = [piece for path, piece in hits if not (path in since and (words := _HIT.match(piece)) and words["words"].strip() in gone)]
        named = sorted({path.rsplit("/", 1)[-1] for path, piece in hits if path in since and piece in left})
        after = f" (seen before {', '.join(named)} was changed)" if named else ""
        return "\n".join((f"{one_line(sought)}{after}", *_by_file(left))) if left else ""
    places = [match for piece in pieces if (match := _PLACE.match(piece))]
    if not places:
        return ""
    other = [piece for piece in pieces if not _PLACE.match(piece)]
    by_folder: dict[str, list[str]] = {}
    for match in places:
        folder, _, name = match["path"].rpartition("/")
        if match["path"] not in since:
            numbers = f" ({match['lines'].replace(',', ', ')})" if match["lines"] else ""
            by_folder.setdefault(f"{folder}/" if folder else "", []).append(f"{name}{numbers}")
    if not by_folder:
        return ""
    changed = [match["path"].rsplit("/", 1)[-1] for match in places if match["path"] in since]
    head = ": ".join((one_line(sought), ", ".join(map(one_line, other)))) if other else one_line(sought)
    lines = [f"{folder}{': ' if folder else ''}{', '.join(names)}" for folder, names in by_folder.items()]
    return "\n".join((head, *lines, *([f"{SINCE}{', '.join(changed)}"] if changed else [])))


def _by_file(hits: Sequence[str]) -> list[str]:
    """The hits, those of one file below its path."""
    found: dict[str, list[str]] = {}
    for hit in hits:
        if match := _HIT.match(hit):
            found.setdefault(match["path"], []).append(one_line(f"{match['line']}: {match['words'].strip()}"))
    lines = []
    for path, of in found.items():
        lines += [f"{path}:{of[0]}"] if len(of) == 1 else [path, *(f"  {each}" for each in of)]
    return lines


def _gone(knowledge: Knowledge) -> set[str]:
    """The lines that were taken out or replaced."""
    now = knowledge.situation
    return {line[1:].strip() for edit in (*now.edits, *now.hunks, *now.sketches) for line in edit.body.split("\n") if line[:1] == "-"}
