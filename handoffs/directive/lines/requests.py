"""The ledger of requests as lines: the request in work, the agent's last words, and the history before them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from continuity.knowledge.model import Knowledge, Quote, Request, RequestKind
from continuity.knowledge.requests.gist import gist
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.lines.blocks import block, clip_block
from handoffs.directive.lines.commits import commit_words
from handoffs.directive.lines.quoting import within_quotes
from handoffs.directive.lines.tasks import open_tasks
from handoffs.directive.lines.wording import normalise, one_line
from handoffs.directive.references import References

SHORT = 60  # characters of a request that says little without the one before it
BEGINS = 40  # characters by which a task is known for that of a request
REMARK = 240  # characters of words that only lead on
SHORTER = (0.6, 0.3, 0.12)  # of its length, where a whole block finds no room
FULL, HALF = 3, 9  # rows of the history, the latest, that are told at length, and at half of it
ASKED = 0.75  # what an answered question is worth beside other words of the person
FILES_NAMED = 6
COMMITS_NAMED = 3
NEARLY = 1.25  # a block that is only so much too long is told whole

_NOD = re.compile(r"(?:ok(?:ay)?|k|thanks?|thank you|thx|cool|nice|great|got it|i see|alright|hm+|yes|continue|go on)[\s.!,]*", re.I)


def goal_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """What the user wants, in the user's words: the request in work, what it followed, and what was said to it since."""
    rows = in_work(knowledge.requests)
    if not rows or not rows[0].text.text.strip():
        goal = goal_of(knowledge)
        return [_lead("goal", goal, limits.block, 0.975, essential=True)] if goal and goal.text.strip() else []
    found = [_binding(_lead("goal", rows[0].text, limits.block, 0.975, essential=True), rows[0].text, knowledge)]
    before = _served(knowledge.requests, rows[0]) or _still_open(knowledge, rows[0])
    if before is not None:
        found.append(_lead("goal before", before, limits.block // 3, 0.9))
    for earlier, row in pairwise(rows):
        if row.kind is RequestKind.ANSWER and earlier.outcome is not None:
            found.append(_lead("offered", _offer(earlier.outcome, limits.block), limits.block, 0.96))
        if row.text.text.strip() and (row is rows[-1] or not _NOD.fullmatch(row.text.text.strip())):
            label = "answered" if row.kind is RequestKind.ANSWER else "added"
            found.append(_lead(label, row.text, limits.block // 2, 0.98, essential=row is rows[-1]))
    return [*found, *(line for row in rows for line in _work(row, 1.0, knowledge.situation.branch, SectionKind.GOAL))]


def _binding(goal: Candidate, words: Quote, knowledge: Knowledge) -> Candidate:
    """The goal whole, and critical itself, where it is in the words of a critical anchor."""
    own = normalise(words.text)
    if not any(anchor.critical and normalise(anchor.text) == own for anchor in knowledge.anchors):
        return goal
    return goal._replace(item=goal.item._replace(text=block(words.text), critical=True), shorter=())


def goal_of(knowledge: Knowledge) -> Quote | None:
    """The words of the request in work; without a ledger, those that the session was begun with."""
    asked = next((row.text for row in in_work(knowledge.requests) if row.text.text.strip()), None)
    return asked or knowledge.situation.objective or knowledge.situation.latest_request


def _offer(words: Quote, limit: int) -> Quote:
    return Quote(gist(words.text, limit), words.ref)


def _still_open(knowledge: Knowledge, head: Request) -> Quote | None:
    """What the whole work is about, where a task in these words is still open."""
    goal = knowledge.situation.objective
    if goal is None or goal.ref.seq == head.seq or not goal.text.strip():
        return None
    begins = normalise(goal.text)[:BEGINS]
    return goal if any(normalise(task.description).startswith(begins) for task in open_tasks(knowledge)) else None


def _served(rows: Sequence[Request], head: Request) -> Quote | None:
    """The request before a short or asking one, which it may serve."""
    if head.kind is not RequestKind.QUESTION and len(head.text.text) > SHORT:
        return None
    earlier = [row for row in rows if row.seq < head.seq and row.kind is RequestKind.REQUEST and len(row.text.text) > SHORT]
    return earlier[-1].text if earlier else None


def _lead(label: str, quote: Quote, limit: int, importance: float, *, essential: bool = False) -> Candidate:
    text = block(quote.text)
    whole = text if len(text) <= limit * NEARLY else clip_block(text, limit)
    shorter = tuple(clip_block(text, max(60, int(limit * share))) for share in SHORTER if len(text) > limit * share)
    key = "goal" if label == "goal" else f"{label}@{quote.ref.seq}"
    item = PackageItem(References.message(quote.ref.seq), key, whole, quote.ref.seq, 0, importance, label=label)
    return Candidate(SectionKind.GOAL, item, essential=essential, shorter=shorter)


def last_words_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """What the agent said last, whole where it can be, what it reported before in the same turn, and where its last thought arrived."""
    rows = knowledge.requests
    if not rows:
        return []
    found: list[Candidate] = []
    last = rows[-1]
    told = [quote for row in rows[-2:] if row is last or last.kind is RequestKind.GO_ON for quote in row.told]
    for number, quote in enumerate(told, start=1):
        words = gist(quote.text, limits.outcome)
        if words.strip():
            found.append(_line(SectionKind.LAST, "told", Quote(words, quote.ref), 0.45 + 0.3 * number / len(told)))
    thought = knowledge.turns[-1].thought if knowledge.turns else None
    if thought is not None and limits.earlier:
        found.append(_line(SectionKind.LAST, "thought", Quote(gist(thought.text, limits.outcome), thought.ref), 0.65))
    closing = last.outcome or (rows[-2].outcome if len(rows) > 1 and last.kind is not RequestKind.ANSWER else None)
    if closing is not None and closing.text.strip():
        found.append(_lead("last words", closing, limits.block, 0.95, essential=limits.earlier)._replace(kind=SectionKind.LAST))
    return found


def history_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """What the user said before, oldest first, each with its outcome and the work that came of it."""
    rows = knowledge.requests if limits.earlier else ()
    now = {row.seq for row in in_work(rows)}
    found: list[Candidate] = []
    for age, row in enumerate(reversed(rows)):
        late = 1.0 - age / max(len(rows), 1)
        longer = 3 if age <= FULL else 2 if age <= HALF else 1
        if age and row.seq not in now and row.text.text.strip() and not _NOD.fullmatch(row.text.text.strip()):
            found.append(_said(row, limits.row * longer, late))
        if age and row.outcome is not None and not _only_announced(row):
            found += _came(row, limits.outcome * longer // 2, late)
        if row.seq not in now:
            found += _work(row, late, knowledge.situation.branch)
    return found


def _only_announced(row: Request) -> bool:
    return not row.tells and not row.interrupted and not row.files and len(row.outcome.text if row.outcome else "") < REMARK


def _said(row: Request, limit: int, late: float) -> Candidate:
    label = "carried" if row.kind is RequestKind.SUMMARY else "user"
    asked = ASKED if row.kind is RequestKind.QUESTION and row.outcome is not None else 1.0
    text = gist(row.text.text, 5 * limit) if label == "carried" else clip_block(block(row.text.text), limit)
    return _line(SectionKind.RECENT, label, Quote(text, row.text.ref), ((0.8 if label == "carried" else 0.7) + 0.2 * late) * asked)


def _came(row: Request, limit: int, late: float) -> list[Candidate]:
    words = gist(row.outcome.text, limit) if row.outcome else ""
    label = "stopped" if row.interrupted else "made" if row.tells and (row.files or row.commits) else "agent"
    return [_line(SectionKind.RECENT, label, Quote(words, row.outcome.ref), 0.5 + 0.3 * late)] if row.outcome and words.strip() else []


def _work(row: Request, late: float, branch: str, kind: SectionKind = SectionKind.RECENT) -> list[Candidate]:
    """Files, commits and the last check of a request in one line."""
    told = []
    if row.files:
        names = [path.rsplit("/", 1)[-1] for path in row.files]
        more = f" and {len(names) - FILES_NAMED} more" if len(names) > FILES_NAMED else ""
        told.append(f"changed {', '.join(names[-FILES_NAMED:])}{more}")
    told += [f"committed “{within_quotes(commit_words(commit, branch))}”" for commit in row.commits[-COMMITS_NAMED:]]
    if len(row.commits) > COMMITS_NAMED:
        told.append(f"{len(row.commits) - COMMITS_NAMED} commits before these")
    if row.check:
        told.append(f"last check {row.check}")
    if not told:
        return []
    return [_line(kind, "work", Quote("; ".join(map(one_line, told)), row.text.ref), 0.4 + 0.3 * late, seq=row.last_seq)]


def _line(kind: SectionKind, label: str, quote: Quote, importance: float, *, seq: int | None = None) -> Candidate:
    text = block(quote.text)
    place = quote.ref.seq if seq is None else seq
    item = PackageItem(References.message(quote.ref.seq), f"{label}@{quote.ref.seq}", text, place, 0, importance, label=label)
    return Candidate(kind, item)


def told_already(words: str, knowledge: Knowledge) -> bool:
    """Whether the request in work or the agent's last words hold the words anyway."""
    rows = in_work(knowledge.requests)
    said = [row.text.text for row in rows] + [row.outcome.text for row in rows[-1:] if row.outcome]
    return bool(words.strip()) and any(normalise(words) in normalise(text) for text in said)
