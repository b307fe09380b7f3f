"""Figures of what packs did, or would have done, in a repository, for its page and the API."""

from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from continuity.knowledge.model import FileAction
from continuity.models import FileTouch
from handoffs.models import Artifact, ArtifactStatus, PackSession, Repository, StoredPack
from handoffs.services.packs.lessons import inside

SESSIONS = 20  # of which it is looked up what they read and edited


@dataclass(frozen=True, slots=True)
class RepositoryMeasures:
    """`hit_rate` is the share of turns served without building Context; `saved` that of bytes below giving Anchor and Context each turn,
    `named` that of the files that the latest sessions read or edited which their packs had named. None where nothing was measured.
    `repeated` counts reads of a file again that a pack had named."""

    sessions: int
    turns: int
    hit_rate: float | None
    given_bytes: int
    would_bytes: int
    baseline_bytes: int
    saved: float | None
    snapshots: int
    low_token: int
    packs: int
    drafts: int
    accepted: int
    landmines: int
    named: float | None
    touched: int
    repeated: int


def of_repository(repository: Repository) -> RepositoryMeasures:
    """Five queries, each bounded or over an index."""
    of_sessions = PackSession.objects.filter(repository=repository).aggregate(
        sessions=Count("id"),
        turns=Sum("turns", default=0),
        hits=Sum("hits", default=0),
        built=Sum("built", default=0),
        given_bytes=Sum("given_bytes", default=0),
        would_bytes=Sum("would_bytes", default=0),
        baseline_bytes=Sum("baseline_bytes", default=0),
        snapshots=Sum("snapshots", default=0),
        low_token=Count("id", filter=Q(low_token=True)),
    )
    accepted = Q(status=ArtifactStatus.ACCEPTED)
    captured = Artifact.objects.filter(repository=repository).aggregate(
        drafts=Count("id", filter=Q(status=ArtifactStatus.DRAFT)),
        accepted=Count("id", filter=accepted),
        landmines=Count("id", filter=accepted & Q(kind="landmine")),
    )
    named, touched, repeated = _named(repository)
    hits, built = of_sessions.pop("hits"), of_sessions.pop("built")
    would, baseline = of_sessions["would_bytes"], of_sessions["baseline_bytes"]
    return RepositoryMeasures(
        **of_sessions,
        **captured,
        hit_rate=hits / (hits + built) if hits + built else None,
        saved=1 - would / baseline if baseline else None,
        packs=StoredPack.objects.filter(repository=repository).count(),
        named=named / touched if touched else None,
        touched=touched,
        repeated=repeated,
    )


def _named(repository: Repository) -> tuple[int, int, int]:
    """Of the files that the latest sessions read or edited: how many packs had named, how many there were, and how often one was read
    again. Three queries."""
    latest = PackSession.objects.filter(repository=repository).order_by("-seen_at").values_list("conversation_id", "root")[:SESSIONS]
    roots = dict(latest)
    told: dict[object, set[str]] = {conversation: set() for conversation in roots}
    for conversation, paths in StoredPack.objects.filter(conversation__in=roots).values_list("conversation_id", "paths"):
        told[conversation].update(paths)
    files = FileTouch.objects.filter(conversation__in=roots).values_list("conversation_id", "path", "action", "count")
    touched: set[tuple[object, str]] = set()
    repeated = 0
    for conversation, path, action, count in files[:10_000]:
        if own := inside(path, roots[conversation]):
            touched.add((conversation, own))
            repeated += count - 1 if action == FileAction.READ and own in told[conversation] else 0
    return sum(path in told[conversation] for conversation, path in touched), len(touched), repeated
