"""The three caches as rows. A row is found by the digest of its whole key, so none is found when any part of that changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Model
from django.utils import timezone

from continuity import secrets
from continuity.models import Conversation, Team
from continuity.packs.context import RankedFile
from handoffs.models import FileSummary, RankedSearch, Repository, StoredPack
from handoffs.packs.serving import material as materials
from handoffs.packs.serving.keys import FileKey, PackKey, digest
from handoffs.packs.serving.material import PackMaterial, RenderedPacks
from handoffs.packs.serving.single_flight import SingleFlightCache

# Rows of one repository; the oldest go first.
PACKS, SEARCHES, SUMMARIES = 500, 60, 20_000
KEPT = timedelta(days=14)
FRESH = timedelta(minutes=10)  # how exactly it is known when a row was last used

# Lines of a repository that were searched for secrets: the same come again at each turn. No words of sessions: what is erased must not
# stay in the memory of any process, so these alone are kept there.
_masked: SingleFlightCache[str, str] = SingleFlightCache(8_192)
LONG = 2_000  # characters of a text that is kept


@dataclass(frozen=True, slots=True)
class FileVersion:
    """One version of a file that a client ranked."""

    path: str
    blob: str
    size: int = 0


def mask(text: str) -> str:
    return secrets.mask_text(text)


def mask_code(text: str) -> str:
    """Of what a client found in a repository."""
    return mask(text) if len(text) > LONG else _masked.get(text, lambda: mask(text))


def pack(repository: Repository, key: str) -> StoredPack | None:
    row = StoredPack.objects.filter(repository=repository, digest=key).first()
    if row is not None:
        _used(row)
    return row


def search(repository: Repository, key: str) -> PackMaterial | None:
    row = RankedSearch.objects.filter(repository=repository, digest=key).first()
    if row is None:
        return None
    _used(row)
    return materials.from_json(row.found)


def keep_search(repository: Repository, key: str, conversation: Conversation, commit: str, found: PackMaterial) -> None:
    values = {"team_id": repository.team_id, "conversation": conversation, "commit": commit, "found": materials.to_json(found)}
    RankedSearch.objects.update_or_create(repository=repository, digest=key, defaults={**values, "used_at": timezone.now()})
    _forget_oldest(RankedSearch, repository, SEARCHES)


def keep_files(repository: Repository, versions: Sequence[FileVersion], ranked: Sequence[RankedFile]) -> None:
    """Summaries of the versions that were ranked; one that is there is left as it is, but for when it was used."""
    told = {file.path: [list(symbol) for symbol in file.symbols] for file in ranked}
    now = timezone.now()
    rows = [
        FileSummary(
            team_id=repository.team_id,
            repository=repository,
            digest=digest(FileKey(str(repository.id), each.path, each.blob)),
            path=each.path,
            blob=each.blob,
            size=each.size,
            symbols=told[each.path],
            used_at=now,
        )
        for each in versions
        if each.blob and each.path in told
    ]
    unique = {row.digest: row for row in rows}
    FileSummary.objects.bulk_create(
        unique.values(), update_conflicts=True, unique_fields=["repository", "digest"], update_fields=["used_at"]
    )
    _forget_oldest(FileSummary, repository, SUMMARIES)


def keep_pack(repository: Repository, key: PackKey, conversation: Conversation, rendered: RenderedPacks) -> StoredPack:
    values = {
        "team_id": repository.team_id,
        "conversation": conversation,
        "fingerprint": key.fingerprint,
        "head": key.head,
        "changed": key.changed,
        "provider": key.provider,
        "mode": key.mode,
        "profile": key.profile,
        "lessons": key.lessons,
        "anchor": rendered.anchor,
        "context": rendered.context,
        "delta": rendered.delta,
        "paths": list(rendered.paths),
        "all_in_delta": rendered.all_in_delta,
        "used_at": timezone.now(),
    }
    row, _ = StoredPack.objects.update_or_create(repository=repository, digest=digest(key), defaults=values)
    _forget_oldest(StoredPack, repository, PACKS)
    return row


def forget_team(*, team: Team) -> int:
    """Empties the team's caches: any row may hold words that are erased. How many rows went."""
    return sum(model._default_manager.filter(team=team).delete()[0] for model in (StoredPack, RankedSearch, FileSummary))


def forget_unused(*, now: datetime, limit: int = 5_000) -> int:
    """Deletes what nobody used for long. How many rows went."""
    gone = 0
    for model in (StoredPack, RankedSearch, FileSummary):
        old: list[UUID] = list(
            model._default_manager.filter(used_at__lt=now - KEPT).order_by("used_at").values_list("id", flat=True)[:limit]
        )
        gone += model._default_manager.filter(id__in=old).delete()[0]
    return gone


def _used(row: Any) -> None:
    """Notes the use, at most every few minutes: a hit writes nothing."""
    now = timezone.now()
    if now - row.used_at > FRESH:
        type(row).objects.filter(id=row.id).update(used_at=now)


def _forget_oldest(model: type[Model], repository: Repository, most: int) -> None:
    rows = model._default_manager.filter(repository=repository)
    last = rows.order_by("-used_at").values_list("used_at", flat=True)[most : most + 1].first()
    if last is not None:
        rows.filter(used_at__lte=last).delete()
