"""The answer to a session at a turn: the packs that are kept, or the wish for what its client finds. One pass a turn, whatever is asked."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from continuity import queries
from continuity.core.errors import existing
from continuity.core.transactions import atomic
from continuity.knowledge import OtherRules
from continuity.knowledge.model import Knowledge
from continuity.models import Conversation, Erasure, Team
from continuity.packs.budgets import BudgetProfile, PackBudget, WorkMode, budget_of
from continuity.packs.signals.sessions import EarlierSession
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from continuity.services.search.name_lookup import all_stated
from handoffs.models import PackMode, PackSession, RankedSearch, Repository, StoredPack
from handoffs.packs.serving import material as materials
from handoffs.packs.serving.fingerprint import fingerprint, names_of
from handoffs.packs.serving.keys import PackKey, SearchKey, digest, digest_of
from handoffs.packs.serving.material import PackMaterial, Taught
from handoffs.packs.serving.pack_choice import ANCHOR_PART, CONTEXT_PART, DeliveredPacks, parts
from handoffs.packs.session_lessons import failing_of
from handoffs.services.packs import governing, lessons, pack_caches, pack_policies, repositories
from handoffs.services.packs.repositories import WorkPlace

STEPS = 2  # of folding that a question waits for; the workers do the rest
NAMED = 400  # files of a session that are counted
KNOWN_NAMES, KNOWN_MESSAGES = 24, 400  # of a task that are looked for in the session's window, and how far back


@dataclass(frozen=True, slots=True)
class PackArrival:
    """The arrival of packs in a session's window: which, and how many bytes of them."""

    pack_id: UUID
    parts: Sequence[str]
    size: int


@dataclass(frozen=True, slots=True)
class PackQuestion:
    """A client's question for packs: `changed` is the digest of all that differs from the commit `head`, `since` the commit at which
    the last delta ended. `begun` says that a turn began, `emptied` that the window was emptied or is new, `anchored` names the Anchor
    that it was given then."""

    conversation_id: UUID
    place: WorkPlace
    head: str
    changed: str
    since: str = ""
    mode: WorkMode = WorkMode.CODE
    profile: BudgetProfile = BudgetProfile.HOOK
    begun: bool = False
    anchored: str = ""
    emptied: bool = False
    limited: bool = False
    diff_lines: int = 0
    committed_lines: int = 0
    arrivals: Sequence[PackArrival] = ()


