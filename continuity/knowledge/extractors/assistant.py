"""The agent's words: reports, remarks, questions, promises, and what they say of the work's state."""

from __future__ import annotations

import re
from dataclasses import replace

from continuity.knowledge.anchors import claims, recording
from continuity.knowledge.extractors.proposals import proposal
from continuity.knowledge.extractors.tools import edited_file, task_lists
from continuity.knowledge.language import status, withdrawals
from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.clip import shorten
from continuity.knowledge.language.commitments import ACT, COMING, LATER, TURN, kept, promise
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.reply_structure import ReplyStructure, announces, shape, supposes
from continuity.knowledge.language.requests import TICKED, todos
from continuity.knowledge.language.sentences import Sentence, lowered, split
from continuity.knowledge.language.subjects import covers
from continuity.knowledge.model import AnchorState, AnchorType, Quote, Ref, TaskStatus, Truth
from continuity.knowledge.requests import ledger
from continuity.knowledge.requests.frames import unframed
from continuity.knowledge.requests.weighing import weighs
from continuity.knowledge.rules import apply
from continuity.knowledge.rules.catalogue import Setting
from continuity.knowledge.state.recent_turns import THOUGHT, THOUGHT_LEAST, answer, forget_thought, think, weigh
from continuity.knowledge.state.step import FoldStep
from continuity.knowledge.tasks import deferred, tracking

ANSWER = 25  # characters from which an agent's words can answer a question
QUOTE = 400
MUSED = 40  # sentences read of a thought, the last ones: where it arrives
NEAR = 3  # closing sentences of which one may say that something is left
CLAUSE = 40  # characters before a statement that can turn it around

_RESUMED = frozenset({TaskStatus.NOT_STARTED, TaskStatus.AWAITING_INPUT, TaskStatus.BLOCKED})
_OF_PERSON = re.compile(
    r"\b(?:have|has|had|did|are|were) you\b|\bdo you (?:have|see|get|use|know)\b|\b(?:can|could) you (?:confirm|check|share|tell|send)\b"
    r"|\b(?:are|is|did) your\b"
)
_NAMED_DONE = re.compile(
    r"\b(?:the fix for|fixes|fixed|closes|closed|completes|completed|resolves|resolved|covers|done with|finishes"
    r"|finished) task #?(?P<fixed>\d{1,4})\b"
    r"|\btask #?(?P<told>\d{1,4}) (?:is |was |has been )?(?:now |already )?(?:done|complete[d]?|fixed|resolved|handled|finished)\b"
)
_ALL_DONE = re.compile(
    r"\ball (?:(?:of )?(?:the|my|our|these) )?(?P<count>\d{1,3} )?(?:(?:todo|list|tracked|planned) )?(?:tasks|todos|items|steps)"
    r" (?:on the list )?(?:(?:are|were|have been|is|now|marked|as) )*(?:complete[d]?|done|finished)\b"
)
# What before such words says that it is not so, or not yet.
_NOT_YET = re.compile(
    r"\b(?:not|never|cannot|once|until|till|when|after|before|if|unless|whether|will|should|almost|nearly|partly|half)\b|n't\b"
)
_BOXES = frozenset({" ", "x", "X", "✓"})


def speak(step: FoldStep, part: int) -> None:
    """Fold one text part of the agent."""
    text = step.message.parts[part].text
    sentences = split(text)[-(apply.HEAD + apply.TAIL) :]
    if not sentences:
        text = unframed(text)
        sentences = split(text)[-(apply.HEAD + apply.TAIL) :]
    if not sentences:
        return
    form = shape(text, sentences)
    state = step.state
    start = len(text) - len(text.lstrip())
    tells = any(not announces(sentence.text) for sentence in sentences) and not supposes(text)
    words = Quote(text.strip(), step.quote(part, start, len(text.rstrip())).ref)
    state.turns = answer(state.turns, step.seq, words, tells=tells)
    state.requests = ledger.spoken(state.requests, step.seq, words, tells=tells)
    edited_file.mentioned(step, text)
    _keep_promises(step, sentences)
    for sentence in sentences:
        claims.found_another(step, sentence.text)
    apply.read(step, part, 0, withdrawals.kept(text, sentences), form.setting, Truth.CLAIMED)
    apply.count_names(step, text)
    _promise(step, part, sentences, form)
    if form.acts is None and len(text) >= ANSWER:
        recording.settle_all(step, state.questions, frozenset({"agent"}))
    _ask(step, part, sentences, form)
    _stand(step, part, sentences, form)
    _checklist(step, sentences)
    _close_named(step, sentences)
    state.phase = "agent"


