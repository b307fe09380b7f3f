"""Packs of the demo's repository: what its hooks asked for and were given, turn by turn, in sessions that the schedule names for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256

from continuity.models import Conversation, Team, User
from diagnostics.demo import material
from diagnostics.demo.repository import Tree
from handoffs.models import ArtifactStatus, PackMode
from handoffs.packs.serving.keys import digest_of
from handoffs.services.packages.authors import Author
from handoffs.services.packs import capturing, pack_answers, pack_caches, pack_policies, repositories, reviewing
from handoffs.services.packs.pack_answers import PackArrival, PackQuestion, PackReply
from handoffs.services.packs.repositories import WorkPlace


def switched_on(*, team: Team, by: User) -> None:
    """The team gives packs to its sessions; changed lines stay on the machine."""
    pack_policies.change(team=team, changes={"mode": PackMode.SNAPSHOT}, author=Author(user=by))


@dataclass(slots=True)
class PackedSession:
    """What the hooks of one session ask for. `tree` is what stands in its folder at that moment."""

    team: Team
    conversation: Conversation
    machine: str
    root: str
    tree: Tree
    asked: list[str] = field(default_factory=list)
    arrivals: list[PackArrival] = field(default_factory=list)

    def turn(self, words: str) -> None:
        """A person said something: the packs of it, made where none is kept, arrive in the window."""
        self.asked.append(words)
        reply = pack_answers.ask(team=self.team, question=self._question(begun=True))
        if reply.wanted:
            reply = self._made(reply)
        self.arrivals = []
        if reply.pack is not None and reply.parts:
            size = sum(len(getattr(reply.pack, part).encode()) for part in reply.parts)
            self.arrivals = [PackArrival(reply.pack.id, reply.parts, size)]

    def _made(self, reply: PackReply) -> PackReply:
        found = material.material(self.tree, "\n".join(self.asked), sessions=reply.sessions, paths=reply.paths)
        files = material.state_of(self.tree).files
        versions = [pack_caches.FileVersion(path, file.blob, file.size) for path, file in files.items()]
        return pack_answers.make(team=self.team, question=self._question(begun=False), material=found, blobs=versions)

    def _question(self, *, begun: bool) -> PackQuestion:
        """What arrived with the turn before is told with the question that begins one."""
        roots = (self.tree.log[-1].id,)
        key = sha256("\n".join((*roots, material.REMOTE)).encode()).hexdigest()[:32]
        place = WorkPlace(self.machine, self.root, key, material.REMOTE, roots)
        changed = digest_of([material.digest_of(self.tree)])
        arrivals = tuple(self.arrivals) if begun else ()
        return PackQuestion(self.conversation.id, place, self.tree.head, changed, begun=begun, arrivals=arrivals)

    def captured(self, by: User, *, accepted: int) -> None:
        """What the session taught is drafted; a person accepts the first so many."""
        capturing.capture(conversation_id=self.conversation.id)
        repository = repositories.of_place(team=self.team, place=self._question(begun=False).place)
        drafts = reviewing.of_repository(repository, status=ArtifactStatus.DRAFT, limit=accepted)
        if drafts:
            ids = [each.id for each in drafts]
            reviewing.decide(team=self.team, repository=repository, ids=ids, action="accept", author=Author(user=by))
