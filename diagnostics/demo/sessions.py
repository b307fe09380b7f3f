"""Writing a session of a theme: the request, reading, changes, a check that fails and then passes, questions and answers."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import PurePosixPath

from continuity.transcripts.base.model import Message, Part, PartKind, Role, Usage, Voice
from continuity.usage.tokens import counter_for, message_tokens
from diagnostics.demo import outputs
from diagnostics.demo.dialects import DIALECTS, Call, Dialect
from diagnostics.demo.files import REPOSITORIES, Tree
from diagnostics.demo.themes import Theme

OPENINGS = ["I'll look at {file} first.", "Now {step}.", "Next is: {step}.", "Let me see what {file} does today.", "On to {step}."]
DONE = ["{Step} is done and the tests pass.", "That works: {step}.", "Done with {step}; {passed} tests pass.", "{file} does it now."]
NODS = ["Good. Go on.", "Looks right, please go on.", "Yes, continue."]
COMMIT = "Fine. Please commit this before the next step."
# What fills a tool's window before anybody says a word: its own instructions, the tools' descriptions, the project's rules.
OVERHEAD = {"claude-code": 17_400, "codex": 9_800, "gemini-cli": 10_600, "opencode": 12_900, "copilot-cli": 14_200}


@dataclass(frozen=True, slots=True)
class Stretch:
    """What of a theme a session covers: its steps `first` to `last` (exclusive), in `tool` with `model`, from `begin` on.

    `asked` is what is asked for on the way, with what the agent says when it is done;
    `filled` is how many tokens are in the window towards its end, `seed` makes its small talk different from another's, `tree` is
    the repository as it stands, which the session changes.
    """

    theme: Theme
    first: int
    last: int
    begin: datetime
    tool: str
    model: str
    filled: int
    seed: str
    asked: Sequence[tuple[str, str]]
    tree: Tree
    blocked: bool = False

    @property
    def cwd(self) -> str:
        return f"/workspaces/{self.theme.repo}"


@dataclass(slots=True)
class _Pen:
    """Writes one message after the other, a little later each, and counts what is in the window by then."""

    stretch: Stretch
    rng: random.Random
    at: datetime
    context: int
    number: int = 0
    seen: set[str] = field(default_factory=set)

    @property
    def dialect(self) -> Dialect:
        return DIALECTS[self.stretch.tool]

    def say(self, role: Role, *parts: Part, wait: tuple[int, int] = (4, 50)) -> Message:
        self.number += 1
        self.at += timedelta(seconds=self.rng.randrange(*wait))
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

    def person(self, text: str) -> Message:
        return self.say(Role.USER, Part(PartKind.TEXT, Voice.PERSON, text), wait=(40, 400))

    def agent(self, text: str) -> Message:
        return self.say(Role.ASSISTANT, Part(PartKind.TEXT, Voice.AGENT, text))

    def call(self, call: Call, result: str, *, exit_code: int | None = None) -> Iterator[Message]:
        call_id = f"{self.stretch.seed}-c{self.number}"
        name, arguments = call
        yield self.say(Role.ASSISTANT, Part(PartKind.TOOL_CALL, Voice.AGENT, name=name, call_id=call_id, input=arguments))
        failed = bool(exit_code) if exit_code is not None else None
        yield self.say(Role.TOOL, Part(PartKind.TOOL_RESULT, Voice.TOOL, result, call_id=call_id, failed=failed, exit_code=exit_code))

    def run(self, command: str, result: str, exit_code: int = 0) -> Iterator[Message]:
        yield from self.call(self.dialect.run(command), result, exit_code=exit_code)


def write(stretch: Stretch) -> list[Message]:
    """The messages of a session, the same for the same stretch; each of the agent tells how full its window is by then, which is what
    was said and done so far, and the tool's own overhead."""
    return list(_session(_Pen(stretch, random.Random(stretch.seed), stretch.begin, OVERHEAD[stretch.tool])))


