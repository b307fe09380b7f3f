"""Real sessions replayed turn by turn: in their repository, at the commit that they began at, with their edits; what packs cost them, which
of the files that they worked on packs had named, and which reads packs would have spared. Of sessions elsewhere their repeated reads."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from continuity.knowledge.extractors.tools import tool_names
from continuity.models import Team
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from diagnostics.bench.packs import trees
from diagnostics.bench.packs.asking_sessions import AskingSession, CostFigures, cost_of, text_of
from diagnostics.evaluation.errors import EvaluationError
from diagnostics.locating.cases import checked_out, read_cases
from handoffs.models import PackSession
from handoffs.packs.earlier_work import own_path
from handoffs.packs.session_files import messages_until, session_files
from handoffs.services.packages.authors import NOBODY
from handoffs.services.packs import pack_policies
from handoffs.services.packs.lessons import inside

ITERATIVE = 5  # turns of a session from which on it counts as iterative
RANGE = ("offset", "limit")  # another piece of a file is another read


@dataclass(slots=True)
class TouchCounts:
    """`files` that a session read or edited and that were there before, and how many of them packs had `named` by then; the same of those
    that it `edited`. `reads`, how many were `repeated` though nothing had changed, and how many of these a pack would have `spared`: it had
    told what this very text defines. `edits`, and how many could be made again."""

    files: int = 0
    named: int = 0
    edited: int = 0
    edited_named: int = 0
    reads: int = 0
    repeated: int = 0
    spared: int = 0
    edits: int = 0
    remade: int = 0


@dataclass(frozen=True, slots=True)
class RecordedFigures:
    """Of `all` sessions that were replayed, and of those with at least five turns; `elsewhere` are sessions without a repository here."""

    all: CostFigures
    iterative: CostFigures
    touched: TouchCounts
    elsewhere_sessions: int
    elsewhere: TouchCounts

    def as_json(self) -> dict[str, Any]:
        of = self.touched
        shares = {
            "named_share": of.named / of.files if of.files else None,
            "edited_named_share": of.edited_named / of.edited if of.edited else None,
        }
        return asdict(self) | shares


def replayed(team: Team, cases: Path, sessions: Path, most: int) -> RecordedFigures:
    """The sessions of the folder, at most so many of each kind: those that `cases` has the repository of, in bundles beside it, and others.
    Raises EvaluationError."""
    pack_policies.change(team=team, changes={"mode": "snapshot"}, author=NOBODY)
    known = read_cases(cases)
    touched, elsewhere, others = TouchCounts(), TouchCounts(), 0
    made: list[UUID] = []
    with tempfile.TemporaryDirectory() as work:
        for path in session_files(sessions):
            messages = [message for _, message in messages_until(path, None)]
            case = next((each for each in known if each.id in path.name.replace("-", "")), None)
            if case is not None and messages and len(made) < most:
                tree = checked_out(case, cases.parent, Path(work))
                replay = _Replay(team, tree, path.name, messages, touched)
                replay.run()
                made.append(replay.session.conversation.id)
            elif case is None and messages and others < most:
                others += 1
                _count_reads(messages, elsewhere)
    if not made:
        raise EvaluationError(f"None of the sessions in {sessions} is one of the cases in {cases}.")
    rows = list(PackSession.objects.filter(team=team, conversation__in=made))
    return RecordedFigures(cost_of(rows), cost_of(row for row in rows if row.turns >= ITERATIVE), touched, others, elsewhere)


@dataclass(slots=True)
class _Seen:
    """What a session has seen of its files: texts by path and piece, and which files it worked on."""

    pieces: dict[tuple[object, ...], str | None] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)
    edited: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)  # files that it made itself


class _Replay:
    def __init__(self, team: Team, tree: Path, name: str, messages: Sequence[Message], counts: TouchCounts) -> None:
        self.tree = tree
        self.cwd = next((message.cwd for message in messages if message.cwd), "")
        self.session = AskingSession(team, self.tree, name, root=self.cwd)
        self.messages, self.counts, self.seen = messages, counts, _Seen()
        self.failed = _failed(messages)

    def run(self) -> None:
        waiting: list[Message] = []
        for message in self.messages:
            waiting.append(message)
            emptied, words = any(part.kind is PartKind.BOUNDARY for part in message.parts), _prompt(message)
            if emptied or words:
                self.session.record(waiting)
                waiting = []
                self.session.ask(words, emptied=emptied)
            for call in _calls(message, self.failed):
                self._replay(call)

    def _replay(self, call: Part) -> None:
        name, given = tool_names.plain_name(call.name), call.input
        if name in tool_names.SHELL and "git commit" in str(given.get("command", "")):
            trees.commit(self.tree, "As the session did", empty=True)
            return
        if name not in tool_names.READ and not _edits(name):
            return
        path = self._own(tool_names.path_of(given))
        if path is None:
            return
        before = text_of(self.tree, path)
        self._touch(path, edits=_edits(name), there=before is not None)
        if name in tool_names.READ:
            self._read(path, call, before)
            return
        self.counts.edits += 1
        after = edited(before, given)
        if after is not None:
            self.counts.remade += 1
            (self.tree / path).parent.mkdir(parents=True, exist_ok=True)
            (self.tree / path).write_text(after, encoding="utf-8")

    def _own(self, path: str) -> str | None:
        """The path in the repository, also of a file that is made; None for one elsewhere, and for a link."""
        own = inside(path, self.cwd) if path.startswith("/") else path
        if not own or not (self.tree / own).exists():
            known = _Tree(self.tree)
            own = own_path(path, known) or own
        if not own:
            return None
        place = self.tree / own
        within = place.resolve().is_relative_to(self.tree.resolve()) and ".git" not in place.relative_to(self.tree).parts
        return own if within and not place.is_symlink() and not place.is_dir() else None

    def _touch(self, path: str, *, edits: bool, there: bool) -> None:
        if not there:
            self.seen.own.add(path)
        if path in self.seen.own:
            return
        named = path in self.session.named
        if path not in self.seen.files:
            self.seen.files.add(path)
            self.counts.files += 1
            self.counts.named += named
        if edits and path not in self.seen.edited:
            self.seen.edited.add(path)
            self.counts.edited += 1
            self.counts.edited_named += named

    def _read(self, path: str, call: Part, text: str | None) -> None:
        piece = (path, *(call.input.get(name) for name in RANGE))
        repeated = text is not None and self.seen.pieces.get(piece) == text
        self.seen.pieces[piece] = text
        self.counts.reads += 1
        self.counts.repeated += repeated
        self.counts.spared += repeated and self.session.told.get(path) == text


class _Tree:
    """Tells which paths are files of a work tree."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree

    def __contains__(self, path: object) -> bool:
        return (self.tree / str(path)).is_file()


