"""The person's words: they answer, accept, correct, rule and ask, and they begin a turn."""

from __future__ import annotations

import re

from continuity.knowledge.anchors import recording
from continuity.knowledge.anchors.rules_in_force import REQUEST
from continuity.knowledge.anchors.supersession import changes_course
from continuity.knowledge.extractors import asked_checks, pasted_text
from continuity.knowledge.extractors.own_words import without_pastes
from continuity.knowledge.extractors.proposals import accept, answer, answer_each
from continuity.knowledge.extractors.tools import documents, edited_file
from continuity.knowledge.extractors.tools.errors import key_line
from continuity.knowledge.language.acceptance import acceptance, is_bare
from continuity.knowledge.language.clip import shorten
from continuity.knowledge.language.commitments import ACT, COMING, LATER, TURN, arrived, is_listed, person_kept, person_promises
from continuity.knowledge.language.content_words import content, is_identifier, tokens
from continuity.knowledge.language.requests import central, is_goal, is_question, is_request, steps, ticked, todos, undecided
from continuity.knowledge.language.sentences import Sentence, split
from continuity.knowledge.language.subjects import covers
from continuity.knowledge.model import AnchorState, AnchorType, Quote, Ref, RequestKind, Task, TaskStatus, Truth
from continuity.knowledge.requests import ledger
from continuity.knowledge.requests.kinds import kind_of, says_no, withdraws
from continuity.knowledge.requests.progress import asks_for_work
from continuity.knowledge.rules import apply
from continuity.knowledge.rules.catalogue import Setting
from continuity.knowledge.state.recent_turns import ask
from continuity.knowledge.state.step import FoldStep
from continuity.knowledge.tasks import deferred, request_parts, tracking
from continuity.transcripts.base.model import AT_WORK, Role
from continuity.transcripts.directive_spans import longest_stretch

_GAP = re.compile(r"(?<!\s)[^\S\n]*+\n[^\S\n]*+\n\s*")

SAYS = 3  # words of content from which a question says what it offers: "Want me to implement this?" does not
LONG = 1800  # characters from which only the ends of a message are looked at for what is wanted
QUOTE = 500  # characters kept of a request
KEPT_SHARE = 0.5  # of a promise's words that a statement names which tells of it as done
NAMED_SHARE = 0.2  # from which on a short word that something is done means this promise
TOLD_SHARE = 0.7  # of a question's words that a statement names which answers it
OPEN = "told"  # waits until somebody tells


def hear(step: FoldStep, parts: list[int], command: str = "") -> None:
    """Fold the text parts of one message of the person, given by index; `command` is the tool's command that they called with them."""
    own = {part: without_pastes(step.message.parts[part].text) for part in parts}
    main = max(parts, key=lambda part: len(own[part].strip()))
    words = _stripped(step, main, own[main])
    sentences = split(own[main])
    if _at_work(step):
        step.state.turn_count += 1
        step.state.phase = "call"  # no end of the turn, whatever stands before: the call that the agent announced comes behind the words
    else:
        _turn_over(step)
    # Words given to a tool's command say what that is to do; they answer nothing.
    accepted = None if command else acceptance(words.text) or (acceptance(sentences[0].text) if sentences else None)
    decided = "" if command else answer_each(step, main, sentences)
    if not decided:
        decided = accept(step, accepted, words) if accepted is not None else "" if command else answer(step, main, sentences)
    _answered(step, sentences, decided)
    _begin(step, main, words, sentences, own[main], command)
    for part in parts:
        said = sentences if part == main else split(own[part])
        pasted_text.errors(step, part)
        asked_checks.heard(step, part)
        documents.named(step, step.message.parts[part].text)
        edited_file.mentioned(step, step.message.parts[part].text)
        if not listen(step, part, 0, said) and step.message.role is Role.TOOL:
            _refuse(step, part, words)
    state = step.state
    state.phase, state.finished, state.acted = "person", False, False
    state.next_step = state.asking = state.closing = state.proposal = None


