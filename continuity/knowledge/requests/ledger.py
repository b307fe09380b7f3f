"""The ledger of requests: what the person said, in order, and what came of it. Bounded, however long the conversation.

Rows are bounded when one is added; while a turn lasts only the last one grows, and that has bounds of its own. The latest rows keep the
words of both sides whole, as far as a few thousand characters go; the older a row, the shorter it is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from continuity.knowledge.evidence import is_by_others
from continuity.knowledge.language.clip import command_within, shorten
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.reply_structure import finds_out
from continuity.knowledge.language.sentences import split
from continuity.knowledge.language.withdrawals import takes_back
from continuity.knowledge.model import (
    CommandRun,
    FileAction,
    FileTouch,
    FileTouched,
    Quote,
    Ref,
    Request,
    RequestKind,
    RequestState,
    RequestStep,
)
from continuity.knowledge.requests import progress, steps
from continuity.knowledge.requests.excerpt import excerpt, without_outdated
from continuity.knowledge.requests.gist import gist
from continuity.knowledge.requests.overtaken import REPLACED, SETTLED
from continuity.knowledge.requests.points import told_in
from continuity.knowledge.state.codec import cost
from continuity.knowledge.state.fold_cache import cached
from continuity.knowledge.state.step import FoldStep

ROWS, SIZE = 120, 30_000
WHOLE = 6000  # characters of the words of a message or an answer that are kept while they are the latest
RECENT = 12  # rows that keep TEXT and OUTCOME characters; those before them are told in OLD
TEXT, OUTCOME, OLD = 1500, 1800, 400
LATEST = 3  # messages whose own words stay whole, and as many that set work
TOLD, TOLD_CHARS = 10, 900  # what the agent told while it worked, in the turn that lasts
FOUND, FOUND_CHARS = 2, 600  # of those before, what found something out
FILES, FILES_OLD = 40, 8
COMMITS = 12
STEPS, STEPS_RECENT, STEPS_OLD = 16, 8, 3
SUMMARY = 6000
OFFER, COMMAND, PASTED, PASTED_OLD = 400, 120, 1800, 300
ENDS = (".", "!", "?")

_ANSWERS = frozenset((RequestKind.ANSWER, RequestKind.GO_ON))
_LEADS_ON = frozenset((RequestKind.GO_ON, RequestKind.REMARK, RequestKind.PARTING))

Rows = tuple[Request, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """A message of the person: its own words and kind, one line of what was pasted beside them, the tool's command that it called,
    what the agent had asked or offered, whether it begins with a yes to that, whether it takes back what was asked, and whether the agent
    got it in the midst of its work."""

    words: Quote
    kind: RequestKind
    pasted: str = ""
    command: str = ""
    offer: Quote | None = None
    agrees: bool = False
    withdraws: bool = False
    at_work: bool = False


def heard(rows: Rows, seq: int, said: Heard, *, ended: bool) -> Rows:
    """The rows with one more that the person's words begin; `ended` says that the agent had come to the end of its turn."""
    rows = progress.joined(rows) if ended and said.offer is not None and said.kind in _ANSWERS else rows
    goes_on = progress.continues(rows, said.kind, said.words.text, ended=ended, offered=said.offer is not None, at_work=said.at_work)
    before = progress.passed_over(rows, ended=ended, goes_on=goes_on, withdrawn=said.withdraws)
    row = Request(
        seq,
        said.kind,
        shorten(said.words, WHOLE),
        seq,
        continues=goes_on,
        answers=shorten(said.offer, OFFER) if said.offer is not None and (said.agrees or said.kind in _ANSWERS) else None,
        command=said.command[:COMMAND],
        pasted=said.pasted[:PASTED],
        state=RequestState.WITHDRAWN if said.withdraws else RequestState.OPEN,
    )
    rows = (*before, row)
    return bounded(rows if said.withdraws else progress.reopened(rows))


def carried(rows: Rows, seq: int, summary: Quote) -> Rows:
    """The rows with a summary that a tool wrote of what came before."""
    row = Request(seq, RequestKind.SUMMARY, shorten(summary, SUMMARY), seq, continues=progress.head_place(rows) >= 0)
    return bounded((*rows, row))