def edited(before: str | None, given: Any) -> str | None:
    """The text after an edit, as its tool would make it; None where it can't be made on this text."""
    for name in ("content", "file_text", "contents"):
        if isinstance(given.get(name), str):
            return str(given[name])
    text = before
    for each in given["edits"] if isinstance(given.get("edits"), list) else [given]:
        old, new = (each.get(name) for name in ("old_string", "new_string")) if isinstance(each, dict) else (None, None)
        if text is None or not isinstance(old, str) or not isinstance(new, str) or not old or old not in text:
            return None
        text = text.replace(old, new, -1 if each.get("replace_all") else 1)
    return text


def _count_reads(messages: Sequence[Message], counts: TouchCounts) -> None:
    """Reads of a piece that was read before, with no edit of the file by the session in between; the files themselves are not at hand."""
    seen: set[tuple[object, ...]] = set()
    failed = _failed(messages)
    for message in messages:
        for call in _calls(message, failed):
            name, path = tool_names.plain_name(call.name), tool_names.path_of(call.input)
            piece = (path, *(call.input.get(each) for each in RANGE))
            if _edits(name):
                seen = {each for each in seen if each[0] != path}
            elif name in tool_names.READ and path:
                counts.reads += 1
                counts.repeated += piece in seen
                seen.add(piece)


def _edits(name: str) -> bool:
    return name in tool_names.WRITE or name in tool_names.EDIT


def _prompt(message: Message) -> str:
    """The person's words, empty in what tools and the harness say."""
    if message.role is not Role.USER:
        return ""
    return "\n".join(part.text for part in message.parts if part.kind is PartKind.TEXT and part.voice is Voice.PERSON).strip()


def _failed(messages: Sequence[Message]) -> frozenset[str]:
    results = (part for message in messages for part in message.parts if part.kind is PartKind.TOOL_RESULT)
    return frozenset(part.call_id for part in results if part.failed)


def _calls(message: Message, failed: frozenset[str]) -> Iterator[Part]:
    for part in message.parts:
        if part.kind is PartKind.TOOL_CALL and part.call_id not in failed:
            yield part
