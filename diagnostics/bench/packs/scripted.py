"""Scripted sessions replayed turn by turn: how often Context need not be built, what is given against Anchor and Context at each turn, and
how many of the files that a turn edits its pack had named."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from continuity.models import Team
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from diagnostics.bench.packs import trees
from diagnostics.bench.packs.asking_sessions import AskingSession, CostFigures, cost_of, text_of
from handoffs.models import PackSession
from handoffs.services.packages.authors import NOBODY
from handoffs.services.packs import pack_policies

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
class ScriptedFigures:
    """`named` is the share of edited files that the packs so far had named; `spared` counts edits of a file that had not changed since a
    pack told what it defines."""

    cost: CostFigures
    named: float
    spared: int


def replayed(team: Team, sessions: int) -> ScriptedFigures:
    """`sessions` times the same work, each in a repository of its own."""
    pack_policies.change(team=team, changes={"mode": "snapshot"}, author=NOBODY)
    named = spared = 0
    made = []
    with tempfile.TemporaryDirectory() as place:
        for number in range(sessions):
            tree = Path(place) / f"r{number}"
            trees.make(tree, FILES)
            session = AskingSession(team, tree, f"scripted-{number}")
            made.append(session.conversation.id)
            for words, edited, commits in WORK:
                path = trees.path_of(edited)
                session.record([_message(session, Role.USER, Voice.PERSON, words)])
                session.ask(words)
                named += path in session.named
                spared += session.told.get(path) == text_of(tree, path)
                with (tree / path).open("a", encoding="utf-8") as stream:
                    stream.write(f"\n# {words}\n")
                session.record([_message(session, Role.ASSISTANT, Voice.AGENT, f"I changed {path}.")])
                if commits:
                    trees.commit(tree, words)
    cost = cost_of(PackSession.objects.filter(team=team, conversation__in=made))
    return ScriptedFigures(cost, named / (sessions * len(WORK)), spared)


def _message(session: AskingSession, role: Role, voice: Voice, words: str) -> Message:
    session.conversation.refresh_from_db()
    return Message(role=role, parts=(Part(PartKind.TEXT, voice, words),), external_id=f"m{session.conversation.last_seq}")