@dataclass(frozen=True, slots=True)
class PackReply:
    """`mode` is what works in the team; where `gives`, the texts of `parts` belong into the window. `wanted` asks for the client's
    material, for which it is told what `sessions` worked on and which `paths` to look for. `epoch` counts what the team erased."""

    mode: PackMode
    gives: bool = False
    pack: StoredPack | None = None
    parts: tuple[str, ...] = ()
    hit: bool = False
    wanted: bool = False
    contents: bool = False
    low_token: bool = False
    sessions: tuple[EarlierSession, ...] = ()
    paths: tuple[str, ...] = ()
    epoch: int = 0
    action: str = ""
    reasons: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with all that the answer depends on."""

    conversation: Conversation
    repository: Repository
    question: PackQuestion
    contents: bool
    found: lessons.RepositoryLessons
    taught: Taught
    fingerprint: str
    names: frozenset[str]
    asked_at: tuple[int, ...]
    profile: BudgetProfile

    @property
    def budget(self) -> PackBudget:
        return budget_of(self.profile, self.question.mode)

    @property
    def pack_key(self) -> PackKey:
        work = digest_of([[str(each) for each in self.taught.failing], list(self.taught.work), self.contents])
        told, provider = self.question, self.conversation.provider or self.conversation.source_tool
        where = str(self.repository.id)
        return PackKey(
            where, self.fingerprint, told.changed, told.head, provider, told.mode, self.profile, self.found.digest, work, told.since
        )

    @property
    def search_key(self) -> SearchKey:
        told = self.question
        scope = digest_of([told.changed, told.since, told.mode, self.contents, list(self.found.paths), self.found.digest])
        return SearchKey(str(self.repository.id), self.fingerprint, told.head, scope)


def ask(*, team: Team, question: PackQuestion) -> PackReply:
    """Answer a session's question for packs. Raises NotFound where the conversation is another's or none."""
    mode, asked = _asked(team, question)
    if asked is None:
        return PackReply(mode, epoch=epoch_of(team))
    pack = pack_caches.pack(asked.repository, digest(asked.pack_key))
    hit = pack is not None
    if pack is None:
        found = pack_caches.search(asked.repository, digest(asked.search_key))
        pack = _render(asked, found) if found is not None else None
    return _reply(team, asked, mode, pack, hit=hit)


def make(*, team: Team, question: PackQuestion, material: PackMaterial, blobs: Sequence[pack_caches.FileVersion] = ()) -> PackReply:
    """Keeps what a client found, masked, and gives the packs made of it. Raises NotFound."""
    mode, asked = _asked(team, question)
    if asked is None:
        return PackReply(mode, epoch=epoch_of(team))
    known = materials.masked(material, pack_caches.mask_code)
    pack_caches.keep_files(asked.repository, blobs, known.ranked)
    pack_caches.keep_search(asked.repository, digest(asked.search_key), asked.conversation, question.head, known)
    return _reply(team, asked, mode, _render(asked, known), hit=False, made=True)


def epoch_of(team: Team) -> int:
    """How often something was erased in the team: a client that knows another number throws away what it keeps. One query."""
    return Erasure.objects.filter(team=team).count()


def _asked(team: Team, question: PackQuestion) -> tuple[PackMode, _Asked | None]:
    """What is asked, and in which mode the team is; nothing in that in which nobody is answered. Raises NotFound."""
    conversation = conversations.get(team=team, conversation_id=question.conversation_id)
    policy = pack_policies.effective(team)
    mode = pack_policies.mode_of(team, policy)
    if mode is PackMode.OFF:
        return mode, None
    repository = repositories.of_place(team=team, place=question.place)
    known = _knowledge(conversation)
    found = lessons.of_repository(repository, root=question.place.root, besides=conversation.id)
    taught = lessons.taught(found, failing_of(conversation.id.hex[:8], known), known.tasks)
    limited = question.limited or PackSession.objects.filter(conversation=conversation, low_token=True).exists()
    profile = BudgetProfile.LOW_TOKEN if limited and question.profile is BudgetProfile.HOOK else question.profile
    names, asked_at = names_of(known.requests, known.tasks), tuple(request.seq for request in known.requests)
    of_task = fingerprint(known.requests, known.tasks), names, asked_at
    return mode, _Asked(conversation, repository, question, policy.contents, found, taught, *of_task, profile)


def _knowledge(conversation: Conversation) -> Knowledge:
    """As far as it is folded soon; none where newer rules folded it."""
    fold_runner.catch_up(conversation_id=conversation.id, steps=STEPS)
    try:
        return queries.knowledge_of(conversation)
    except OtherRules:
        return Knowledge()


def _render(asked: _Asked, found: PackMaterial) -> StoredPack:
    rendered = materials.render(found, asked.taught, asked.budget, pack_caches.mask)
    return pack_caches.keep_pack(asked.repository, asked.pack_key, asked.conversation, rendered)


@atomic
def _reply(team: Team, asked: _Asked, mode: PackMode, pack: StoredPack | None, *, hit: bool, made: bool = False) -> PackReply:
    """Counts the turn, and asks the governor. The session's row is held, so that two hooks are counted one after the other."""
    question = asked.question
    Conversation.objects.select_for_update(no_key=True).filter(id=asked.conversation.id).values_list("id").first()
    row = repositories.session_of(conversation=asked.conversation, repository=asked.repository, place=question.place)
    _take_in(row, question, asked.conversation.last_seq)
    before = DeliveredPacks(**row.arrived) if row.arrived else DeliveredPacks()
    anchor = _name_of(pack.anchor) if pack is not None else ""
    chosen: tuple[str, ...] = ()
    if pack is not None:
        all_in = pack.all_in_delta
        chosen = parts(before, same_task=_same_task(asked, before), head=question.head, anchor=anchor, all_in_delta=all_in)
        chosen = tuple(part for part in chosen if getattr(pack, part))
        _count(row, pack, chosen, same=hit or CONTEXT_PART not in chosen)
        row.last_pack, row.fingerprint = pack, asked.fingerprint
        if mode not in pack_policies.GIVING:
            row.arrived = _arrived(pack, before.since)
    governed = governing.govern_session(team=team, conversation=asked.conversation, row=row, mode=mode) if pack is not None else None
    row.save()
    return PackReply(
        mode,
        gives=mode in pack_policies.GIVING,
        pack=pack,
        parts=chosen,
        hit=hit,
        wanted=pack is None and not made,
        contents=asked.contents,
        low_token=row.low_token,
        sessions=asked.found.sessions if pack is None else (),
        paths=asked.found.paths if pack is None else (),
        epoch=epoch_of(team),
        action=governed.action if governed else "",
        reasons=governed.reasons if governed else (),
    )


