"""Evidence from results: what became of files, code in flux, failures, refusals, choices, plans, parts of the work. Plain values.

Each has the number of the message that showed it (`seq`), at which a reader finds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Keeping(StrEnum):
    """Where a changed file stands in version control, as far as results tell."""

    COMMITTED = "committed"
    STAGED = "staged"
    EDITED_AGAIN = "staged, edited since"
    UNCOMMITTED = "uncommitted"  # a status or diff said so, or it was edited in the turn that lasts and nothing was committed since
    STASHED = "stashed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A changed path and where it stands; `commit` is the short hash, or the subject, where one is known, `seq` the evidence; `shown`
    says that git itself listed the path as changed."""

    path: str
    keeping: Keeping
    seq: int
    commit: str = ""
    shown: bool = False


BY_OTHERS = "git log: "  # before a commit that somebody else made
UNDER_WAY = "git status"  # the run that told of a merge or the like which is not concluded
FAST_FORWARD = " (fast-forward)"  # behind the commit to which a pull moved the branch


def is_by_others(commit: str) -> bool:
    """Whether a commit, in the words in which it is kept, was made elsewhere and only came in."""
    return commit.startswith(BY_OTHERS) or commit.endswith(FAST_FORWARD)


@dataclass(frozen=True, slots=True)
class CodeEdit:
    """An edit as lines marked `-` and `+`, unmarked ones around them; `names` are those that it newly defines, `created` says that
    the file is new, `line` where the change begins, if the tool told, `sketch` its main lines, `cut` that lines of it are left out."""

    path: str
    seq: int
    body: str
    names: tuple[str, ...] = ()
    created: bool = False
    line: int = 0
    sketch: str = ""
    cut: bool = False


@dataclass(frozen=True, slots=True)
class CodeExcerpt:
    """A definition of `name` as a result showed it, with the words about it and what it begins with; `line` is the number of its first
    line, 0 where the result had none."""

    path: str
    seq: int
    name: str
    body: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure of a check: the test or rule, where (`file:line`), what was expected and got, the line that says why. `stale` says
    that files changed since the check ran."""

    check: str
    seq: int
    test: str = ""
    at: str = ""
    expected: str = ""
    got: str = ""
    cause: str = ""
    stale: bool = False


@dataclass(frozen=True, slots=True)
class RefusedCall:
    """A call that the person refused, or `interrupted`: the tool, its path or command, and their words, if any."""

    seq: int
    tool: str
    target: str
    said: str = ""
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A question that the agent put through a tool, the answer chosen and those not chosen."""

    seq: int
    question: str
    chosen: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MisusedCommand:
    """A command that its program did not understand: the line that says so, and the command that was run `instead` and worked."""

    command: str
    seq: int
    told: str
    instead: str = ""


@dataclass(frozen=True, slots=True)
class CalledStep:
    """A step of instructions that were called up: its number, what it is called, its lines, and its literal commands."""

    number: int
    title: str
    lines: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CalledInstructions:
    """What a command or a skill that a person called tells the agent to do: its `steps` in their order, `begun` of which calls matched so
    far; `said` where it has none, and `binding` lines that stand outside of the steps. `values` are what calls put for its placeholders,
    empty where they did not agree."""

    seq: int
    name: str
    steps: tuple[CalledStep, ...] = ()
    said: str = ""
    binding: tuple[str, ...] = ()
    begun: int = 0
    values: tuple[tuple[str, str], ...] = ()


class PlanState(StrEnum):
    WRITTEN = "written"  # to a file, and never put to the person
    PROPOSED = "proposed"
    APPROVED = "approved"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class PlanItem:
    """An item of a plan; `done` is None where nothing tells."""

    text: str
    done: bool | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The latest version of the plan; `path` is its file, if any, `said` what the person said in refusing it."""

    seq: int
    text: str
    state: PlanState
    path: str = ""
    said: str = ""
    items: tuple[PlanItem, ...] = ()


class PartState(StrEnum):
    OPEN = "open"
    IN_PROGRESS = "in progress"
    DONE = "done"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class WorkPart:
    """One part of the work: a task of a tracker or list, else what one commit closed.

    `id` is the tracker's, `wanted` what the tracker printed of it, `files`, `commits` and `check` what happened while it was in
    progress, `closing` the agent's last sentence about it.
    """

    title: str
    state: PartState
    seq: int
    last_seq: int
    id: str = ""
    wanted: str = ""
    files: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    check: str = ""
    closing: str = ""


@dataclass(frozen=True, slots=True)
class MadeOutside:
    """Something made elsewhere: its kind (issue, pull request, run, deployment, container …), its id, and its address if any."""

    kind: str
    id: str
    seq: int
    url: str = ""