def command_called(step: FoldStep, part: int, command: str) -> None:
    """Fold a command of the tool's that the person called without a word: it sets work by itself."""
    state = step.state
    _turn_over(step)
    ended = _has_ended(step)
    start = step.message.parts[part].text.find(command)
    words = step.quote(part, max(start, 0), max(start, 0) + len(command))
    said = ledger.Heard(words, RequestKind.REQUEST, command=command)
    state.requests = ledger.heard(state.requests, step.seq, said, ended=ended)
    state.turns = ask(state.turns, step.seq, words)
    state.looked, state.watching = (), ""
    _next_request(step, tracking.request(step), command, ())
    state.latest_request = words
    state.phase, state.finished, state.acted = "person", False, False
    state.next_step = state.asking = state.closing = state.proposal = None


def _has_ended(step: FoldStep) -> bool:
    """Whether the agent had come to the end of its turn."""
    return step.state.phase in ("agent", "") or not step.state.requests


def _at_work(step: FoldStep) -> bool:
    """Whether the words came into the agent's turn, which went on."""
    return any(part.data.get(AT_WORK) for part in step.message.parts)


def _refuse(step: FoldStep, part: int, words: Quote) -> None:
    """What the person says in refusing a tool corrects its call, whatever the words."""
    if len(content(words.text, 3)) >= 2:
        recording.found(step, AnchorType.CORRECTION, words.text, words.ref, 0.95, Truth.STATED, "correction.refusal")


def listen(step: FoldStep, part: int, offset: int, sentences: list[Sentence]) -> list[str]:
    """Enter what the person's sentences lay down, promise or ask; returns the keys of the anchors."""
    keys = [k for some in apply.stretches(sentences) for k in apply.read(step, part, offset, some, Setting.PERSON, Truth.STATED)]
    apply.count_names(step, step.message.parts[part].text)
    for sentence in (s for some in apply.stretches(sentences) for s in some):
        ref = Ref(step.seq, part, offset + sentence.start, offset + sentence.end)
        _keep(step, sentence.text)
        if changes_course(sentence.text) and not (is_question(sentence.text) and not is_request(sentence.text)):
            tracking.decided_otherwise(step, sentence.text)
        _told_at_last(step, sentence.text)
        if is_listed(sentence.text):
            whole = _whole_message(step, part, offset, sentences) or (ref, sentence.text)
            recording.found(step, AnchorType.COMMITMENT, whole[1], whole[0], 0.93, Truth.STATED, "commitment.listed", until=LATER)
        elif person_promises(sentence.text):
            recording.found(step, AnchorType.COMMITMENT, sentence.text, ref, 0.93, Truth.STATED, "commitment.person", until="person")
        elif undecided(sentence.text):
            about = content(undecided(sentence.text))
            recording.found(
                step, AnchorType.QUESTION, sentence.text, ref, 0.85, Truth.STATED, "question.undecided", until=OPEN, words=about
            )
        elif _asks(sentence.text):
            recording.found(step, AnchorType.QUESTION, sentence.text, ref, 0.8, Truth.STATED, "question.person", until="agent")
    return keys


def _asks(text: str) -> bool:
    """Whether the person wants to know something, rather than have it done."""
    return is_question(text) and not is_request(text) and apply.is_prose(text) and len(content(text, 4)) >= 2


def _whole_message(step: FoldStep, part: int, offset: int, sentences: list[Sentence]) -> tuple[Ref, str] | None:
    """A short message as a whole: what is put on a list ("add it to the backlog") stands in the words around."""
    start, end = offset + sentences[0].start, offset + sentences[-1].end
    return (Ref(step.seq, part, start, end), step.message.parts[part].text[start:end]) if end - start <= 300 else None


def _stripped(step: FoldStep, part: int, own: str) -> Quote:
    """The words of a part without a directive, and without a paste before or behind them; the line of a mere paste that says what went
    wrong."""
    text = step.message.parts[part].text
    if own is text:
        return step.quote(part, *longest_stretch(text))
    if not own.strip():
        return step.quote(part, *(key_line(text) or longest_stretch(text)))
    return step.quote(part, len(own) - len(own.lstrip()), len(own.rstrip()))


def _keep(step: FoldStep, text: str) -> None:
    """Words that tell of what the person promised as done close that promise; words that name none of them close the one that
    is waited for, the latest."""
    promises = [(name, item) for name, item in step.state.promises.items() if item.until == "person" and item.seq < step.seq]
    told = [name for name, item in promises if arrived(text) and covers(item.words, text, KEPT_SHARE)]
    if not told and promises and person_kept(text):
        told = [name for name, item in promises if covers(item.words, text, NAMED_SHARE)] or [promises[-1][0]]
    for name in told:
        recording.settle(step, step.state.promises, name, AnchorState.RESOLVED)


