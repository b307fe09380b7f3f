"""The fold's memory: what later messages can still change, bounded whatever the length of the conversation."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, fields
from typing import Any

from continuity.knowledge import versions
from continuity.knowledge.coverage.keeping import KeptUnits
from continuity.knowledge.coverage.term_uses import TermUses
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
from continuity.knowledge.model import CommandRun, FileTouch, Quote, Request, Task, Turn
from continuity.knowledge.state.bounded_maps import BoundedMap
from continuity.knowledge.state.codec import decode, encode
from continuity.knowledge.state.open_items import OpenAnchor, Pending, Proposal

# Entries and bytes of JSON. They add up to 286 KB, and no session fills all: a state stays under 256 KB (tests/knowledge/test_bounds.py).
OPEN = (2000, 30_000)
QUESTIONS = (80, 8_000)
PROMISES = (80, 8_000)
ERRORS = (80, 8_000)
TASKS = (300, 14_000)
CLOSED = (20, 6_000)
PENDING = (64, 9_000)
RUNNING = (32, 3_000)
TOUCHES = (600, 12_000)
KNOWN = (1000, 13_000)
USAGE = (300, 8_000)
NAMED = (24, 3_000)
CHECKS = (12, 6_000)
OUTSIDE = (24, 5_000)
CHANGED = (200, 7_000)
BLOCKED = (3, 1_500)
EDITS = (6, 7_000)
DRAFTS = (8, 16_000)
SKETCHES = (20, 18_000)
HUNKS = (14, 24_000)
NET = (40, 12_000)
EXCERPTS = (40, 14_000)
FAILURES = (8, 5_000)
MISUSED = (8, 3_500)
SEARCHED = (8, 5_000)
REFUSALS = (6, 3_000)
CHOICES = (8, 3_000)
PARTS = (24, 9_000)
MADE = (24, 3_000)
RESULTS = (6, 2_600)
REPORTS = (3, 5_000)
TERMS = (1000, 18_000)
UNITS = (200, 20_000)


@dataclass(slots=True)
class FoldState:
    """Everything that folding the next message needs to know of all earlier ones.

    `phase` is who acted last in the main conversation: person, agent (words), call, result or interrupted.
    `open`, `questions`, `promises` and `errors` are keyed by the digest of an anchor's normal form, `tasks` and
    `closed` by task key, `touches` by action and path within `epoch`, `known` by the digest of a path,
    `usage` counts the messages that name an identifier, `terms` those that use each term, and `units` are the words that tell most.
    `brief` are the parts of the person's last long request, `short_thought` what the agent thought last, where that was short.
    `generation` counts the conversations before this one in its chain. `changed` tells where changed paths stand in version control,
    `drafts` are edits whose results are out, by call, `edits` those of the unfinished step, `sketches` what was changed by file,
    `hunks` the changed lines themselves of the latest files, `net` what is left of the edits of each
    file since the last commit, `excerpts` code that was read, `failures` are keyed by the digest of
    their check, `edited` is the last message that changed a file, `unclosed` the key of the part of the work that closes with the next
    commit, `head` the commit that the last log of the present branch began with.
    """

    through_seq: int = 0
    messages: int = 0
    turn_count: int = 0
    generation: int = 0
    epoch: int = 0
    root: str = ""
    cwd: str = ""
    branch: str = ""
    head: str = ""
    reported_cwd: str = ""
    reported_branch: str = ""
    phase: str = ""
    finished: bool = False
    acted: bool = False
    done: bool = False
    begun: bool = False
    looked_up: bool = False
    moved: int = 0
    watching: str = ""
    deed: int = 0
    edited: int = 0
    unclosed: tuple[str, ...] = ()
    carried: bool = False
    planning: bool = False
    request_key: str = ""
    plan_key: str = ""
    objective: Quote | None = None
    latest_request: Quote | None = None
    next_step: Quote | None = None
    asking: Quote | None = None
    closing: Quote | None = None
    short_thought: Quote | None = None
    proposal: Proposal | None = None
    verification: CommandRun | None = None
    verification_rank: int = 0
    commands: tuple[CommandRun, ...] = ()
    looked: tuple[Quote, ...] = ()
    commits: tuple[Quote, ...] = ()
    trees: tuple[Quote, ...] = ()
    turns: tuple[Turn, ...] = ()
    requests: tuple[Request, ...] = ()
    brief: tuple[Quote, ...] = ()
    open: BoundedMap[OpenAnchor] = field(default_factory=lambda: BoundedMap(OpenAnchor, *OPEN))
    questions: BoundedMap[OpenAnchor] = field(default_factory=lambda: BoundedMap(OpenAnchor, *QUESTIONS))
    promises: BoundedMap[OpenAnchor] = field(default_factory=lambda: BoundedMap(OpenAnchor, *PROMISES))
    errors: BoundedMap[OpenAnchor] = field(default_factory=lambda: BoundedMap(OpenAnchor, *ERRORS))
    tasks: BoundedMap[Task] = field(default_factory=lambda: BoundedMap(Task, *TASKS))
    closed: BoundedMap[Task] = field(default_factory=lambda: BoundedMap(Task, *CLOSED))
    pending: BoundedMap[Pending] = field(default_factory=lambda: BoundedMap(Pending, *PENDING))
    running: BoundedMap[str] = field(default_factory=lambda: BoundedMap(str, *RUNNING))
    touches: BoundedMap[FileTouch] = field(default_factory=lambda: BoundedMap(FileTouch, *TOUCHES))
    known: BoundedMap[str] = field(default_factory=lambda: BoundedMap(str, *KNOWN))
    usage: BoundedMap[int] = field(default_factory=lambda: BoundedMap(int, *USAGE))
    named: BoundedMap[str] = field(default_factory=lambda: BoundedMap(str, *NAMED))
    checks: BoundedMap[CommandRun] = field(default_factory=lambda: BoundedMap(CommandRun, *CHECKS))
    outside: BoundedMap[str] = field(default_factory=lambda: BoundedMap(str, *OUTSIDE))
    plan: Plan | None = None
    called: CalledInstructions | None = None
    to_try: CalledInstructions | None = None
    changed: BoundedMap[ChangedFile] = field(default_factory=lambda: BoundedMap(ChangedFile, *CHANGED))
    blocked: BoundedMap[CommandRun] = field(default_factory=lambda: BoundedMap(CommandRun, *BLOCKED))
    edits: BoundedMap[CodeEdit] = field(default_factory=lambda: BoundedMap(CodeEdit, *EDITS))
    drafts: BoundedMap[CodeEdit] = field(default_factory=lambda: BoundedMap(CodeEdit, *DRAFTS))
    sketches: BoundedMap[CodeEdit] = field(default_factory=lambda: BoundedMap(CodeEdit, *SKETCHES))
    hunks: BoundedMap[CodeEdit] = field(default_factory=lambda: BoundedMap(CodeEdit, *HUNKS))
    net: BoundedMap[CodeEdit] = field(default_factory=lambda: BoundedMap(CodeEdit, *NET))
    excerpts: BoundedMap[CodeExcerpt] = field(default_factory=lambda: BoundedMap(CodeExcerpt, *EXCERPTS))
    failures: BoundedMap[Failure] = field(default_factory=lambda: BoundedMap(Failure, *FAILURES))
    misused: BoundedMap[MisusedCommand] = field(default_factory=lambda: BoundedMap(MisusedCommand, *MISUSED))
    searched: BoundedMap[Quote] = field(default_factory=lambda: BoundedMap(Quote, *SEARCHED))
    refusals: BoundedMap[RefusedCall] = field(default_factory=lambda: BoundedMap(RefusedCall, *REFUSALS))
    choices: BoundedMap[Choice] = field(default_factory=lambda: BoundedMap(Choice, *CHOICES))
    parts: BoundedMap[WorkPart] = field(default_factory=lambda: BoundedMap(WorkPart, *PARTS))
    made: BoundedMap[MadeOutside] = field(default_factory=lambda: BoundedMap(MadeOutside, *MADE))
    results: BoundedMap[Quote] = field(default_factory=lambda: BoundedMap(Quote, *RESULTS))
    reports: BoundedMap[Quote] = field(default_factory=lambda: BoundedMap(Quote, *REPORTS))
    terms: TermUses = field(default_factory=lambda: TermUses(*TERMS))
    units: KeptUnits = field(default_factory=lambda: KeptUnits(*UNITS))

    def copy(self) -> FoldState:
        """A twin that can be changed: maps are copied, the values in them never change."""
        twin = copy(self)
        for name, value in self._parts():
            if isinstance(value, BoundedMap):
                setattr(twin, name, value.copy())
        return twin

    def to_json(self) -> dict[str, Any]:
        """The state as JSON values, at most 256 KB."""
        parts = {name: value.to_json() if isinstance(value, BoundedMap) else encode(value) for name, value in self._parts()}
        return {"rules_version": versions.RULES_VERSION, **parts}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> FoldState:
        """The inverse of `to_json`. Raises OutdatedState or NewerState for another rules version, ValueError for another shape."""
        return cls._read(raw, skipped=frozenset())

    @classmethod
    def outline(cls, raw: Mapping[str, Any], *, words: bool = True) -> FoldState:
        """What `situation` and the recent turns need, without the maps that only folding on needs; the units of its words, and what
        tells the names in use, where they are asked for. Raises as `from_json`."""
        return cls._read(raw, skipped=_FOR_FOLDING if words else _FOR_FOLDING | _OF_WORDS)

    @classmethod
    def _read(cls, raw: Mapping[str, Any], skipped: frozenset[str]) -> FoldState:
        versions.check(raw)
        state = cls()
        for name, value in state._parts():
            if name not in raw:
                raise ValueError(f"fold state lacks {name!r}")
            if name in skipped:
                continue
            loaded = value.load(raw[name]) if isinstance(value, BoundedMap) else decode(KINDS.get(name, object), raw[name])
            setattr(state, name, loaded)
        return state

    def _parts(self) -> list[tuple[str, Any]]:
        return [(f.name, getattr(self, f.name)) for f in _FIELDS]


_FIELDS = fields(FoldState)
_FOR_FOLDING = frozenset({"open", "questions", "promises", "errors", "closed", "touches", "known", "usage"})
_OF_WORDS = frozenset({"terms", "units"})
KINDS: dict[str, Any] = {
    "objective": Quote | None,
    "latest_request": Quote | None,
    "next_step": Quote | None,
    "asking": Quote | None,
    "closing": Quote | None,
    "short_thought": Quote | None,
    "proposal": Proposal | None,
    "verification": CommandRun | None,
    "commands": tuple[CommandRun, ...],
    "looked": tuple[Quote, ...],
    "commits": tuple[Quote, ...],
    "trees": tuple[Quote, ...],
    "turns": tuple[Turn, ...],
    "requests": tuple[Request, ...],
    "brief": tuple[Quote, ...],
    "plan": Plan | None,
    "called": CalledInstructions | None,
    "to_try": CalledInstructions | None,
    "unclosed": tuple[str, ...],
}