def spoken(rows: Rows, seq: int, words: Quote, *, tells: bool) -> Rows:
    """The rows with the agent's latest words as the outcome of the last one; what tells something stays beside it while the turn lasts."""
    last = rows[-1] if rows else Request(seq, RequestKind.GO_ON, Quote("", Ref(seq)), seq)
    before = last.outcome
    held = _held(before.text, words.text) if before is not None and last.tells else ""
    told = (*last.told, Quote(told_in(held, TOLD_CHARS), before.ref))[-TOLD:] if before is not None and held else last.told
    return (*rows[:-1], replace(last, outcome=shorten(words, WHOLE), tells=tells, told=told, last_seq=seq, interrupted=False))


def _held(before: str, words: str) -> str:
    """What of the agent's words still holds once it has said more: where that takes them back, all but their last paragraph."""
    return before.rstrip().rpartition("\n\n")[0] if takes_back(words) else before


def interrupted(rows: Rows, seq: int) -> Rows:
    """The rows with the last turn stopped by the person."""
    return (*rows[:-1], replace(rows[-1], interrupted=True, last_seq=seq)) if rows else rows


def outdated(rows: Rows, words: str, mark: str) -> Rows:
    """The rows with `mark` behind each sentence that has just these content words."""
    first = words.partition(" ")[0]
    return tuple(_outdated(row, first, words, mark) for row in rows) if words else rows


def _outdated(row: Request, first: str, words: str, mark: str) -> Request:
    def marked(quote: Quote) -> Quote:
        if first not in quote.text.lower():
            return quote
        text = quote.text
        # Only behind a whole sentence: a mark within a command would keep a secret that goes on in the next line from being found.
        found = [s for s in split(text) if text[s.end - 1 : s.end] in ENDS and " ".join(content(s.text)) == words]
        for sentence in reversed(found):
            if not text.startswith((REPLACED, SETTLED), sentence.end):
                text = text[: sentence.end] + mark + text[sentence.end :]
        return quote if text == quote.text else Quote(text, quote.ref)

    # What became of the person's question its row says; the words stay as they were.
    text, told = row.text if mark == SETTLED else marked(row.text), tuple(map(marked, row.told))
    outcome = marked(row.outcome) if row.outcome is not None else None
    same = text is row.text and outcome is row.outcome and all(new is old for new, old in zip(told, row.told, strict=True))
    return row if same else replace(row, text=text, outcome=outcome, told=told)


def worked(step: FoldStep, changes: int, commits: tuple[Quote, ...], check: object, called: int) -> None:
    """Enter what a message did for the request that was the last when message `called` asked for it: the files that its changes from
    number `changes` on name, commits that were not among `commits` before, a check other than `check`."""
    rows, state = step.state.requests, step.state
    if not rows:
        return
    place = next((n for n in range(len(rows) - 1, -1, -1) if rows[n].seq <= called), 0)
    last = rows[place]
    paths = [c.file.path for c in step.changes[changes:] if isinstance(c, FileTouched) and _changes(c.file, step.seq)]
    new = [commit.text for commit in state.commits if commit not in commits and not is_by_others(commit.text)]
    if not paths and not new and state.verification is check:
        return
    files = tuple(dict.fromkeys((*(path for path in last.files if path not in paths), *paths)))[-FILES:]
    made = tuple(dict.fromkeys((*last.commits, *new)))[-COMMITS:]
    run = state.verification
    ran = f"`{command_within(run.command, COMMAND)}` {_OUTCOMES[run.passed]}" if run is not None and run is not check else ""
    told = _steps(step, last, paths, run if ran else None, called)
    until = step.seq if last is rows[-1] else last.last_seq
    row = replace(last, files=files, commits=made, check=ran or last.check, last_seq=until, steps=told)
    state.requests = (*rows[:place], row, *rows[place + 1 :])


def _steps(step: FoldStep, row: Request, paths: Sequence[str], run: CommandRun | None, called: int) -> tuple[RequestStep, ...]:
    """The steps of a row with what a message changed and ran; the words are the latest of what the agent said and thought, a short thought
    where it said nothing since the step before and changes files."""
    since = row.steps[-1].seq if row.steps else row.seq
    thought = step.state.turns[-1].thought if step.state.turns else None
    words = max((quote for quote in (row.outcome, thought) if quote is not None), key=lambda quote: quote.ref.seq, default=None)
    if paths and (words is None or words.ref.seq < since):
        thought = words = step.state.short_thought
    said = ""
    if words is not None and words.ref.seq >= since:
        said = steps.label(words.text.replace(REPLACED, "").replace(SETTLED, ""), thought=words is thought)
        said = steps.carried_out(said, [edit.body for edit in step.state.edits.values() if edit.seq >= called]) if paths else said
    check, cause = "", ""
    if run is not None:
        check = f"`{command_within(run.command, steps.CHECK - 12)}` {_OUTCOMES[run.passed]}"
        found = next((each for each in step.state.failures.values() if each.seq == step.seq), None) if run.passed is False else None
        cause = " ".join(filter(None, (found.at, found.cause))) if found is not None else ""
    return steps.begun(row.steps, step.seq, said, paths, check, cause)