def _told_at_last(step: FoldStep, text: str) -> None:
    """A statement on what the person did not know closes that question."""
    if is_question(text) or undecided(text):
        return
    for name, item in step.state.questions.items():
        if item.until == OPEN and item.seq < step.seq and covers(item.words, text, TOLD_SHARE):
            recording.settle(step, step.state.questions, name, AnchorState.RESOLVED)


def _turn_over(step: FoldStep) -> None:
    """What the end of the agent's turn means for its promises: acted on they are over, others are still to be kept.

    A word typed while refusing a tool ends no turn.
    """
    state = step.state
    if step.message.role is Role.TOOL:
        return
    state.turn_count += 1
    if state.phase in ("call", "result", "interrupted"):
        recording.settle_all(step, state.promises, frozenset({TURN}))
    recording.settle_all(step, state.errors, frozenset({"reported"}))
    recording.retarget(state.promises, ACT, LATER)
    recording.retarget(state.promises, TURN, LATER)
    if state.phase == "agent":
        recording.settle_all(step, state.questions, frozenset({"agent"}))
        _came(step)


def _came(step: FoldStep) -> None:
    """The words that ended the turn keep the promises of earlier ones that were made of them."""
    state = step.state
    answer = state.turns[-1].answer if state.turns and state.finished else None
    if answer is None:
        return
    for name, item in state.promises.items():
        if item.until == COMING and item.seq < answer.ref.seq:
            recording.settle(step, state.promises, name, AnchorState.RESOLVED)


def _answered(step: FoldStep, sentences: list[Sentence], decided: str) -> None:
    """The person's next message answers the agent's questions, unless it only asks back."""
    if sentences and all(is_question(s.text) and not is_request(s.text) for s in sentences) and not decided:
        return
    recording.settle_all(step, step.state.questions, frozenset({"person", "reply"}), AnchorState.RESOLVED, decided)


