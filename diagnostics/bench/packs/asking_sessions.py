"""A session that asks for packs turn by turn, as the client does beside its hooks, and takes what a hook would give it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from continuity.client.light import packs as hooked
from continuity.client.packs import finding
from continuity.client.packs.memory import PROMPTS
from continuity.models import Conversation, Team
from continuity.repository.tree_state import TreeState, read_tree_state
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from continuity.services.search import indexing
from continuity.transcripts.base.model import Message
from handoffs.api.packs.forms import MaterialIn
from handoffs.models import PackSession
from handoffs.services.packs import pack_answers
from handoffs.services.packs.pack_answers import PackArrival, PackQuestion, PackReply
from handoffs.services.packs.repositories import WorkPlace

# The first line of a file in a Context pack, where what it defines stands beneath.
_INTERFACE = re.compile(r"^\d+\. (.+?)(?: \([^\n]*\))?\n   \d", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CostFigures:
    """Of sessions: `hit_rate` is the share of questions served without building Context, `saved` that of bytes below giving Anchor and
    Context at each turn. None where nothing was asked."""

    sessions: int
    turns: int
    hit_rate: float | None
    bytes_a_turn: float | None
    baseline_bytes_a_turn: float | None
    saved: float | None


class AskingSession:
    """`named` are the paths that the packs given so far name, `told` the texts of the files whose interface one of them told."""

    def __init__(self, team: Team, tree: Path, name: str, *, root: str = "") -> None:
        self.team, self.tree, self.root = team, tree, root or str(tree)
        self.conversation: Conversation = conversations.create(team=team, source_tool="bench", external_id=name, cwd=self.root)
        self.prompts: list[str] = []
        self.since = self.first = ""
        self.arrivals: list[PackArrival] = []
        self.named: set[str] = set()
        self.told: dict[str, str] = {}

    def record(self, messages: Sequence[Message]) -> None:
        conversations.append(team=self.team, conversation_id=self.conversation.id, messages=list(messages))
        fold_runner.catch_up(conversation_id=self.conversation.id)
        indexing.catch_up()

    def ask(self, words: str = "", *, emptied: bool = False) -> PackReply:
        """At a prompt, or, without words, where the window was emptied."""
        self.prompts = [*self.prompts, *filter(None, [words])][-PROMPTS:]
        if emptied:
            self.since = ""
            self.named.clear()
            self.told.clear()
        standing = read_tree_state(self.tree)
        self.first = self.first or standing.head
        question = self._question(standing, begun=bool(words), emptied=emptied, arrivals=self.arrivals)
        reply = pack_answers.ask(team=self.team, question=question)
        if reply.wanted:
            reply = self._find(standing, reply)
        self._arrive(reply, standing.head)
        return reply

    def _question(
        self, standing: TreeState, *, begun: bool = False, emptied: bool = False, arrivals: Sequence[PackArrival] = ()
    ) -> PackQuestion:
        place = WorkPlace("bench", self.root, standing.identity.key, "", standing.identity.roots)
        told = standing.head, standing.changed, self.since
        return PackQuestion(self.conversation.id, place, *told, begun=begun, emptied=emptied, arrivals=tuple(arrivals))

    def _find(self, standing: TreeState, reply: PackReply) -> PackReply:
        asked = {"sessions": list(map(asdict, reply.sessions)), "paths": list(reply.paths), "contents": reply.contents}
        found, _, _ = finding.material(self.tree, "\n".join(self.prompts), since=self.since, first_head=self.first, asked=asked)
        form = MaterialIn.model_validate(found)
        question = self._question(standing)
        return pack_answers.make(
            team=self.team, question=question, material=form.as_material(contents=reply.contents), blobs=form.versions()
        )

    def _arrive(self, reply: PackReply, head: str) -> None:
        """What a hook gives of it, as far as it fits."""
        self.arrivals = []
        if reply.pack is None or not reply.parts:
            return
        pack = reply.pack
        given, shown = hooked.together("", {part: getattr(pack, part) for part in reply.parts})
        self.arrivals = [PackArrival(pack.id, tuple(shown), len(given.encode()))]
        self.since = head
        self.named |= {path for path in pack.paths if path in given}
        interfaces = set(_INTERFACE.findall(shown.get("context", "")))
        self.told |= {path: text for path in interfaces if (text := text_of(self.tree, path)) is not None}


def text_of(tree: Path, path: str) -> str | None:
    """What a file of the work tree holds; None for what is no text, or not there."""
    try:
        return (tree / path).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def cost_of(rows: Iterable[PackSession]) -> CostFigures:
    """Of the sessions that asked."""
    of = list(rows)
    hits, built, turns, would, baseline = (
        sum(getattr(row, name) for row in of) for name in ("hits", "built", "turns", "would_bytes", "baseline_bytes")
    )
    return CostFigures(
        sessions=len(of),
        turns=turns,
        hit_rate=hits / (hits + built) if hits + built else None,
        bytes_a_turn=would / turns if turns else None,
        baseline_bytes_a_turn=baseline / turns if turns else None,
        saved=1 - would / baseline if baseline else None,
    )