def muse(step: FoldStep, part: int) -> None:
    """Fold what the agent thinks without saying it: its findings count less than words, and promise and ask nothing."""
    text = step.message.parts[part].text
    sentences = split(text)[-MUSED:]
    edited_file.mentioned(step, text)
    end = len(text.rstrip())
    start = next((sentence.start for sentence in sentences if end - sentence.start <= THOUGHT), end)
    step.state.short_thought = shorten(step.quote(part, start, end), QUOTE) if end - start < THOUGHT_LEAST else None
    if end - start >= THOUGHT_LEAST:
        step.state.turns = think(step.state.turns, step.quote(part, start, end))
    step.state.turns = weigh(step.state.turns, [step.quote(part, each.start, each.end) for each in sentences if weighs(each.text)])
    apply.read(step, part, 0, withdrawals.kept(text, sentences, thought=True), Setting.ASIDE, Truth.CLAIMED, thought=True)
    apply.count_names(step, text)


def _quote(step: FoldStep, part: int, sentence: Sentence) -> Quote:
    return shorten(step.quote(part, sentence.start, sentence.end), QUOTE)


def _keep_promises(step: FoldStep, sentences: list[Sentence]) -> None:
    """Words that tell of a promised thing as done close the promise; so do they a problem that they call fixed."""
    promises, errors = step.state.promises.items(), step.state.errors.items()
    put_off = any(task.method == deferred.METHOD for task in step.state.tasks.values())
    carried = [task for task in step.state.tasks.values() if task.method == "carried" and not task.steps_left]
    listed = any(task.method == tracking.LISTED for task in step.state.tasks.values())
    if not promises and not errors and not carried and not put_off and not listed:
        return
    told = [s.text for s in sentences if kept(s.text) and not announces(s.text)]
    for name, item in promises:
        if item.until in (LATER, TURN) and item.truth is not Truth.STATED and any(covers(item.words, text) for text in told):
            recording.settle(step, step.state.promises, name, AnchorState.RESOLVED)
    for task in carried:
        if any(covers(" ".join(content(task.description)), text, 0.7) for text in told):
            tracking.put(step, replace(task, status=TaskStatus.COMPLETED, blocking_reason="", last_seq=step.seq))
    deferred.close(step, told)
    tracking.told_done(step, told)
    solved = [text for text in told if status.solved(text)]
    for name, item in errors:
        if any(covers(item.words, text, 0.5) for text in solved):
            recording.settle(step, step.state.errors, name, AnchorState.RESOLVED)


def _promise(step: FoldStep, part: int, sentences: list[Sentence], form: ReplyStructure) -> None:
    for sentence in sentences:
        announced = form.acts is not None and sentence.index == form.acts.index
        until = promise(sentence.text, announced) if sentence.kind in (BlockKind.PROSE, BlockKind.ITEM) else ""
        if until and (until in (LATER, COMING) or sentence.left <= 1):
            ref = Ref(step.seq, part, sentence.start, sentence.end)
            recording.found(step, AnchorType.COMMITMENT, sentence.text, ref, 0.9, Truth.CLAIMED, f"commitment.{until}", until=until)


def _ask(step: FoldStep, part: int, sentences: list[Sentence], form: ReplyStructure) -> None:
    state = step.state
    if form.asks:
        recording.settle_all(step, state.questions, frozenset({"person"}), AnchorState.SUPERSEDED)
    aside = [s for s in sentences if s.text.rstrip().endswith("?") and s not in form.asks and _OF_PERSON.search(lowered(s.text))]
    for question in (*aside[-2:], *form.asks):
        if len(content(question.text, 3)) >= 2:
            ref = Ref(step.seq, part, question.start, question.end)
            recording.found(
                step, AnchorType.QUESTION, question.text, ref, 0.8, Truth.CLAIMED, "question.agent", until=_awaits(question.text)
            )
    state.asking = _quote(step, part, form.asks[-1]) if form.asks else None
    state.proposal = proposal(step, part, sentences, form.asks)


def _awaits(question: str) -> str:
    """What closes a question of the agent: what only the person can tell stays open until they speak, also when the agent goes on."""
    return "reply" if _OF_PERSON.search(lowered(question)) else "person"


