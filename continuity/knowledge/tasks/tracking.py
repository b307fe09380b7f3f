"""Units of work: what the person asked for, and the lists that tools keep, merged where they are the same work."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.anchors import recording
from continuity.knowledge.anchors.keys import digest, lineage, normal
from continuity.knowledge.anchors.supersession import Statement, superseded
from continuity.knowledge.language.amounts import amounts
from continuity.knowledge.language.clip import beginning, one_line
from continuity.knowledge.language.content_words import content, stem
from continuity.knowledge.language.requests import asks_for_several, wants_change
from continuity.knowledge.language.subjects import chosen, covers, rejected, subject
from continuity.knowledge.language.word_sets import word_set
from continuity.knowledge.model import AS_ASKED, AnchorState, AnchorType, Task, TaskChanged, TaskStatus, Truth
from continuity.knowledge.requests import progress
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.state.open_items import OpenAnchor
from continuity.knowledge.state.step import FoldStep

DESCRIPTION = 320
CARRIED_DESCRIPTION = 600
STEP = 160
STEPS = 25
UNWANTED = "no longer wanted"
LISTED = "listed"  # of a task that stands on a list in somebody's words
TOLD = 0.6  # of its words that a statement names which tells of it as done
ASKED = 12  # of the latest requests, those that later words can take the place of
BRIEFLY = 8  # words of a request that others can take the place of as a whole
SHARED = 3  # one step in so many of the shorter list is the other's too, where they are one list
DOES = 0.6  # of a step's words that a task names which does it

# Acts of version control in the order in which they follow one another, and what else stands in a request for them alone.
_ACTS = ("pull", "commit", "merge", "push")
_NOTHING_ELSE = frozenset(
    map(
        stem,
        word_set(
            "pull commit merge push change changes file files everything all now go ahead great good nice work branch latest remote origin"
            " main"
        ),
    )
)
_PLANS = frozenset(("update_plan", "set_plan", "checklist"))  # what they list are steps of one work
_OF_LISTS = {"completed": TaskStatus.COMPLETED, "in_progress": TaskStatus.IN_PROGRESS}
_OPEN_REQUEST = frozenset({"request"})
_WAITING = frozenset((TaskStatus.AWAITING_INPUT, TaskStatus.BLOCKED))


def put(step: FoldStep, task: Task) -> None:
    """Enter or replace a task; nothing happens where nothing but its last message would change."""
    known = step.state.tasks.get(task.key) or step.state.closed.get(task.key)
    if known is not None and replace(known, last_seq=task.last_seq) == task:
        return
    if task.status is TaskStatus.COMPLETED:
        step.state.tasks.pop(task.key)
        step.state.closed.put(task.key, task)
        _solve(step, task)
        _advance(step, task)
    else:
        step.state.closed.pop(task.key)
        step.state.tasks.replace(task.key, task)
    step.changes.append(TaskChanged(task))


def _solve(step: FoldStep, task: Task) -> None:
    """A problem that a finished task of a list was about is solved with it."""
    if task.method == "request" or task.blocking_reason:
        return
    for name, item in step.state.errors.items():
        if covers(item.words, task.description, 0.5):
            recording.settle(step, step.state.errors, name, AnchorState.RESOLVED)


def _advance(step: FoldStep, task: Task) -> None:
    """A finished task of a list that does one of the steps which the current request set out."""
    current = step.state.tasks.get(step.state.request_key)
    if current is None or current.method != "request":
        return
    done = tuple(each for each in current.steps_left if _does(task, each))
    if done:
        left = tuple(each for each in current.steps_left if each not in done)
        put(step, replace(current, steps_done=(*current.steps_done, *done), steps_left=left, last_seq=step.seq))


def _does(task: Task, wanted: str) -> bool:
    """Whether a finished task of a tool's list is the step that a request set out."""
    if task.method == "request" or task.blocking_reason:
        return False
    return covers(" ".join(content(wanted.partition(" — ")[0])), task.description, DOES)