def _same_task(asked: _Asked, before: DeliveredPacks) -> bool:
    """Whether the session goes on with what it was given packs for: the same task, or one that names only what its window holds, since the
    agent told of it or a tool printed it. Of a few names in its latest messages; more of them are another piece of work."""
    if before.fingerprint == asked.fingerprint:
        return True
    if not before.arrived or not asked.asked_at or len(asked.names) > KNOWN_NAMES:
        return False
    latest, seqs = asked.asked_at[-1], asked.asked_at
    after = max(before.since, latest - KNOWN_MESSAGES)
    return all_stated(conversation_id=asked.conversation.id, names=asked.names, after=after, before=latest, besides=seqs)


def _take_in(row: PackSession, question: PackQuestion, last_seq: int) -> None:
    """Stores what the client tells of the session since it last asked."""
    row.low_token = row.low_token or question.limited
    row.turns += question.begun
    row.diff_lines, row.committed_lines = question.diff_lines, max(row.committed_lines, question.committed_lines)
    if question.emptied:
        row.arrived = {"since": last_seq}
    if question.anchored:
        row.arrived = {**row.arrived, "anchor": question.anchored, "arrived": True}
    for arrival in question.arrivals:
        pack = StoredPack.objects.filter(repository=row.repository, id=arrival.pack_id).first()
        row.given_bytes += arrival.size
        row.calls = [*row.calls, arrival.size][-governing.CALLS :]
        if pack is not None and not question.emptied:
            kept = _arrived(pack, row.arrived.get("since", 0))
            row.arrived = kept if ANCHOR_PART in arrival.parts else {**kept, "anchor": row.arrived.get("anchor", "")}


def _arrived(pack: StoredPack, since: int) -> dict[str, object]:
    return {"fingerprint": pack.fingerprint, "head": pack.head, "anchor": _name_of(pack.anchor), "arrived": True, "since": since}


def _name_of(anchor: str) -> str:
    """By which a client names an Anchor pack that it gave."""
    return hashlib.sha256(anchor.encode()).hexdigest()[:24]


def _count(row: PackSession, pack: StoredPack, chosen: tuple[str, ...], *, same: bool) -> None:
    """Counts the question, and what the simplest way would have given: Anchor and Context at each turn."""
    row.hits += same
    row.built += not same
    row.would_bytes += sum(len(getattr(pack, part).encode()) for part in chosen)
    row.baseline_bytes += len(pack.anchor.encode()) + len(pack.context.encode())
    row.files = list(dict.fromkeys((*row.files, *pack.paths)))[:NAMED]


def latest_of(*, team: Team, conversation_id: UUID) -> StoredPack | None:
    """The newest packs of a session, for whoever asks for them; None where none were made. Raises NotFound."""
    conversation = conversations.get(team=team, conversation_id=conversation_id)
    return StoredPack.objects.filter(conversation=conversation).order_by("-used_at").first()


def anchor_of(*, team: Team, machine: str, root: str) -> tuple[str, tuple[str, ...]]:
    """The Anchor pack for a session that begins in a work tree: of what was last found there, with today's lessons, and the paths that it
    names. Empty where nothing is given. Raises NotFound for a work tree that nobody worked in."""
    session = existing(
        PackSession.objects.filter(team=team, machine=machine, root=root).select_related("repository").order_by("-seen_at").first(),
        "repository",
    )
    if pack_policies.mode_of(team, pack_policies.effective(team)) not in pack_policies.GIVING:
        return "", ()
    row = RankedSearch.objects.filter(repository=session.repository).order_by("-used_at").first()
    if row is None:
        return "", ()
    found = materials.from_json(row.found)
    told = materials.existing_lessons(lessons.of_repository(session.repository).lessons, found.known)
    text = materials.render_anchor(found, told, budget_of(BudgetProfile.HOOK, WorkMode.CODE).anchor, pack_caches.mask)
    named = {*found.facts.paths, *(rule.path for rule in found.rules), *(path for lesson in told for path in lesson.files)}
    return text, tuple(sorted(named))