def _begin(step: FoldStep, part: int, words: Quote, sentences: list[Sentence], own: str, command: str) -> None:
    """Open a turn, and with words of their own a request and perhaps the objective."""
    state = step.state
    text = step.message.parts[part].text
    pasted = own is not text
    whole = step.quote(part, words.ref.start, len(text.rstrip())) if pasted else words
    said = _said(step, part, words, sentences, own, command)
    state.requests = ledger.heard(state.requests, step.seq, said, ended=_has_ended(step))
    if not state.requests[-1].continues:
        recording.settle_all(step, state.open, frozenset({REQUEST}))
    state.turns = ask(state.turns, step.seq, whole)
    state.looked, state.watching = (), ""
    _objected(step, sentences)
    if said.kind is RequestKind.PARTING:
        return
    current = tracking.request(step)
    if current is not None and current.method != "request" and current.status is TaskStatus.AWAITING_INPUT:
        tracking.set_status(step, TaskStatus.IN_PROGRESS)
    deferred.put_off(step, sentences, current)
    agreed = split(state.asking.text) if state.asking and is_bare(words.text) else []
    taken = deferred.take_up(step, agreed or sentences)
    if taken is not None and deferred.only_takes_up(agreed or sentences):
        state.latest_request = shorten(state.asking if agreed and state.asking else words, QUOTE)
        deferred.resume(step, taken)
        return
    if is_bare(words.text):
        asked = state.asking or (state.proposal.course if state.proposal else None)
        state.latest_request = shorten(asked, QUOTE) if asked else state.latest_request or shorten(words, QUOTE)
        answered = current is not None and state.asking is not None and _only_asks(current)
        if current is not None and current.status is TaskStatus.AWAITING_INPUT and not answered:
            tracking.set_status(step, TaskStatus.IN_PROGRESS)
        elif state.asking is not None:
            says_little = len(content(state.asking.text, SAYS)) < SAYS
            if says_little and current is not None and not answered:
                _next_request(step, current, current.description, ())
            else:
                _next_request(step, current, _offered(step, state.asking) if says_little else state.asking.text, ())
        return
    if said.at_work and state.requests[-1].continues and not (asks_for_work(words.text) or any(is_question(s.text) for s in sentences)):
        return  # told in the midst of work: nothing to do by itself
    # In the middle of a long message stands what it is about, often what a tool printed; what is wanted stands at its ends.
    span = central([s for s in sentences if len(own) <= LONG or s.end <= LONG // 3 or s.start >= len(own) - LONG // 3])
    short = len(words.text) <= QUOTE and own[words.ref.start : words.ref.end] == words.text
    quote = words if span is None or short else step.quote(part, *span)
    state.latest_request = shorten(quote, QUOTE)
    if items := todos(sentences):
        tracking.close_requests(step)
        tracking.begin_list(step, [(text, TaskStatus.COMPLETED if done else TaskStatus.NOT_STARTED) for text, done in items], asked=True)
    elif _asks_for_something(words.text, sentences) or (pasted and key_line(text) is not None):
        _next_request(step, current, quote.text, steps(sentences), ticked(sentences))
    if state.objective is None or (taken is None and is_goal(sentences)):
        state.objective = shorten(quote, QUOTE)
        state.brief = request_parts.parts(step, part) or state.brief


def _objected(step: FoldStep, sentences: list[Sentence]) -> None:
    """A no to what the agent said last ends what it promised there; a no to its question only what that was about."""
    rows, promises, asked = step.state.requests, step.state.promises, step.state.asking
    if len(rows) < 2 or not sentences or not says_no(sentences[0].text):
        return
    for name, item in promises.items():
        if item.truth is Truth.CLAIMED and item.seq > rows[-2].seq and (asked is None or covers(item.words, asked.text, KEPT_SHARE)):
            recording.settle(step, promises, name, AnchorState.SUPERSEDED)


def _said(step: FoldStep, part: int, words: Quote, sentences: list[Sentence], own: str, command: str) -> ledger.Heard:
    """What the ledger keeps of the person's words: those of their own, and what they answer."""
    state = step.state
    text = step.message.parts[part].text
    pasted = own is not text
    offer = state.asking or (state.proposal.course or state.proposal.question if state.proposal is not None else None)
    kind = kind_of(own.strip() if pasted else text, sentences, asked=offer is not None, pasted=pasted)
    if command and kind in (RequestKind.REMARK, RequestKind.ANSWER, RequestKind.REPORT, RequestKind.GO_ON):
        kind = RequestKind.REQUEST  # what a command is given says what it is to work on
    if kind is RequestKind.PARTING and not _has_ended(step):
        kind = RequestKind.REMARK  # the agent is at work, and goes on
    quote = Quote(_GAP.sub("\n", own).strip(), words.ref) if pasted and own.strip() else words
    agrees = not command and bool(sentences) and acceptance(sentences[0].text) is not None
    told = pasted_text.told(text, own) if pasted else ""
    return ledger.Heard(quote, kind, told, command, offer, agrees=agrees, withdraws=withdraws(words.text), at_work=_at_work(step))


def _asks_for_something(text: str, sentences: list[Sentence]) -> bool:
    """Whether a message sets work: a short remark without a request, a question or an exact name does not."""
    if any(is_request(s.text) or is_question(s.text) for s in sentences):
        return True
    return len(text.split()) >= 6 or any(is_identifier(token) for token in tokens(text))


def _only_asks(task: Task) -> bool:
    """Whether a request is a question alone: what is agreed to after its answer is other work."""
    sentences = split(task.description)
    asks = bool(sentences) and all(is_question(s.text) and not is_request(s.text) for s in sentences)
    return asks and task.method == "request" and not task.steps_left


def _offered(step: FoldStep, asking: Quote) -> str:
    """What the agent offered with a question that says little by itself ("Want me to do this?"): the sentence before it."""
    rows = step.state.requests
    said = rows[-2].outcome if len(rows) > 1 else None
    before, found, _ = said.text.rpartition(asking.text) if said is not None else ("", "", "")
    sentences = split(before) if found else []
    return f"{sentences[-1].text.strip()} {asking.text}" if sentences else asking.text


def _next_request(step: FoldStep, current: Task | None, text: str, listed: tuple[str, ...], done: tuple[str, ...] = ()) -> None:
    interrupted = step.state.phase in ("interrupted", "call", "result", "person")
    if current is None or not interrupted or current.status is TaskStatus.AWAITING_INPUT:
        tracking.close_requests(step)
    tracking.begin_request(step, text, listed, done if listed else ())
