"""Conversations of several sessions in which things are said, changed, answered and done, and what holds at their end."""

from __future__ import annotations

import random
from dataclasses import dataclass

from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from tests.chains.analysis import ANALYSIS
from tests.chains.coding import CODING
from tests.chains.filler import TALK, acts, aside
from tests.chains.ops import OPS
from tests.chains.threads import Domain, Statement, Thread
from tests.chains.writing import WRITING
from tests.words import answered, said

DOMAINS = {domain.name: domain for domain in (CODING, OPS, WRITING, ANALYSIS)}
REPLIES = ("Understood.", "Got it.", "Noted, I'll work that way.", "Okay.", "Thanks, that helps.", "Makes sense.")


@dataclass(frozen=True)
class Story:
    """`hops` are the messages of each session. `holds` must be told in the end, `past` not as if it held: what was replaced,
    each with what replaced it, and what is over. `done` are the requests that were finished, `last` the open one."""

    hops: tuple[tuple[Message, ...], ...]
    holds: tuple[Statement, ...]
    past: tuple[tuple[Statement, Statement], ...]
    done: tuple[str, ...]
    last: str

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(message for hop in self.hops for message in hop)


def story(name: str, hops: int, seed: int, work: int = 6) -> Story:
    """A story of a domain in so many sessions; `work` is how much the agent does for each request."""
    domain = DOMAINS[name]
    rng = random.Random(f"{name}/{hops}/{seed}")
    planned = _schedule(domain, hops, rng)
    told: list[tuple[Message, ...]] = []
    done: list[str] = []
    for hop, statements in enumerate(planned):
        request, path, report = domain.jobs[hop % len(domain.jobs)]
        request = request if hop < len(domain.jobs) else f"{request.rstrip('.?')} once more, round {hop}."
        last = hop == hops - 1
        messages = _system(domain) if hop == 0 else []
        for statement in statements:
            messages += _told(statement, domain, rng)
            if rng.random() < 0.4:
                messages += aside(rng, domain.cwd)
        messages += [said(request, cwd=domain.cwd), *acts(rng, path, domain.cwd, work)]
        if not last:
            messages.append(answered(report, cwd=domain.cwd))
            done.append(request)
        told.append(tuple(messages))
    threads = domain.threads
    return Story(
        tuple(told),
        (*domain.system, *(t.holds for t in threads if t.holds)),
        tuple((old, new) for t in threads for old, new in zip(t.statements, t.statements[1:], strict=False)),
        tuple(done),
        request,
    )


def _schedule(domain: Domain, hops: int, rng: random.Random) -> list[list[Statement]]:
    """Which statements are made in which session: those of one thread in their order, never two of them in one."""
    planned: list[list[Statement]] = [[] for _ in range(hops)]
    for thread in domain.threads:
        for hop, statement in zip(_hops_of(thread, hops, rng), thread.statements, strict=True):
            planned[hop].append(statement)
    for statements in planned:
        rng.shuffle(statements)
    return planned


def _hops_of(thread: Thread, hops: int, rng: random.Random) -> list[int]:
    return sorted(rng.sample(range(hops), len(thread.statements)))


def _system(domain: Domain) -> list[Message]:
    text = " ".join(["You are a careful assistant.", *(statement.words for statement in domain.system), "Be kind."])
    return [Message(Role.SYSTEM, (Part(PartKind.TEXT, Voice.HARNESS, text),), f"system-{domain.name}")]


def _told(statement: Statement, domain: Domain, rng: random.Random) -> list[Message]:
    """A statement by whoever makes it: alone, behind thanks, or in the middle of a long paragraph."""
    if statement.by == "agent":
        before = said("Good. Anything left on your side?", cwd=domain.cwd)
        return [before, answered(f"Nothing that stops us. {statement.words} Everything else is as you left it.", cwd=domain.cwd)]
    form = rng.choice(("alone", "behind", "within", "deep"))
    around = rng.sample(TALK, 6)
    text = {
        "alone": statement.words,
        "behind": f"{around[0]} {statement.words}",
        "within": f"{around[0]} {statement.words} {around[1]}",
        "deep": f"{around[0]} {around[1]} {around[2]} {statement.words} {around[3]} {around[4]}",
    }[form]
    return [said(text, cwd=domain.cwd), answered(statement.echo or rng.choice(REPLIES), cwd=domain.cwd)]