def key_of(step: FoldStep, kind: str, seq: int, name: str) -> str:
    """Twelve hex digits for the task that message `seq` of this conversation named."""
    return digest(f"{lineage(step.state.generation)}task|{kind}|{seq}|{name}", 6)


def _described(text: str) -> str:
    """Words on one line, as far as a description goes, to the end of a word."""
    return beginning(" ".join(text[: DESCRIPTION * 4].split()), DESCRIPTION).rstrip()


def steps_of(texts: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(words for text in texts[:STEPS] if (words := one_line(text, STEP)))


def begin_request(step: FoldStep, description: str, steps: tuple[str, ...], done: tuple[str, ...] = ()) -> None:
    """A new request of the person, with the steps that it sets out and those that it calls done: the work of earlier turns that was
    answered is over, unanswered work stays open."""
    state = step.state
    task = Task(
        key_of(step, "request", step.seq, ""),
        _described(description),
        TaskStatus.NOT_STARTED,
        step.seq,
        step.seq,
        "request",
        steps_of(done),
        steps_of(steps),
    )
    put(step, task)
    state.request_key = task.key


def begin_list(step: FoldStep, items: list[tuple[str, TaskStatus]], *, asked: bool) -> None:
    """Take over a list of tasks with the status of each: each is a task of its own, known by its words. Where the person `asked` for
    them, the first that is open is the current request."""
    fresh = []
    for number, (text, status) in enumerate(items):
        words = _described(text)
        known = _listed_as(step, text)
        task = known or Task(key_of(step, LISTED, step.seq, str(number)), words, status, step.seq, step.seq, LISTED, (), ())
        if known is None or status is not TaskStatus.NOT_STARTED:
            put(step, replace(task, status=status, blocking_reason="", last_seq=step.seq))
        fresh += [task.key] if status is not TaskStatus.COMPLETED else []
    if asked and fresh:
        step.state.request_key = fresh[0]


def is_listed(step: FoldStep, text: str) -> bool:
    """Whether an item of a list is a task of a list that words set out before."""
    return _listed_as(step, text) is not None


def _listed_as(step: FoldStep, text: str) -> Task | None:
    words = normal(_described(text))
    places = (*step.state.tasks.values(), *step.state.closed.values())
    return next((task for task in places if task.method == LISTED and normal(task.description) == words), None)


def told_done(step: FoldStep, told: list[str]) -> None:
    """Complete the listed tasks that the agent's words tell as done; the next of the list is the current request."""
    for task in step.state.tasks.values():
        if task.method == LISTED and any(covers(" ".join(content(task.description)), text, TOLD) for text in told):
            put(step, replace(task, status=TaskStatus.COMPLETED, blocking_reason="", last_seq=step.seq))
            if step.state.request_key == task.key:
                rest = (each.key for each in step.state.tasks.values() if each.method == LISTED and each.seq == task.seq)
                step.state.request_key = next(rest, task.key)


def _complete_list(step: FoldStep, task: Task) -> None:
    """The work on a list is over: so are all its tasks, unless the same words told which of them are."""
    told = any(each.method == LISTED and each.last_seq == step.seq for each in step.state.closed.values())
    for each in step.state.tasks.values() if step.state.acted and not told else ():
        if each.method == LISTED and each.seq == task.seq:
            put(step, replace(each, status=TaskStatus.COMPLETED, blocking_reason="", last_seq=step.seq))


def request(step: FoldStep) -> Task | None:
    """The task of the current request, open or just completed."""
    return step.state.tasks.get(step.state.request_key) or step.state.closed.get(step.state.request_key)


def set_status(step: FoldStep, status: TaskStatus, reason: str = "") -> None:
    """Change the status of the current request; completing it takes all its steps along unless a tool keeps them. What was
    shown to be done as asked stays so."""
    task = request(step)
    if task is None or task.blocking_reason == AS_ASKED or (task.status is status and task.blocking_reason == reason):
        return
    if status is TaskStatus.COMPLETED and task.method == LISTED:
        _complete_list(step, task)
        return
    if status is TaskStatus.COMPLETED:
        if task.steps_left and task.method != "request":
            return
        task = replace(task, steps_done=(*task.steps_done, *task.steps_left), steps_left=())
    elif task.status is TaskStatus.COMPLETED and task.method == "request":
        done = tuple(each for each in task.steps_done if any(_does(other, each) for other in step.state.closed.values()))
        task = replace(task, steps_done=done, steps_left=tuple(each for each in task.steps_done if each not in done))
    put(step, replace(task, status=status, blocking_reason=one_line(reason, 200), last_seq=step.seq))


def nearly(step: FoldStep, left: str) -> None:
    """The current request is nearly done: what is left is its remaining step, unless a tool keeps its steps."""
    task = request(step)
    if task is None or task.blocking_reason == AS_ASKED:
        return
    if task.method == "request":
        rest = steps_of([left])
        done = tuple(each for each in (*task.steps_done, *task.steps_left) if each not in rest)
        task = replace(task, steps_done=done, steps_left=rest)
    put(step, replace(task, status=TaskStatus.NEAR_COMPLETION, blocking_reason="", last_seq=step.seq))


def acted_out(step: FoldStep, did: frozenset[str]) -> None:
    """Complete the open requests that asked for nothing but these acts of version control."""
    for task in step.state.tasks.values():
        words = frozenset(content(task.description)) if task.method == "request" and not task.steps_left else frozenset()
        wanted = [act for act in _ACTS if stem(act) in words]
        if wanted and wanted[-1] in did and words <= _NOTHING_ELSE:
            put(step, replace(task, status=TaskStatus.COMPLETED, blocking_reason=AS_ASKED, last_seq=step.seq))


def decided_otherwise(step: FoldStep, text: str) -> None:
    """End the latest requests whose place the person's words take, done or not: what they decide otherwise is not to be done.

    What a request asks for beside that is still to be done, so only those that ask for one thing, in few words, end; what their steps say
    is the list's matter where a tool keeps one.
    """
    state = step.state
    asked = [task for place in (state.closed, state.tasks) for task in place.values() if task.method == "request"][-ASKED:]
    single = (t for t in reversed(asked) if len(content(t.description)) <= BRIEFLY and not asks_for_several(t.description))
    much = amounts(text.lower()[:300])
    new = Statement(text, content(text), subject(text), rejected(text), chosen(text), AnchorType.CORRECTION, Truth.STATED, much)
    for key in superseded(new, ((task.key, _as_decision(task)) for task in single)):
        task = state.tasks.get(key) or state.closed.get(key)
        if task is not None and not task.steps_left:
            put(step, replace(task, status=TaskStatus.COMPLETED, blocking_reason=UNWANTED, last_seq=step.seq))


def _as_decision(task: Task) -> OpenAnchor:
    text = task.description
    much = amounts(text.lower()[:300])
    return OpenAnchor(task.key, AnchorType.DECISION, task.seq, " ".join(content(text)), subject(text), Truth.STATED, 0.95, amounts=much)


def untouched(step: FoldStep, task: Task | None) -> bool:
    """Whether a request asks for a change since which nothing was done but looking, in a session whose agent has tools to do it with:
    elsewhere the answer is the work."""
    if task is not None and task.method == LISTED:
        return True  # what was done for it is told by words
    if task is None or task.method != "request" or step.state.deed >= task.seq:
        return False
    has_tools = step.state.deed or len(step.state.known) or step.state.commands or step.state.looked
    return bool(has_tools) and wants_change(task.description)


def close_requests(step: FoldStep) -> None:
    """Complete the open requests whose steps no tool keeps: the conversation has moved on from them, but for those that wait."""
    for task in step.state.tasks.values():
        if untouched(step, task):
            if task.status in _WAITING:  # The person has spoken.
                put(step, replace(task, status=TaskStatus.NOT_STARTED, blocking_reason="", last_seq=step.seq))
        elif task.method in _OPEN_REQUEST:
            put(
                step,
                replace(
                    task,
                    status=TaskStatus.COMPLETED,
                    steps_done=(*task.steps_done, *task.steps_left),
                    steps_left=(),
                    blocking_reason="",
                    last_seq=step.seq,
                ),
            )


def sync_list(step: FoldStep, items: list[tuple[str, str]], title: str, method: str) -> None:
    """Take over a list of (text, status) that a tool keeps as a whole: one task with its steps done and left.

    A list that shares an item with the last one is that list changed; any other begins anew, and the last one, which its tool shows no
    longer, is closed. Once all of a list was done, only one that still has something of it done is that list. The current request becomes
    the task of its first list.
    """
    done = steps_of([text for text, status in items if status == "completed"])
    active = [text for text, status in items if status == "in_progress"]
    left = steps_of([*active, *(text for text, status in items if status == "pending")])
    if not done and not left:
        return
    state = step.state
    last = state.tasks.get(state.plan_key) or state.closed.get(state.plan_key) or _carried_list(step, (*done, *left))
    goes_on = last is not None and (
        last.status is not TaskStatus.COMPLETED or not {*map(normal, last.steps_done)}.isdisjoint(map(normal, done))
    )
    same = last is not None and goes_on and _overlap((*last.steps_done, *last.steps_left), (*done, *left))
    if last is not None and not same and last.status is not TaskStatus.COMPLETED:
        put(step, replace(last, status=TaskStatus.COMPLETED, last_seq=step.seq, blocking_reason="no longer on the list"))
    base = last if same else _adopted(step)
    if base is None and not title and len(items) >= 2 and method not in _PLANS:  # nobody asked for one thing of which these are the steps
        begin_list(step, [(text, _OF_LISTS.get(status, TaskStatus.NOT_STARTED)) for text, status in items], asked=False)
        return
    asked = "" if same or base is None else _of_work(step)
    description = _described(title) or _described(asked) or (base.description if base else "") or (left or done)[0]
    status = TaskStatus.COMPLETED if not left else TaskStatus.IN_PROGRESS if active or done else TaskStatus.NOT_STARTED
    if left and len(left) == 1 and len(done) >= 3:
        status = TaskStatus.NEAR_COMPLETION
    seq = base.seq if base else step.seq
    task = Task(base.key if base else key_of(step, method, step.seq, ""), description, status, seq, step.seq, method, done, left)
    state.plan_key = task.key
    put(step, task)


def _adopted(step: FoldStep) -> Task | None:
    task = request(step)
    return task if task is not None and task.method == "request" else None


def _of_work(step: FoldStep) -> str:
    """What the person asked for first where the latest message only goes on with it: a list that is made then is of the whole work."""
    rows = progress.joined(step.state.requests)
    return in_work(rows)[0].text.text if rows and rows[-1].continues else ""


def _carried_list(step: FoldStep, steps: tuple[str, ...]) -> Task | None:
    """The open task of an earlier session whose steps a new list takes up."""
    return next((t for t in step.state.tasks.values() if t.method == "carried" and _overlap((*t.steps_done, *t.steps_left), steps)), None)


def carried(step: FoldStep, description: str) -> Task | None:
    """The open task of an earlier session with these words."""
    words = normal(description)
    return next((t for t in step.state.tasks.values() if t.method == "carried" and normal(t.description) == words), None)


def _overlap(before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Whether two lists are one: a single step that many lists have, such as running the tests, makes them none."""
    first, second = {normal(text) for text in before}, {normal(text) for text in after}
    shared = len(first & second)
    return shared > 0 and shared * SHARED >= min(len(first), len(second))


def by_tool_id(step: FoldStep, tool_id: str) -> Task | None:
    """The latest task to which a tool gave this id."""
    for place in (step.state.tasks, step.state.closed):
        for task in reversed(place.values()):
            if task.tool_id == tool_id:
                return task
    return None
