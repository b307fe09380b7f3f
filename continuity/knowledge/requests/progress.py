"""The progress of a request: open, done, answered, withdrawn or left for another, with what shows so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from continuity.knowledge.language.acceptance import acceptance
from continuity.knowledge.language.replies import replies
from continuity.knowledge.language.requests import is_question, is_request, wants_change
from continuity.knowledge.language.sentences import lowered, split
from continuity.knowledge.model import Request, RequestKind, RequestState

SETS_WORK = frozenset((RequestKind.REQUEST, RequestKind.QUESTION, RequestKind.REPORT))
ASIDE = 25  # words up to which what is said in the midst of work belongs to it
BRIEF = 40  # words from which a request is one that shorter ones add to

# How a message begins that adds to the one before it.
_FURTHER = re.compile(
    r"^(?:(?:oh|ah|yes|ok(?:ay)?|please)[, ]+)*(?:and|also|plus|but|with|without|und|auch|aber|et|aussi|mais|y|también|pero)\b"
)
_LEAVES_AS_IS = frozenset((RequestKind.REMARK, RequestKind.PARTING, RequestKind.RULE))
_ADDS = _LEAVES_AS_IS | {RequestKind.ANSWER, RequestKind.GO_ON, RequestKind.CORRECTION}
_CLOSED = frozenset((RequestState.DONE, RequestState.ANSWERED))
TOLD = "told"
READ = 300  # characters of a request that say whether words are all that it asks for
_TO_BE_TOLD = re.compile(
    r"\b(?:explain|tell me|show me|summari[sz]e|describe|review|analy[sz]e|investigate|check|look|find|make (?:any |some )?sense|understand"
    r"|compare|how|why|what|which|whether|validate|think)\b"
)

# Something that comes before the work goes on, and what only keeps or hands in what was made.
_FIRST = re.compile(r"\bbefore (?:you|we) (?:go on|continue|proceed|carry on|start|begin|do (?:that|this|it)|merge|commit|push|finish)\b")
_DELIVERS = re.compile(
    r"(?:(?:then|now|ok(?:ay)?|so|and|yes|yeah|great|good|nice|fine|cool|perfect|please|pls|thanks|thank you|let's|you can)[,.! ]+)*"
    r"(?:commit|push|merge|(?:open|create|make) (?:a|the) (?:pr|pull request))\b(?:,| and| it| this| that| them| all| your| the"
    r"| changes?| work| everything| now| please| then| push| commit| merge| to (?:main|master|origin|github|the remote))*[.! ]*$"
)
_BY_THE_WAY = re.compile(r"(?:(?:oh|ah|ok(?:ay)?|and)[, ]+)*(?:btw|by the way|one more thing|before i forget)\b")
_ASKS_MORE = frozenset((RequestKind.REQUEST, RequestKind.QUESTION))
REPLY = 60  # words of a reply that asks for more within the work
OPENING = 120  # characters of a message within which it says what it comes before

Rows = tuple[Request, ...]


def head_place(rows: Rows) -> int:
    """The place of the message that began the work which the last one belongs to; -1 where none did."""
    return next((place for place in range(len(rows) - 1, -1, -1) if _sets_work(rows[place])), -1)


def _sets_work(row: Request) -> bool:
    """Whether a message began a piece of work: it asked for one, or took what the agent offered in answer to a question."""
    return not row.continues and (row.kind in SETS_WORK or (row.kind is RequestKind.ANSWER and row.answers is not None))


def continues(rows: Rows, kind: RequestKind, words: str, *, ended: bool, offered: bool, at_work: bool = False) -> bool:
    """Whether a message belongs to the work that the last one was about; `ended` says that the agent had come to the end of its turn,
    `offered` that it had put something before the person, `at_work` that it got the message in the midst of its turn, and went on."""
    place = head_place(rows)
    if place < 0:
        return kind in _ADDS and bool(rows)
    size = len(words.split())
    if kind is RequestKind.ANSWER and offered and ended:
        return not _only_asked(rows[place:])
    if kind in _ADDS:
        return True
    if _FIRST.search(words[:OPENING].lower()) is not None:
        return not _only_asked(rows[place:])
    if kind in _ASKS_MORE and size <= REPLY and any(row.files or row.commits for row in rows[place:]):
        said = rows[-1].outcome if ended and offered else None
        if _BY_THE_WAY.match(words.lower()):
            return True
        if said is not None and replies(words, said.text) and not _agrees(words):
            return True  # a yes takes up what was offered, which may be other work
    if ended:
        last = rows[-1]
        if kind is RequestKind.REQUEST and size <= ASIDE and _FURTHER.match(words.lower()) and not (last.files or last.commits):
            return not _only_asked(rows[place:])
        return kind is RequestKind.QUESTION and offered and size <= ASIDE and not (last.files or last.commits)
    return kind is not RequestKind.REQUEST or (
        size <= ASIDE and (len(rows[place].text.text.split()) >= BRIEF or (at_work and not asks_for_work(words)))
    )


def asks_for_work(words: str) -> bool:
    """Whether a message asks for something: what only says how it is, told in the midst of work, belongs to that."""
    return any(is_request(sentence.text) or wants_change(sentence.text) for sentence in split(words[:READ]))


def _agrees(words: str) -> bool:
    return any(acceptance(sentence.text) is not None for sentence in split(words[:READ])[:1])


def joined(rows: Rows) -> Rows:
    """The rows as an answer to the agent finds them: where the last work was only to keep what was made, as a commit is, and that was
    done, it belongs to the work before it, and so does what follows."""
    place = head_place(rows)
    before = head_place(rows[:place]) if place > 0 else -1
    if before < 0 or not rows[place].commits or not _only_delivers(rows[place].text.text):
        return rows
    return (*rows[:place], replace(rows[place], continues=True), *rows[place + 1 :])


def _only_delivers(words: str) -> bool:
    """Whether a message asks for nothing but to keep what was made or to hand it in."""
    asking = [s.text for s in split(words[:READ]) if is_request(s.text) or is_question(s.text)]
    return bool(asking) and all(_DELIVERS.match(lowered(text).strip()) for text in asking)


def _only_asked(rows: Rows) -> bool:
    """Whether the person only wanted to know, and nothing was done for it: what they answer then is what the agent offered to do."""
    asks = rows[0].kind is RequestKind.QUESTION or _is_to_be_told(rows[0])
    return asks and not any(row.files or row.commits for row in rows)


def _is_to_be_told(row: Request) -> bool:
    """Whether words are all that a request asks for."""
    low = row.text.text[:READ].lower()
    return _TO_BE_TOLD.search(low) is not None and not wants_change(low)


def passed_over(rows: Rows, *, ended: bool, goes_on: bool, withdrawn: bool) -> Rows:
    """The rows as the next message of the person leaves them: what was still open is over with the end of the agent's turn, or was left
    where another request cut it short."""
    if not rows:
        return rows
    if withdrawn:
        return _set(rows, RequestState.WITHDRAWN, "", whole=True)
    if goes_on or not any(row.state is RequestState.OPEN for row in rows):
        return rows
    return tuple(_left(row, ended=ended) if row.state is RequestState.OPEN else row for row in rows)


def _left(row: Request, *, ended: bool) -> Request:
    if row.files or row.commits:
        return replace(row, state=RequestState.DONE, evidence=_evidence(row)) if ended else row
    if row.interrupted or not ended:
        return replace(row, state=RequestState.REPLACED)
    return replace(row, state=_verdict(row, asking=False, done=True, left=False), evidence=TOLD)


def reopened(rows: Rows) -> Rows:
    """The rows with the last one, and what it goes on with, open again: a remark or a rule asks for nothing, and a question within work
    leaves that as it was."""
    last = rows[-1]
    if not last.continues:
        return rows
    if last.kind in _LEAVES_AS_IS:
        place = head_place(rows)
        return (*rows[:-1], replace(last, state=rows[place].state if place >= 0 else RequestState.ANSWERED))
    return rows if last.kind is RequestKind.QUESTION else _set(rows, RequestState.OPEN, "", whole=True)


def resumed(rows: Rows) -> Rows:
    """The rows with the last one open again: the agent goes on after what looked like the end of its turn."""
    return _set(rows, RequestState.OPEN, "", whole=not (rows[-1].continues and rows[-1].kind is RequestKind.QUESTION))


def settled(rows: Rows, *, asking: bool, done: bool, left: bool) -> Rows:
    """The rows as the agent's closing words leave the last one: `asking` that they ask, `done` that they call the work done, `left` that
    something is left of it."""
    if not rows:
        return rows
    last = rows[-1]
    state = _verdict(last, asking=asking, done=done, left=left)
    whole = not (last.continues and last.kind is RequestKind.QUESTION and not (last.files or last.commits))
    return _set(rows, state, _evidence(last) if state in _CLOSED else "", whole=whole)


def _verdict(row: Request, *, asking: bool, done: bool, left: bool) -> RequestState:
    if left or (row.check.endswith(" failed") and row.files):
        return RequestState.OPEN
    if row.files or row.commits:
        return RequestState.DONE
    if row.kind is RequestKind.QUESTION:
        return RequestState.ANSWERED
    if asking:
        return RequestState.OPEN
    return RequestState.DONE if done and not _is_to_be_told(row) else RequestState.ANSWERED


def _evidence(row: Request) -> str:
    if row.commits:
        return f"committed {row.commits[-1]}"[:160]
    return row.check or TOLD


def _set(rows: Rows, state: RequestState, evidence: str, *, whole: bool) -> Rows:
    """The rows with the state of the last one and, where it stands for the `whole` work, of what it belongs to."""
    first = head_place(rows) if whole else -1
    changed = {len(rows) - 1, first} - {-1}
    if all((rows[place].state, rows[place].evidence) == (state, evidence) for place in changed):
        return rows
    return tuple(replace(row, state=state, evidence=evidence) if place in changed else row for place, row in enumerate(rows))


def overruled_answers(rows: Sequence[Request]) -> frozenset[int]:
    """The messages with which the agent ended a turn that the person then corrected: what it claimed there is overruled."""
    ended = ((before.outcome, row.kind) for before, row in pairwise(rows))
    return frozenset(said.ref.seq for said, kind in ended if said is not None and kind is RequestKind.CORRECTION)
