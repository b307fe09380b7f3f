"""Writing a session of the demo from its script: each step as messages, at its time, with what is in the window by then."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha1

from continuity.transcripts.base.model import Message, Part, PartKind, Role, Usage, Voice
from continuity.usage.tokens import counter_for, message_tokens
from diagnostics.demo.dialects import DIALECTS, Call, Dialect
from diagnostics.demo.outputs import printed, shown
from diagnostics.demo.repository import Tree
from diagnostics.demo.scripts import ScriptStep, Theme

# What fills a tool's window before anybody says a word: its own instructions, the tools' descriptions, the project's rules.
OVERHEAD = {"claude-code": 17_100, "codex": 9_600, "gemini-cli": 10_300, "opencode": 12_200, "copilot-cli": 13_900}
VARIES = 1_600  # with what else is switched on that day
_TOOK = re.compile(r"(?:^real\s+(?P<minutes>\d+)m|(?:passed|failed|error) in )(?P<seconds>\d+\.\d+)s", re.MULTILINE)
WORDS_A_SECOND = 12  # that an agent writes


@dataclass(frozen=True, slots=True)
class Stretch:
    """A session of a theme: its steps, in `tool` with `model`, in `cwd`, from `begin` on. It changes `tree`."""

    theme: Theme
    steps: Sequence[ScriptStep]
    begin: datetime
    tool: str
    model: str
    cwd: str
    seed: str
    tree: Tree


@dataclass(slots=True)
class _Pen:
    """Writes one message after the other, a little later each, and counts what is in the window by then."""

    stretch: Stretch
    rng: random.Random
    at: datetime
    context: int
    number: int = 0
    read: set[str] = field(default_factory=set)

    @property
    def dialect(self) -> Dialect:
        return DIALECTS[self.stretch.tool]

    def say(self, role: Role, *parts: Part, wait: float) -> Message:
        self.number += 1
        self.at += timedelta(seconds=wait, milliseconds=self.rng.randrange(1000))
        message = partial(
            Message,
            role=role,
            parts=parts,
            external_id=f"{self.stretch.seed}-{self.number}",
            at=self.at,
            cwd=self.stretch.cwd,
            branch=self.stretch.theme.branch,
        )
        before, own = self.context, message_tokens(message(), counter_for(self.stretch.model))
        self.context += own
        if role is not Role.ASSISTANT:
            return message()
        # All that was there is read from the provider's cache, but for what came last.
        fresh = min(before, 1 + before % 400)
        usage = Usage(input=fresh, output=own, cache_read=before - fresh)
        return message(model=self.stretch.model, usage=usage, usage_id=f"u-{self.stretch.seed}-{self.number}")

    def call(self, call: Call, result: str, *, wait: int | None, exit_code: int | None = None) -> Iterator[Message]:
        call_id = "toolu_" + sha1(f"{self.stretch.seed}{self.number}".encode(), usedforsecurity=False).hexdigest()[:20]
        name, arguments = call
        written = sum(len(str(value)) for value in arguments.values()) / 5 / WORDS_A_SECOND
        yield self.say(
            Role.ASSISTANT,
            Part(PartKind.TOOL_CALL, Voice.AGENT, name=name, call_id=call_id, input=arguments),
            wait=3 + written + self.rng.expovariate(1 / 7),
        )
        failed = bool(exit_code) if exit_code is not None else None
        part = Part(PartKind.TOOL_RESULT, Voice.TOOL, result, call_id=call_id, failed=failed, exit_code=exit_code)
        yield self.say(Role.TOOL, part, wait=_seconds(result, self.rng) if wait is None else wait)


def _dated(text: str, at: datetime) -> str:
    """Days are told as `{at:%d.%m.}`, or `{week:%d.%m.}` for the Monday of the week before: a script does not know when it is told."""
    days = {"at": at, "week": at - timedelta(days=at.weekday() + 7)}
    return re.sub(r"\{(at|week):([^}]+)\}", lambda told: f"{days[told[1]]:{told[2]}}", text)


def _seconds(result: str, rng: random.Random) -> float:
    """How long something took: what it says itself, or no time to speak of."""
    told = _TOOK.search(result)
    if told is None:
        return rng.expovariate(2)
    return 60 * float(told["minutes"] or 0) + float(told["seconds"]) + rng.uniform(0.15, 0.4)  # and a start


def write(stretch: Stretch) -> list[Message]:
    """The messages of a session, the same for the same stretch; each of the agent tells how full its window is by then, which is what
    was said and done so far, and the tool's own overhead. Raises ValueError where the script does not fit the files."""
    return [message for _, messages in told(stretch) for message in messages]


def told(stretch: Stretch) -> Iterator[tuple[ScriptStep, Sequence[Message]]]:
    """The same step by step: when a step is given, the files stand as it left them."""
    rng = random.Random(stretch.seed)
    pen = _Pen(stretch, rng, stretch.begin, OVERHEAD[stretch.tool] + rng.randrange(VARIES))
    for step in stretch.steps:
        yield step, list(_step(pen, step))


def _step(pen: _Pen, step: ScriptStep) -> Iterator[Message]:
    tree, dialect, folder = pen.stretch.tree, pen.dialect, pen.stretch.cwd
    whole = step.what if dialect.relative else f"{folder}/{step.what}"
    match step.kind:
        case "person":
            thought = 20 + len(step.body) / 4 + pen.rng.expovariate(1 / 150)
            part = Part(PartKind.TEXT, Voice.PERSON, step.body)
            yield pen.say(Role.USER, part, wait=(thought if pen.number else 0) if step.wait is None else step.wait)
        case "agent":
            part = Part(PartKind.TEXT, Voice.AGENT, step.body)
            thought = 4 + len(step.body) / 5 / WORDS_A_SECOND + pen.rng.expovariate(1 / 12)
            yield pen.say(Role.ASSISTANT, part, wait=thought if step.wait is None else step.wait)
        case "plan":
            yield from pen.call(dialect.plan(step.todos), dialect.planned(step.todos), wait=step.wait)
        case "read":
            path, _, lines = step.what.partition(" ")
            found = shown(tree, path, lines)
            call = dialect.read(path if dialect.relative else f"{folder}/{path}", found[0][0], found[-1][0])
            yield from pen.call(call, dialect.shown(found, len(tree.files[path].splitlines())), wait=step.wait)
        case "write":
            tree.files[step.what] = f"{step.body}\n"
            yield from pen.call(dialect.write(whole, f"{step.body}\n"), dialect.written.format(path=whole), wait=step.wait)
        case "edit":
            tree.edit(step.what, *step.replacement)
            yield from pen.call(dialect.edit(whole, *step.replacement), dialect.changed.format(path=whole), wait=step.wait)
        case "run":
            command, told = (_dated(text, pen.at) for text in (step.what, step.body))
            result = (told if told or step.code else printed(command, tree, pen.at)) or ""
            if step.code:
                result = dialect.failed.format(code=step.code) + result
            yield from pen.call(dialect.run(command, folder), result, wait=step.wait, exit_code=step.code)
        case _:
            raise ValueError(f"no such step: {step.kind}")
