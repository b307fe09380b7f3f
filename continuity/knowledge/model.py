"""Knowledge of a conversation: anchors, tasks, files touched and the working situation. Plain values, no storage."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from continuity.knowledge.coverage.carried import Carried
from continuity.knowledge.evidence import (
    CalledInstructions,
    ChangedFile,
    Choice,
    CodeEdit,
    CodeExcerpt,
    Failure,
    MadeOutside,
    MisusedCommand,
    Plan,
    RefusedCall,
    WorkPart,
)
from continuity.knowledge.handoff_note import CheckedNote


class AnchorType(StrEnum):
    """Kinds of things that must survive (the compression engine's eight, and ours: constraint, failed approach)."""

    COMMITMENT = "Commitment"
    DECISION = "Decision"
    QUESTION = "UnresolvedQuestion"
    FACT = "CriticalFact"
    CORRECTION = "Correction"
    PREFERENCE = "UserPreference"
    ERROR = "ErrorContext"
    ARTIFACT = "CodeArtifact"
    CONSTRAINT = "Constraint"
    FAILED_APPROACH = "FailedApproach"


class Truth(StrEnum):
    OBSERVED = "observed"  # a tool showed it
    CLAIMED = "claimed"  # the agent said it
    STATED = "stated"  # a person said it


class AnchorState(StrEnum):
    CURRENT = "current"
    SUPERSEDED = "superseded"
    RESOLVED = "resolved"
    DISMISSED = "dismissed"


AS_ASKED = "done as asked"  # the reason of a task that was shown to be done: it stays so, whatever the agent does next


class TaskStatus(IntEnum):
    """CONT-01's five, and completed."""

    NOT_STARTED = 0
    IN_PROGRESS = 1
    BLOCKED = 2
    AWAITING_INPUT = 3
    NEAR_COMPLETION = 4
    COMPLETED = 5


class FileAction(StrEnum):
    CREATED = "created"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"
    READ = "read"


@dataclass(frozen=True, slots=True)
class Ref:
    """Where words stand: message `seq`, index of the part, and the half-open character span in the part's text."""

    seq: int
    part: int = 0
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Anchor:
    """Something that must survive, in its own words.

    `key` is stable: the same words at the same place in a conversation give the same key. `text` is verbatim.
    `importance` is 0..1 (base by type). `subject` is the normalised topic by which a later anchor supersedes an
    earlier one. `rationale` and `rejected` are verbatim too, where the conversation gives them. `settled_seq` is the
    message that superseded or resolved it.
    """

    key: str
    type: AnchorType
    text: str
    ref: Ref
    importance: float
    truth: Truth
    method: str
    critical: bool = False
    state: AnchorState = AnchorState.CURRENT
    superseded_by: str = ""
    settled_seq: int | None = None
    subject: str = ""
    rationale: str = ""
    rejected: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """A unit of work; `seq` first named it, `last_seq` last changed it. `tool_id` is the id its tool gave it."""

    key: str
    description: str
    status: TaskStatus
    seq: int
    last_seq: int
    method: str
    steps_done: tuple[str, ...] = ()
    steps_left: tuple[str, ...] = ()
    blocking_reason: str = ""
    tool_id: str = ""

    @property
    def progress(self) -> float:
        """Percentage done, 0..100, from the steps; a completed task is 100."""
        if self.status is TaskStatus.COMPLETED:
            return 100.0
        total = len(self.steps_done) + len(self.steps_left)
        return round(100.0 * len(self.steps_done) / total, 1) if total else 0.0


@dataclass(frozen=True, slots=True)
class FileTouch:
    """What happened to one path between two checkpoints (`epoch`); `note` is a rename's other path or a line range, `symbols` the
    names that edits newly defined there, the latest last."""

    path: str
    action: FileAction
    seq: int
    last_seq: int
    epoch: int = 0
    count: int = 1
    note: str = ""
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandRun:
    """A shell command and how it ended; `passed` is None where nothing told."""

    command: str
    seq: int
    exit_code: int | None = None
    passed: bool | None = None
    result: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words with their place."""

    text: str
    ref: Ref


@dataclass(frozen=True, slots=True)
class Situation:
    """Where the work stands after the last message folded.

    `waiting` is True when the session waits for the person, False when the agent should go on, None when unknown;
    `waiting_for` holds the words that say so. `begun` says that something was changed since the next step was announced,
    `looked_up` that it was a look or a run which came with its result. `elsewhere` is the directory from which paths are told, where `cwd`
    lies in another one, `moved` the message since which it does.
    `verification` is the last run of the project's checks, `checks` the last run of each of them. `trees` tell the git
    working tree as it was first and last seen. `looked` are the places looked at since the person last spoke, `outside`
    what was changed elsewhere than in files, by tool, `names` the exact names in use, those used most and latest first. `unanswered`
    are calls that stand at the end without a result: nobody knows whether they were carried out, `looking` those that only look.

    `changed` tells of each changed file whether it is committed, `blocked` the last commits, pushes and the like that were refused and not
    carried out since. `parts` are the parts of the work, the latest last. `edits` are the newest ones of the unfinished step: since
    the last commit or passing check, `sketches` what was changed in each file, `hunks` the changed lines themselves, `undone` the
    files in which nothing is left of it, `unwritten` what the calls without a result would change, `excerpts` code that was read.
    `failures` are those of the checks that failed last. `misused` are commands that their program did not understand, `searched` what the
    last searches found. `refusals`, `choices` and `plan` are what the person decided in tools' dialogs, `planning`
    that the tool is in plan mode, in which nothing is changed before the person approves a plan, `made` what was made elsewhere,
    `results` the last short results word for word, `reports` what the last sub-agents found out, `called` the instructions of a command or
    a skill that the person called, `sent` what sub-agents were told whose answers are still out,
    `to_try` what a long request asks to be tried in the end and no call did.
    """

    objective: Quote | None = None
    latest_request: Quote | None = None
    next_step: Quote | None = None
    waiting: bool | None = None
    waiting_for: Quote | None = None
    cwd: str = ""
    branch: str = ""
    verification: CommandRun | None = None
    recent_commands: tuple[CommandRun, ...] = ()
    commits: tuple[Quote, ...] = ()
    running: tuple[str, ...] = ()
    sent: tuple[Quote, ...] = ()
    checks: tuple[CommandRun, ...] = ()
    trees: tuple[Quote, ...] = ()
    looked: tuple[Quote, ...] = ()
    outside: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    begun: bool = False
    looked_up: bool = False
    elsewhere: str = ""
    moved: int = 0
    unanswered: tuple[Quote, ...] = ()
    looking: tuple[Quote, ...] = ()
    changed: tuple[ChangedFile, ...] = ()
    blocked: tuple[CommandRun, ...] = ()
    parts: tuple[WorkPart, ...] = ()
    edits: tuple[CodeEdit, ...] = ()
    sketches: tuple[CodeEdit, ...] = ()
    hunks: tuple[CodeEdit, ...] = ()
    unwritten: tuple[CodeEdit, ...] = ()
    undone: tuple[str, ...] = ()
    excerpts: tuple[CodeExcerpt, ...] = ()
    failures: tuple[Failure, ...] = ()
    misused: tuple[MisusedCommand, ...] = ()
    searched: tuple[Quote, ...] = ()
    refusals: tuple[RefusedCall, ...] = ()
    choices: tuple[Choice, ...] = ()
    plan: Plan | None = None
    planning: bool = False
    made: tuple[MadeOutside, ...] = ()
    results: tuple[Quote, ...] = ()
    reports: tuple[Quote, ...] = ()
    called: CalledInstructions | None = None
    to_try: CalledInstructions | None = None


@dataclass(frozen=True, slots=True)
class AnchorFound:
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class AnchorSettled:
    """A current anchor was superseded, resolved or retracted by message `seq`."""

    key: str
    state: AnchorState
    seq: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class TaskChanged:
    task: Task


@dataclass(frozen=True, slots=True)
class FileTouched:
    """The file's row as it now stands; the key is path, action and epoch."""

    file: FileTouch


Change = AnchorFound | AnchorSettled | TaskChanged | FileTouched


@dataclass(frozen=True, slots=True)
class Turn:
    """One person's message and the last answer to it, shortened, for the recent past of a package; `said` is what the
    agent told in it, and `thought` where its last thought arrived, both kept while the turn lasts; `weighed` are sentences of its thoughts
    that doubt, suppose or turn round, kept while the next one lasts, too."""

    seq: int
    request: Quote | None
    answer: Quote | None
    said: tuple[Quote, ...] = ()
    thought: Quote | None = None
    weighed: tuple[Quote, ...] = ()


class RequestKind(StrEnum):
    """What a message of the person is."""

    REQUEST = "request"
    QUESTION = "question"
    REPORT = "report"  # of what went wrong, or a mere paste: to be looked into
    CORRECTION = "correction"
    ANSWER = "answer"  # to what the agent had asked or offered
    RULE = "rule"  # nothing but what holds from now on
    REMARK = "remark"
    PARTING = "parting"  # the person leaves, or says what they do themselves: nothing is asked of the agent
    GO_ON = "go on"
    SUMMARY = "summary"  # a tool's own summary of what came before


class RequestState(StrEnum):
    """What became of a message of the person."""

    OPEN = "open"
    DONE = "done"
    ANSWERED = "answered"  # in words, without a change
    WITHDRAWN = "withdrawn"  # by the person
    REPLACED = "replaced"  # left unfinished for what the person asked next


@dataclass(frozen=True, slots=True)
class RequestStep:
    """A step of the work for a request: the agent's words before it, the paths that it changed, the check that it ended with, and why
    that failed."""

    said: str
    seq: int
    files: tuple[str, ...] = ()
    check: str = ""
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One message of the person and what came of it until the next one.

    `text` are the person's own words, `pasted` one line of what they put beside them, `command` the tool's command that they called.
    `outcome` are the agent's last words, `tells` whether they report something rather than announce, `told` what it reported before
    them in the same turn, oldest first. `files` are the paths that were changed, `commits` those made, `check` the last run of a check
    and how it ended. `interrupted` says that the person stopped the turn. `last_seq` is the last message that belongs to it.

    `continues` says that it belongs to the work of the message before it. `state` is what became of it, for the message that began a
    piece of work with all that continues it, and `evidence` what shows so. `answers` is what the agent had asked or offered that it
    answers. `steps` is the work in its order, of an older one what tells most.
    """

    seq: int
    kind: RequestKind
    text: Quote
    last_seq: int
    outcome: Quote | None = None
    tells: bool = False
    told: tuple[Quote, ...] = ()
    files: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    check: str = ""
    interrupted: bool = False
    continues: bool = False
    state: RequestState = RequestState.OPEN
    evidence: str = ""
    answers: Quote | None = None
    command: str = ""
    pasted: str = ""
    steps: tuple[RequestStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything a package is assembled from: bounded, however long the conversation.

    `anchors` are current, most important first; `superseded` the latest superseded decisions, for "not X". `tasks` are
    the open ones and the recently completed. `files` are merged per path, most recent first. `turns` are the recent
    ones, oldest first, `requests` the ledger of what the person said and what came of it, `brief` the parts of a long request.
    `through_seq` is the last message folded; `messages` and `tokens` count the conversation. `retold` is a model's summary of the latest
    stretches, where one was asked; `note` the handoff note that goes into a package, checked. `carried` are the units of the
    conversation's words that tell most.
    """

    anchors: tuple[Anchor, ...] = ()
    superseded: tuple[Anchor, ...] = ()
    tasks: tuple[Task, ...] = ()
    files: tuple[FileTouch, ...] = ()
    situation: Situation = field(default_factory=Situation)
    turns: tuple[Turn, ...] = ()
    requests: tuple[Request, ...] = ()
    brief: tuple[Quote, ...] = ()
    through_seq: int = 0
    messages: int = 0
    tokens: int = 0
    anchors_total: int = 0
    retold: str = ""
    note: CheckedNote | None = None
    carried: Carried = field(default_factory=Carried)