_OUTCOMES = {True: "passed", False: "failed", None: "ran"}


def _changes(file: FileTouch, seq: int) -> bool:
    return file.action is not FileAction.READ and file.last_seq == seq


def bounded(rows: Rows) -> Rows:
    """The rows within ROWS and SIZE, each as short as its age asks for."""
    rows = _dropped(rows)
    count = len(rows)
    heads = [*[n for n, row in enumerate(rows) if row.kind in SETTING][-LATEST:], progress.head_place(rows)]
    aged = tuple(_aged(row, count - 1 - n, n in heads) for n, row in enumerate(rows))
    sizes = [*map(_size, aged)]
    over, out = sum(sizes) - SIZE, 1
    while over > 0 and out < count - 1:
        over, out = over - sizes[out], out + 1
    return (aged[0], *aged[out:]) if out > 1 else aged


SETTING = progress.SETS_WORK | {RequestKind.SUMMARY}


def _dropped(rows: Rows) -> Rows:
    """Where there are too many, the oldest that set no work go first; the first of all stays."""
    while len(rows) > ROWS:
        half = range(1, len(rows) // 2)
        out = next((n for n in half if rows[n].kind in _LEADS_ON and not rows[n].files), 1)
        rows = (*rows[:out], *rows[out + 1 :])
    return rows


def _aged(row: Request, age: int, head: bool) -> Request:
    """A row as it is kept when `age` others followed it."""
    if age == 0:
        return row
    text = WHOLE if age < LATEST or head else TEXT if age < RECENT else OLD
    outcome = WHOLE if age == 1 else OUTCOME if age < RECENT else OLD
    told = _found_out(row.told, 1 if age >= LATEST else 2)
    files = row.files if age < RECENT else row.files[-FILES_OLD:]
    words = row.outcome
    if words is not None and len(words.text) > outcome:
        said = without_outdated(words.text)
        words = Quote(excerpt(said, outcome, asking=True) or gist(said, outcome), words.ref)
    pasted = row.pasted if age < LATEST or head else row.pasted[:PASTED_OLD]
    done = steps.kept(row.steps, STEPS if age < LATEST else STEPS_RECENT if age < RECENT else STEPS_OLD)
    known = (row.outcome, row.told, row.files, row.steps, row.pasted)
    if len(row.text.text) <= text and (words, told, files, done, pasted) == known:
        return row
    return replace(row, text=shorten(row.text, text), outcome=words, told=told, files=files, steps=done, pasted=pasted)


def _found_out(told: Sequence[Quote], more: int) -> tuple[Quote, ...]:
    """Of what the agent told on its way to an answer what finds something out, which the answer itself seldom says again; where nothing
    does and there is room for `more`, the latest."""
    most = FOUND * more
    if len(told) <= most and all(len(quote.text) <= FOUND_CHARS for quote in told):
        return tuple(told)
    found = [quote for quote in told if finds_out(quote.text)][:most]
    found = found or list(told[-most:] if more > 1 else ())
    return tuple(Quote(told_in(without_outdated(quote.text), FOUND_CHARS)[:FOUND_CHARS], quote.ref) for quote in found)


def _size(row: Request) -> int:
    quotes = (row.text, row.outcome, row.answers, *row.told)
    names = sum(_cost(each) + 2 for each in (*row.files, *row.commits, row.check, row.evidence, row.command, row.pasted))
    names += sum(_cost(text) + 2 for done in row.steps for text in (done.said, *done.files, done.check, done.cause))
    return 120 + names + sum(_cost(quote.text) + 40 for quote in quotes if quote is not None)


_cost = cached(cost)


def in_work(rows: Sequence[Request]) -> tuple[Request, ...]:
    """The request in work and what the person added to it since, oldest first; empty where nothing was said."""
    start = max(progress.head_place(tuple(rows)), 0)
    return tuple(row for row in rows[start:] if row.kind is not RequestKind.SUMMARY) or tuple(rows[-1:])