def _session(pen: _Pen) -> Iterator[Message]:
    theme, stretch = pen.stretch.theme, pen.stretch
    if stretch.first == 0:
        yield pen.person("\n".join([theme.request, "", *theme.rules]))
        yield pen.agent(f"I'll read the code around it first, beginning with {theme.files[0]}.")
        yield from _plan(pen, 0)
        yield from _read(pen, theme.files[0])
        yield pen.agent(theme.question)
        yield pen.person(theme.answer)
        yield pen.agent(theme.decision)
    else:
        yield pen.person(f"Go on with “{theme.steps[stretch.first]}”, as the last session left it.")
        yield from _plan(pen, stretch.first)
    asked = list(stretch.asked)
    start, steps = pen.context, stretch.last - stretch.first
    for number in range(stretch.first, stretch.last):
        yield from _step(pen, number, start + (stretch.filled - start) * (number + 1 - stretch.first) // steps)
        if number + 1 == stretch.last:
            break
        if asked and number > stretch.first:
            yield from _asked(pen, *asked.pop(0))
        if pen.rng.random() < 0.3 and stretch.tree.dirty:
            yield pen.person(COMMIT)
            yield from _commit(pen, theme.steps[number])
        else:
            yield pen.person(pen.rng.choice(NODS))
    for request, reply in asked:
        yield from _asked(pen, request, reply)
    yield from _ending(pen)


def _asked(pen: _Pen, request: str, reply: str) -> Iterator[Message]:
    """Something that a person asks on the way, and what is done about it."""
    theme = pen.stretch.theme
    yield pen.person(request)
    yield from _change(pen, theme.code(theme.more.index(request)))
    yield from pen.run(theme.test, outputs.check(theme, theme.passed, pen.stretch.tree, pen.rng))
    yield pen.agent(reply)


def _step(pen: _Pen, number: int, filled: int) -> Iterator[Message]:
    theme, first = pen.stretch.theme, pen.stretch.first
    step, path = theme.steps[number], theme.code(number)
    words = {"step": step[0].lower() + step[1:], "Step": step, "file": PurePosixPath(path).name, "passed": str(_passed(theme, number) + 1)}
    yield pen.agent(pen.rng.choice(OPENINGS).format(**words))
    yield from _read(pen, path)
    yield from _look_around(pen, filled)
    yield from _change(pen, path)
    for test in theme.tests[:1]:
        yield from _change(pen, test)
    if number == first:
        yield from pen.run(theme.test, outputs.check(theme, _passed(theme, number), pen.stretch.tree, pen.rng, theme.error), 1)
        yield pen.agent(theme.failed if first == 0 else f"The check fails because {path} still does it the old way.")
        yield from _change(pen, path)
    yield from pen.run(theme.test, outputs.check(theme, _passed(theme, number) + 1, pen.stretch.tree, pen.rng))
    yield from _plan(pen, number + 1)
    yield pen.agent(pen.rng.choice(DONE).format(**words))


def _look_around(pen: _Pen, filled: int) -> Iterator[Message]:
    """Reads and searches until so much is in the window: most of a session is that."""
    theme, tree = pen.stretch.theme, pen.stretch.tree
    others = [path for path in REPOSITORIES[theme.repo] if path not in pen.seen]
    pen.rng.shuffle(others)
    while pen.context < filled:
        kind = pen.rng.random()
        if kind < 0.55 and others:
            yield from _read(pen, others.pop())
        elif kind < 0.7 and tree.dirty:
            yield from pen.run("git diff", outputs.diff(tree))
        elif kind < 0.85 or "-" not in theme.repo:
            word = pen.rng.choice(outputs.WORDS)
            yield from pen.run(f"rg -n {word}", outputs.search(tree, word, pen.rng))
        else:
            yield from pen.run("journalctl -u tidewatch --since -1h --no-pager", outputs.journal(pen.at, pen.rng))


def _ending(pen: _Pen) -> Iterator[Message]:
    theme, stretch = pen.stretch.theme, pen.stretch
    if stretch.tree.dirty and (stretch.blocked or stretch.last == len(theme.steps)):
        yield from _commit(pen, theme.steps[stretch.last - 1] if stretch.blocked else theme.title)
    if stretch.blocked:
        yield pen.agent(f"I can't proceed with “{theme.steps[stretch.last]}”: {theme.blocked}. Everything before it is committed.")
    elif stretch.last < len(theme.steps):
        steps = len(theme.steps) - stretch.last
        left = "1 step is" if steps == 1 else f"{steps} steps are"
        yield pen.agent(f"That is all for today. The next step is “{theme.steps[stretch.last]}”; {left} left.")
    else:
        yield pen.agent(f"All {len(theme.steps)} steps are done and committed to {theme.branch}.")


def _commit(pen: _Pen, subject: str) -> Iterator[Message]:
    made = pen.stretch.tree.commit()
    yield from pen.run(f'git commit -am "{subject}"', outputs.committed(pen.stretch.theme.branch, subject, made))


def _plan(pen: _Pen, done: int) -> Iterator[Message]:
    states = ["completed" if i < done else "in_progress" if i == done else "pending" for i in range(len(pen.stretch.theme.steps))]
    todos = list(zip(pen.stretch.theme.steps, states, strict=True))
    yield from pen.call(pen.dialect.plan(todos), pen.dialect.planned)


def _read(pen: _Pen, path: str) -> Iterator[Message]:
    lines = pen.stretch.tree.lines(path)
    pen.seen.add(path)
    yield from pen.call(pen.dialect.read(f"{pen.stretch.cwd}/{path}", len(lines)), pen.dialect.shown(lines))


def _change(pen: _Pen, path: str) -> Iterator[Message]:
    old, new = pen.stretch.tree.change(path, pen.rng)
    whole = f"{pen.stretch.cwd}/{path}"
    yield from pen.call(pen.dialect.edit(whole, old, new), pen.dialect.changed.format(path=whole))


def _passed(theme: Theme, number: int) -> int:
    return max(1, theme.passed - len(theme.steps) + number)
