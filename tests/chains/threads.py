"""What a story is told of: threads of statements on one matter, and what holds in the end."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Statement:
    """Words of a kind (`rule`, `prohibition`, `limit`, `preference`, `decision`, `fact`, `correction`, `question`,
    `commitment`) and the tokens without which they are not told. `echo` is what the agent answers; `by` who speaks."""

    kind: str
    words: str
    tokens: tuple[str, ...]
    echo: str = ""
    by: str = "person"


@dataclass(frozen=True)
class Thread:
    """Statements on one matter, each taking the place of the one before; `over` says that the last one only ends the
    matter (a promise kept, a question answered) and need not be told itself."""

    statements: tuple[Statement, ...]
    over: bool = False

    @property
    def holds(self) -> Statement | None:
        return None if self.over else self.statements[-1]

    @property
    def past(self) -> tuple[Statement, ...]:
        return self.statements[:-1]


@dataclass(frozen=True)
class Domain:
    """One kind of work: its threads, the rules of its system prompt, and (request, file, report) of finished jobs."""

    name: str
    cwd: str
    system: tuple[Statement, ...]
    threads: tuple[Thread, ...]
    jobs: tuple[tuple[str, str, str], ...]


def say(kind: str, words: str, tokens: str, echo: str = "", by: str = "person") -> Statement:
    """A statement; `tokens` are divided by bars."""
    return Statement(kind, words, tuple(tokens.lower().split("|")), echo, by)


def stays(kind: str, words: str, tokens: str, echo: str = "", by: str = "person") -> Thread:
    """A thread of one statement that holds to the end."""
    return Thread((say(kind, words, tokens, echo, by),))


def turns(*statements: Statement) -> Thread:
    """A thread in which each statement takes the place of the one before."""
    return Thread(statements)


def ends(*statements: Statement) -> Thread:
    """A thread that is over with its last statement."""
    return Thread(statements, over=True)
