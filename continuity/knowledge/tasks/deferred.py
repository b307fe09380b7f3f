"""Requests that are put off for something else first: they stay to be done, and words take them up again."""

from __future__ import annotations

import re
from dataclasses import replace

from continuity.knowledge.language.clip import shorten
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.requests import is_request
from continuity.knowledge.language.sentences import Sentence, lowered
from continuity.knowledge.language.subjects import covers
from continuity.knowledge.model import Quote, Ref, Task, TaskStatus
from continuity.knowledge.state.step import FoldStep
from continuity.knowledge.tasks import tracking

METHOD = "aside"  # of a task that was put off
QUOTE = 500  # characters of an objective
KEPT = 3  # put off at the same time; of more, the oldest is let go
DONE = 0.5  # of its words that an agent's statement names which tells of it as done
NAMED = 0.75  # of the words with which something is taken up that name the request

_DEFERS = re.compile(
    r"^(?:(?:ok|okay|wait|hold on|actually|hmm+|but|and|so|well|great|yes|no|sure|right)[,.! —-]+)*"
    r"(?:before (?:we|you|i|that|this|doing|fixing|starting|moving|going|any\w*)\b|first(?:,| let| i\b| we\b| can| could)|but first\b"
    r"|one (?:more )?thing (?:first|before)|not (?:yet|now)\b)"
    r"|\b(?:park|set|put|leave) (?:that|it|this) (?:aside|for (?:now|later))\b|\b(?:come|get) back to (?:that|it|this)\b"
    r"|\b(?:do|fix|handle|tackle) (?:that|it|this) later\b"
)
_TAKES_UP = re.compile(
    r"\b(?:on(?:to| to| with)|back to|return(?:ing)? to|resum(?:e|ing)|pick(?:ing)? (?:back )?up|continue (?:with|on)|go (?:on|ahead) with"
    r"|now (?:for|to)|(?:let's|let us|we can) (?:now )?(?:do|tackle|fix|start|get to|work on|go to)|(?:start|begin) (?:on|with))"
    r" (?:the |our |that |this |my )?(?P<what>[^.?!;:\n]{3,80})"
)


def put_off(step: FoldStep, sentences: list[Sentence], current: Task | None) -> None:
    """The current request stays to be done, where the person wants something else first and nothing was done for it yet."""
    if current is None or current.key not in step.state.tasks or not tracking.untouched(step, current):
        return
    if any(_DEFERS.search(lowered(sentence.text)) for sentence in sentences[:3]):
        _keep(step, current)


def take_up(step: FoldStep, sentences: list[Sentence]) -> Task | None:
    """The request that the person's words lead back to, open again; it is the objective. None where there is none."""
    found = next((task for sentence in sentences if (task := _named(step, sentence.text)) is not None), None)
    if found is not None:
        _keep(step, replace(found, last_seq=step.seq))
        step.state.objective = shorten(Quote(found.description, Ref(found.seq)), QUOTE)
    return found


def resume(step: FoldStep, task: Task) -> None:
    """What was taken up again is the current request."""
    tracking.close_requests(step)
    tracking.put(step, replace(task, method="request", status=TaskStatus.NOT_STARTED, blocking_reason="", last_seq=step.seq))
    step.state.request_key = task.key


def close(step: FoldStep, told: list[str]) -> None:
    """End what was put off and is told as done."""
    for task in step.state.tasks.values():
        if task.method == METHOD and any(covers(" ".join(content(task.description, 60)), text, DONE) for text in told):
            tracking.put(step, replace(task, status=TaskStatus.COMPLETED, blocking_reason="", last_seq=step.seq))


def only_takes_up(sentences: list[Sentence]) -> bool:
    """Whether no sentence asks for anything but to go on with what was put off."""
    return not any(is_request(s.text) and not _TAKES_UP.search(lowered(s.text)) for s in sentences)


def _named(step: FoldStep, text: str) -> Task | None:
    """The latest request that the words behind "on to" or "back to" name, but for the current one."""
    match = _TAKES_UP.search(lowered(text))
    words = content(match["what"], 12) if match else ()
    if len(words) < 2:
        return None
    for place in (step.state.tasks, step.state.closed):
        for task in reversed(place.values()):
            if task.method in (METHOD, "request") and task.key != step.state.request_key and _names(words, task):
                return task
    return None


def _names(words: tuple[str, ...], task: Task) -> bool:
    known = {*content(task.description, 60)}
    return sum(word in known for word in words) >= NAMED * len(words)


def _keep(step: FoldStep, task: Task) -> None:
    tracking.put(step, replace(task, method=METHOD, status=TaskStatus.NOT_STARTED, blocking_reason=""))
    kept = [each for each in step.state.tasks.values() if each.method == METHOD]
    for old in kept[:-KEPT]:
        tracking.put(step, replace(old, status=TaskStatus.COMPLETED, blocking_reason="", last_seq=step.seq))
