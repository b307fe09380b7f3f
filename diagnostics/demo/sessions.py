"""Writing a session of a theme: the request, reading, changes, a check that fails and then passes, questions and answers."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from continuity.transcripts.base.model import Message, Part, PartKind, Role, Usage, Voice
from diagnostics.demo import files
from diagnostics.demo.dialects import DIALECTS, Call
from diagnostics.demo.themes import Theme

OPENINGS = ["I'll look at {file} first.", "Now {step}.", "Next is: {step}.", "Let me see what {file} does today.", "On to {step}."]
DONE = ["{step} is done and the tests pass.", "That works: {step}.", "Done with {step}; {passed} tests pass.", "{file} does it now."]
NODS = ["Good. Go on.", "Looks right, please go on.", "Yes, continue.", "Fine. Please commit this before the next step."]


@dataclass(frozen=True, slots=True)
class Stretch:
    """What of a theme a session covers: its steps `first` to `last` (exclusive), in `tool` with `model`, from `begin` on.

    `filled` is the share of the window in use at its end (0..1), `seed` makes its small talk different from another's.
    """

    theme: Theme
    first: int
    last: int
    begin: datetime
    tool: str
    model: str
    filled: float
    seed: str
    window: int
    blocked: bool = False


@dataclass(slots=True)
class _Pen:
    """Writes one message after the other, a little later each."""

    stretch: Stretch
    rng: random.Random
    at: datetime
    number: int = 0

    def say(self, role: Role, *parts: Part) -> Message:
        self.number += 1
        self.at += timedelta(seconds=self.rng.randrange(4, 90))
        return Message(
            role=role,
            parts=parts,
            external_id=f"{self.stretch.seed}-{self.number}",
            at=self.at,
            model=self.stretch.model if role is Role.ASSISTANT else "",
            cwd=self.stretch.theme.cwd,
            branch=self.stretch.theme.branch,
        )

    def person(self, text: str) -> Message:
        return self.say(Role.USER, Part(PartKind.TEXT, Voice.PERSON, text))

    def agent(self, text: str) -> Message:
        return self.say(Role.ASSISTANT, Part(PartKind.TEXT, Voice.AGENT, text))

    def call(self, call: Call, result: str, *, exit_code: int | None = None) -> Iterator[Message]:
        call_id = f"{self.stretch.seed}-c{self.number}"
        name, arguments = call
        yield self.say(Role.ASSISTANT, Part(PartKind.TOOL_CALL, Voice.AGENT, name=name, call_id=call_id, input=arguments))
        failed = bool(exit_code) if exit_code is not None else None
        yield self.say(Role.TOOL, Part(PartKind.TOOL_RESULT, Voice.TOOL, result, call_id=call_id, failed=failed, exit_code=exit_code))


def write(stretch: Stretch) -> list[Message]:
    """The messages of a session, the same for the same stretch; the last one of the agent tells how full its window is."""
    pen = _Pen(stretch, random.Random(stretch.seed), stretch.begin)
    return _metered(list(_session(pen)), stretch)


def _session(pen: _Pen) -> Iterator[Message]:
    theme, stretch = pen.stretch.theme, pen.stretch
    if stretch.first == 0:
        yield pen.person("\n".join([theme.request, "", *theme.rules]))
        yield pen.agent(f"I'll read the code around it first, beginning with {theme.files[0]}.")
        yield from _read(pen, theme.files[0])
        yield pen.agent(theme.question)
        yield pen.person(theme.answer)
        yield pen.agent(theme.decision)
    else:
        yield pen.person(f"Go on with “{theme.steps[stretch.first]}”, as the last session left it.")
    yield from _plan(pen, stretch.first)
    asked = list(theme.more[:1] if stretch.first == 0 else theme.more[1:])
    for number in range(stretch.first, stretch.last):
        yield from _step(pen, number)
        if number + 1 < stretch.last:
            yield pen.person(asked.pop(0) if asked and number > stretch.first else pen.rng.choice(NODS))
    for request in asked:
        yield pen.person(request)
        yield from _change(pen, pen.rng.choice(theme.files))
    yield from _ending(pen)


def _step(pen: _Pen, number: int) -> Iterator[Message]:
    theme = pen.stretch.theme
    step, path = theme.steps[number], theme.files[number % len(theme.files)]
    words = {"step": step[0].lower() + step[1:], "file": PurePosixPath(path).name, "passed": str(_passed(theme, number))}
    yield pen.agent(pen.rng.choice(OPENINGS).format(**words))
    yield from _read(pen, path)
    yield from _change(pen, path)
    dialect = DIALECTS[pen.stretch.tool]
    if number == pen.stretch.first:
        yield from pen.call(dialect.run(theme.test), _ran(pen, _passed(theme, number), theme.error), exit_code=1)
        yield pen.agent(
            theme.failed if pen.stretch.first == 0 else f"The check fails because {path} still expects the old form. I'll mend it."
        )
        yield from _change(pen, path)
    yield from pen.call(dialect.run(theme.test), _ran(pen, _passed(theme, number) + 1), exit_code=0)
    yield from _plan(pen, number + 1)
    yield pen.agent(pen.rng.choice(DONE).format(**words).capitalize())


def _ending(pen: _Pen) -> Iterator[Message]:
    theme, stretch = pen.stretch.theme, pen.stretch
    if stretch.blocked:
        yield pen.agent(f"I can't proceed with “{theme.steps[stretch.last]}”: {theme.blocked}. Everything before it is committed.")
    elif stretch.last < len(theme.steps):
        steps = len(theme.steps) - stretch.last
        left = "1 step is" if steps == 1 else f"{steps} steps are"
        yield pen.agent(f"I'll stop here. Next I'll do “{theme.steps[stretch.last]}”; {left} left.")
    else:
        commit = f'git commit -am "{theme.title}"'
        yield from pen.call(
            DIALECTS[stretch.tool].run(commit),
            f"[{theme.branch} {pen.rng.randrange(16**7):07x}] {theme.title}\n {len(theme.files)} files changed, "
            f"{pen.rng.randrange(40, 300)} insertions(+), {pen.rng.randrange(5, 60)} deletions(-)",
            exit_code=0,
        )
        yield pen.agent(f"All {len(theme.steps)} steps are done and committed to {theme.branch}.")


def _plan(pen: _Pen, done: int) -> Iterator[Message]:
    states = ["completed" if i < done else "in_progress" if i == done else "pending" for i in range(len(pen.stretch.theme.steps))]
    todos = list(zip(pen.stretch.theme.steps, states, strict=True))
    yield from pen.call(DIALECTS[pen.stretch.tool].plan(todos), "The list of work is updated.")


def _read(pen: _Pen, path: str) -> Iterator[Message]:
    lines = [f"{number:5d}\t{line}" for number, line in enumerate(files.lines_of(path, pen.stretch.theme.title), start=1)]
    yield from pen.call(DIALECTS[pen.stretch.tool].read(f"{pen.stretch.theme.cwd}/{path}"), "\n".join(lines))


def _change(pen: _Pen, path: str) -> Iterator[Message]:
    old, new = files.change_of(path, pen.stretch.theme.title, pen.rng)
    call = DIALECTS[pen.stretch.tool].edit(f"{pen.stretch.theme.cwd}/{path}", old, new)
    yield from pen.call(call, f"The file {path} has been updated.")


def _ran(pen: _Pen, passed: int, error: str = "") -> str:
    """What a test run prints; the error and the count are what rules find in it."""
    theme, seconds = pen.stretch.theme, f"{pen.rng.randrange(80, 900) / 100:.2f}"
    tests = [path for path in theme.files if "test" in path] or list(theme.files[:1])
    said = [f"$ {theme.test}", "", *(f"{path} {'.' * min(passed, 40)}{'F' if error else ''}" for path in tests[:2]), ""]
    if error:
        return "\n".join(
            [*said, "=== FAILURES ===", *files.lines_of(tests[0], theme.title)[:8], error, "", f"1 failed, {passed} passed in {seconds}s"]
        )
    return "\n".join([*said, f"{passed} passed in {seconds}s"])


def _passed(theme: Theme, number: int) -> int:
    return max(1, theme.passed - len(theme.steps) + number)


def _metered(messages: Sequence[Message], stretch: Stretch) -> list[Message]:
    """With what the provider reports on the agent's messages: the window fills evenly, most of it read from the cache."""
    start = min(0.08, stretch.filled / 2)
    metered = []
    for number, message in enumerate(messages, start=1):
        usage = None
        if message.role is Role.ASSISTANT:
            tokens = int(stretch.window * (start + (stretch.filled - start) * number / len(messages)))
            usage = Usage(input=tokens // 20, output=tokens // 60, cache_read=tokens - tokens // 20 - tokens // 60)
        metered.append(replace(message, usage=usage, usage_id=f"u-{message.external_id}" if usage else ""))
    return metered
