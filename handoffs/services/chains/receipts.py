"""Receipts: what a successor got of a package, what it did first, and what changed in the work place meanwhile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import timezone

from continuity.core.errors import Conflict, Invalid, existing
from continuity.core.transactions import atomic
from continuity.models import Message, Team
from continuity.services.events import events
from handoffs.contract import package_json
from handoffs.fidelity.rediscovery import FirstActs, acts_of, judge
from handoffs.fidelity.staleness import Workspace, commit_of, head_moved, moved_paths, moved_references
from handoffs.models import Handoff, Receipt, Resumption
from handoffs.services.chains import chains
from handoffs.services.edits.targets import items, plain
from handoffs.services.packages import handoffs
from handoffs.services.packages.authors import Author
from handoffs.services.packages.locking import EDITABLE, lock

# A successor's first acts are looked for in so many messages.
FIRST = 60
FILES = 2000


@dataclass(frozen=True, slots=True)
class ReceiptClaims:
    """A receipt with what the successor's first messages show: `first` acts, `unacknowledged` critical items, and whether the
    head moved (None: not known)."""

    receipt: Receipt
    first: FirstActs
    unacknowledged: Sequence[str]
    unknown: Sequence[str]
    head_moved: bool | None


@atomic
def note_workspace(*, team: Team, handoff_id: UUID, workspace: Workspace, version: int | None = None) -> Handoff:
    """Keeps how the old session left its work place, so that a successor can be told what moved. Raises what `locking.lock` raises."""
    handoff = lock(team=team, handoff_id=handoff_id, version=version, among=EDITABLE)
    handoff.workspace = _record(workspace)
    handoff.version += 1
    handoff.save(update_fields=["workspace", "version"])
    payload = {"files": len(workspace.files), "version": handoff.version}
    events.publish(name="handoff.workspace_noted", team=team, subject_id=handoff.id, payload=payload)
    return handoff


def give(
    *,
    team: Team,
    handoff_id: UUID,
    author: Author,
    conversation_id: UUID | None = None,
    loaded: bool = True,
    acknowledged: Sequence[str] = (),
    workspace: Workspace | None = None,
) -> ReceiptClaims:
    """Stores the successor's receipt; sent again it replaces the first.

    `conversation_id` is the successor's; needed only where the handoff was resumed more than once. Raises NotFound,
    HandoffGone, Conflict where nobody resumed it, Invalid on what is no reference.
    """
    handoff = handoffs.get(team=team, handoff_id=handoff_id)
    resumption = _resumption(handoff, conversation_id)
    package = package_json.from_contract(handoff.package)
    found = workspace or Workspace()
    _record(found)
    before = _workspace(handoff.workspace)
    moved = moved_references(package, moved_paths(before, found, package.situation.cwd))
    references = list(dict.fromkeys(plain(reference, field=f"acknowledged.{place}") for place, reference in enumerate(acknowledged)))
    told = {
        "loaded_at": timezone.now() if loaded else None,
        "acknowledged": references,
        "workspace": _record(found),
        "head_commit": found.head_commit,
        "moved": moved,
        "made_by": author.user,
        "made_with": author.key,
    }
    return _claims_of(handoff, _keep(handoff, resumption, told))


@atomic
def _keep(handoff: Handoff, resumption: Resumption, told: Mapping[str, Any]) -> Receipt:
    chains.lock(handoff.chain_id)
    receipt, made = Receipt.objects.update_or_create(resumption=resumption, defaults={"team": handoff.team, "handoff": handoff, **told})
    counts = {"acknowledged": len(receipt.acknowledged), "moved": len(receipt.moved), "first": made}
    payload = {"conversation_id": str(resumption.conversation_id), **counts}
    events.publish(name="handoff.received", team=handoff.team, subject_id=handoff.id, payload=payload)
    return receipt


def get(*, team: Team, handoff_id: UUID, conversation_id: UUID | None = None) -> ReceiptClaims:
    """The receipt with the first acts as they stand now. Raises NotFound, HandoffGone, Conflict."""
    handoff = handoffs.get(team=team, handoff_id=handoff_id)
    receipt = existing(Receipt.objects.filter(resumption=_resumption(handoff, conversation_id)).first(), "receipt")
    return _claims_of(handoff, receipt)


def find(*, handoff: Handoff, resumption: Resumption) -> ReceiptClaims | None:
    """The receipt of this resumption of the handoff, or None where its successor gave none."""
    receipt = Receipt.objects.filter(resumption=resumption).select_related("resumption").first()
    return _claims_of(handoff, receipt) if receipt else None


def first_acts(*, handoff: Handoff, conversation_id: UUID) -> FirstActs:
    """The first actions of a successor, from its first messages. One query, of at most 60 messages."""
    package = package_json.from_contract(handoff.package)
    rows = Message.objects.filter(conversation_id=conversation_id, abandoned=False).order_by("seq")[:FIRST]
    return judge(package, acts_of(((row.seq, row.as_transcript()) for row in rows), package.situation.cwd))


def moved_since(*, handoff: Handoff, reference: str) -> bool:
    """Whether a successor found that what this item speaks of has moved. One query."""
    return Receipt.objects.filter(handoff=handoff, moved__contains=[reference]).exists()


def _claims_of(handoff: Handoff, receipt: Receipt) -> ReceiptClaims:
    package = package_json.from_contract(handoff.package)
    known = {item["reference"] for item in items(handoff)} | set(handoff.references)
    before = _workspace(handoff.workspace).head_commit or commit_of(package)
    return ReceiptClaims(
        receipt,
        first_acts(handoff=handoff, conversation_id=receipt.resumption.conversation_id),
        unacknowledged=_critical(handoff, receipt.acknowledged),
        unknown=[reference for reference in receipt.acknowledged if reference not in known],
        head_moved=head_moved(before, receipt.head_commit),
    )


def _critical(handoff: Handoff, acknowledged: Sequence[str]) -> list[str]:
    """The references of critical items that the successor did not acknowledge."""
    critical = (item["reference"] for item in items(handoff) if item["critical"] and item["reference"])
    return [reference for reference in dict.fromkeys(critical) if reference not in acknowledged]


def _resumption(handoff: Handoff, conversation_id: UUID | None) -> Resumption:
    rows = Resumption.objects.filter(handoff=handoff).order_by("created_at")
    if conversation_id is not None:
        return existing(rows.filter(conversation_id=conversation_id).first(), "resumption in this conversation")
    several = list(rows[:2])
    if not several:
        raise Conflict("Nobody has resumed this handoff.")
    if len(several) > 1:
        raise Invalid("This handoff was resumed more than once: name the conversation.", field="conversation_id")
    return several[0]


def _workspace(record: Mapping[str, object]) -> Workspace:
    files, head = record.get("files"), record.get("head_commit")
    return Workspace(str(head or ""), dict(files) if isinstance(files, dict) else {})


def _record(workspace: Workspace) -> dict[str, object]:
    if len(workspace.files) > FILES:
        raise Invalid(f"files must name at most {FILES:,} files.", field="files")
    return {"head_commit": workspace.head_commit, "files": dict(workspace.files)}
