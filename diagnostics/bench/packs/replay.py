"""Scripted sessions replayed turn by turn: how often Context need not be built, what is given against Anchor and Context at each turn, and
how many of the files that a turn edits its pack had named."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from continuity.client.packs import finding
from continuity.models import Conversation, Team
from continuity.repository.standing import read_standing
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from diagnostics.bench.packs import trees
from handoffs.api.packs.forms import MaterialIn
from handoffs.models import PackSession
from handoffs.services.packages.authors import NOBODY
from handoffs.services.packs import asking, pack_policies
from handoffs.services.packs.asking import PackArrival, PackQuestion, PackReply
from handoffs.services.packs.repositories import WorkPlace

FILES = 200
# What a person says, which file the agent then edits, and whether it commits: a piece of work with follow-ups, then another one.
WORK: Sequence[tuple[str, int, bool]] = (
    ("Mend load_entry_7 in src/part_0000/item_00007.py: it must close what it opens.", 7, False),
    ("and log it", 7, False),
    ("go on", 8, False),
    ("yes, like that", 7, False),
    ("go on", 8, False),
    ("now a test of it, please", 7, True),
    ("Rename store_entry_40 in src/part_0001/item_00040.py to keep_entry_40.", 40, False),
    ("go on", 41, False),
    ("yes", 40, False),
    ("go on", 40, False),
    ("and commit it", 40, True),
    ("go on", 40, False),
)


@dataclass(frozen=True, slots=True)
class ReplayFigures:
    """`hit_rate` and `saved` are shares; bytes a turn; `named` the share of edited files that the pack of their turn had named; `spared`
    counts reads of a file that had not changed since its pack told what it defines."""

    sessions: int
    turns: int
    hit_rate: float
    bytes_a_turn: float
    baseline_bytes_a_turn: float
    saved: float
    named: float
    spared: int


def replayed(team: Team, sessions: int) -> ReplayFigures:
    """`sessions` times the same work, each in a repository of its own."""
    pack_policies.change(team=team, changes={"mode": "snapshot"}, author=NOBODY)
    named = spared = 0
    with tempfile.TemporaryDirectory() as place:
        for number in range(sessions):
            tree = Path(place) / f"r{number}"
            trees.make(tree, FILES)
            of_session = _Replay(team, tree, number)
            for words, edited, commits in WORK:
                named += of_session.turn(words, trees.path_of(edited), commits=commits)
            spared += of_session.spared
    rows = PackSession.objects.filter(team=team)
    hits, built, would, baseline = (sum(getattr(row, name) for row in rows) for name in ("hits", "built", "would_bytes", "baseline_bytes"))
    turns = sessions * len(WORK)
    return ReplayFigures(
        sessions, turns, hits / (hits + built), would / turns, baseline / turns, 1 - would / baseline, named / turns, spared
    )


class _Replay:
    def __init__(self, team: Team, tree: Path, number: int) -> None:
        self.team, self.tree = team, tree
        self.conversation: Conversation = conversations.create(team=team, source_tool="bench", external_id=f"p{number}", cwd=str(tree))
        self.prompts: list[str] = []
        self.since = self.first = ""
        self.arrivals: list[PackArrival] = []
        self.told: dict[str, str] = {}
        self.spared = 0

    def turn(self, words: str, edited: str, *, commits: bool) -> int:
        """One if the pack named the file that the agent then edits."""
        self._say(Role.USER, Voice.PERSON, words)
        self.prompts = [*self.prompts, words][-3:]
        standing = read_standing(self.tree)
        self.first = self.first or standing.head
        place = WorkPlace("bench", str(self.tree), standing.identity.key, "", standing.identity.roots)
        question = PackQuestion(
            self.conversation.id, place, standing.head, standing.changed, self.since, begun=True, arrivals=tuple(self.arrivals)
        )
        told = asking.ask(team=self.team, question=question)
        if told.wanted:
            told = self._find(question, told)
        self._arrive(told, standing.head)
        whole = told.pack.paths if told.pack is not None else []
        before = (self.tree / edited).read_text(encoding="utf-8")
        self.spared += self.told.get(edited) == before
        (self.tree / edited).write_text(f"{before}\n# {words}\n", encoding="utf-8")
        self._say(Role.ASSISTANT, Voice.AGENT, f"I changed {edited}.")
        if commits:
            trees.commit(self.tree, words)
        return edited in whole

    def _find(self, question: PackQuestion, told: PackReply) -> PackReply:
        asked = {"sessions": [], "paths": list(told.paths), "contents": told.contents}
        found, _, _ = finding.material(self.tree, "\n".join(self.prompts), since=self.since, first_head=self.first, asked=asked)
        form = MaterialIn.model_validate(found)
        self.told |= {each.path: (self.tree / each.path).read_text(encoding="utf-8") for each in form.ranked if each.symbols}
        again = PackQuestion(question.conversation_id, question.place, question.head, question.changed, self.since)
        return asking.make(team=self.team, question=again, material=form.as_material(contents=told.contents), blobs=form.versions())

    def _arrive(self, told: PackReply, head: str) -> None:
        self.arrivals = []
        if told.pack is not None and told.parts:
            size = sum(len(getattr(told.pack, part).encode()) for part in told.parts)
            self.arrivals = [PackArrival(told.pack.id, told.parts, size)]
            self.since = head

    def _say(self, role: Role, voice: Voice, words: str) -> None:
        message = Message(role=role, parts=(Part(PartKind.TEXT, voice, words),), external_id=f"m{self.conversation.last_seq}")
        conversations.append(team=self.team, conversation_id=self.conversation.id, messages=[message])
        fold_runner.catch_up(conversation_id=self.conversation.id)
        self.conversation.refresh_from_db()