def _stand(step: FoldStep, part: int, sentences: list[Sentence], form: ReplyStructure) -> None:
    """Where the work stands after these words: what comes next, whether they finish the request."""
    state = step.state
    spoken = [s for s in sentences if s.kind in (BlockKind.PROSE, BlockKind.ITEM)] or sentences
    planned = next((s for s in spoken if s.kind is BlockKind.ITEM and status.plans_ahead(s.under)), None)
    near = next((s for s in reversed(spoken[-NEAR:]) if status.almost(s.text)), None) if form.acts is None and not form.asks else None
    ends = spoken[spoken.index(near) :] if near is not None else []
    if near is not None:
        form = replace(form, done=False)
    ahead = form.acts or planned or next((s for s in ends if status.left([s.text])), near)
    state.next_step = _quote(step, part, ahead) if ahead else None
    state.begun = state.looked_up = False
    state.closing = _quote(step, part, next((s for s in spoken[:2] if form.done and status.is_done(s.text)), spoken[-1]))
    state.done = form.done
    state.finished = form.acts is None and near is None and (form.setting is Setting.REPORT or form.done or not state.acted)
    if state.finished and state.acted:
        recording.settle_all(step, state.promises, frozenset({TURN}))
        if form.setting is Setting.REPORT:
            _told(step, sentences)
            recording.forget_thoughts(step)
            state.turns = forget_thought(state.turns)
    if state.finished and state.done:
        recording.retarget(state.errors, "report", "reported")
    blocked = next((s for s in reversed(spoken[-4:]) if status.status_of(s.text) is TaskStatus.BLOCKED), None)
    if blocked is not None and form.acts is None:
        tracking.set_status(step, TaskStatus.BLOCKED, blocked.text)
    elif near is not None:
        tracking.nearly(step, status.left([s.text for s in ends]) or near.text)
    elif form.asks and not form.done:
        tracking.set_status(step, TaskStatus.AWAITING_INPUT, form.asks[-1].text)
    elif state.finished and (form.done or not tracking.untouched(step, tracking.request(step))):
        tracking.set_status(step, TaskStatus.COMPLETED)
    elif any(status.status_of(s.text) is TaskStatus.NEAR_COMPLETION for s in spoken[-3:]):
        tracking.set_status(step, TaskStatus.NEAR_COMPLETION)


def _told(step: FoldStep, sentences: list[Sentence]) -> None:
    """A report keeps the promises of earlier messages that were made of them, unless they promise it again."""
    if any(promise(sentence.text, announced=False) == COMING for sentence in sentences):
        return
    for name, item in step.state.promises.items():
        if item.until == COMING and item.seq < step.seq:
            recording.settle(step, step.state.promises, name, AnchorState.RESOLVED)


def _checklist(step: FoldStep, sentences: list[Sentence]) -> None:
    """A markdown checklist in the agent's words is a list of the work, unless a tool keeps one."""
    boxes = [s for s in sentences if s.kind is BlockKind.ITEM and s.marker in _BOXES]
    if len(boxes) < 2 or step.state.plan_key:
        return
    items = [(s.text, s.marker in TICKED) for s in boxes]
    if any(tracking.is_listed(step, text) for text, _ in items) or (todos(sentences) == items and not any(done for _, done in items)):
        listed = [(text, TaskStatus.COMPLETED if done else TaskStatus.NOT_STARTED) for text, done in items]
        tracking.begin_list(step, listed, asked=False)
    else:
        tracking.sync_list(step, [(s.text, "completed" if s.marker in "xX✓" else "pending") for s in boxes], "", "checklist")


def _close_named(step: FoldStep, sentences: list[Sentence]) -> None:
    """Tasks of a tool's list that the agent's words tell to be done: by number, or all of them."""
    for sentence in sentences:
        low = lowered(sentence.text)
        every = _ALL_DONE.search(low) if not low.endswith("?") else None
        if every is not None and not _NOT_YET.search(low, max(0, every.start() - CLAUSE), every.start()):
            _close_all(step, int(every["count"] or 0))
        for match in _NAMED_DONE.finditer(low) if "task" in low and not low.endswith("?") and not announces(low) else ():
            if _NOT_YET.search(low, max(0, match.start() - CLAUSE), match.start()):
                continue
            task = tracking.by_tool_id(step, match["fixed"] or match["told"])
            if task is not None and task.status is not TaskStatus.COMPLETED:
                tracking.put(step, replace(task, status=TaskStatus.COMPLETED, blocking_reason="", last_seq=step.seq))
                task_lists.unblock(step, task.tool_id)


def _close_all(step: FoldStep, count: int) -> None:
    """Close a tool's tasks, unless there are more than the agent's words count."""
    listed = [task for task in step.state.tasks.values() if task.tool_id and task.last_seq < step.seq]
    if count and len(listed) > count:
        return
    for task in listed:
        if task.status is not TaskStatus.COMPLETED:
            tracking.put(step, replace(task, status=TaskStatus.COMPLETED, blocking_reason="", last_seq=step.seq))


def delivered(step: FoldStep) -> None:
    """The harness did by itself what the agent's words set out: there is nothing more to do, and the person is next."""
    step.state.finished, step.state.next_step = True, None
    recording.settle_all(step, step.state.promises, frozenset({ACT, TURN}))
    tracking.set_status(step, TaskStatus.COMPLETED)


def acted(step: FoldStep) -> None:
    """The agent goes on to act: promises of an immediate act are kept, its questions were none, the work is not finished."""
    state = step.state
    if state.phase == "agent":
        recording.settle_all(step, state.promises, frozenset({ACT}))
        recording.settle_all(step, state.questions, frozenset({"person"}))
        state.asking = state.proposal = None
        state.finished = False
    state.acted = True
    state.phase = "call"
    task = tracking.request(step)
    if task is None:
        return
    if task.status in _RESUMED or (task.status is TaskStatus.COMPLETED and task.method == "request"):
        tracking.set_status(step, TaskStatus.IN_PROGRESS)
