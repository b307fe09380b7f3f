"""Receipts of successors, and the work place as the old session left it."""

from typing import Annotated, Any
from uuid import UUID

from django.http import HttpResponse
from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime, ConfigDict

from continuity.api.access import HANDOFF, READ, ApiRequest
from continuity.api.masks import hide
from continuity.api.problems import answers
from continuity.api.versions import IF_MATCH, etag
from handoffs.api.authoring import author, version
from handoffs.api.forms.handoffs import HandoffOut
from handoffs.fidelity.rediscovery import Act
from handoffs.fidelity.staleness import Workspace
from handoffs.models import Handoff
from handoffs.services.chains import receipts
from handoffs.services.chains.receipts import ReceiptClaims

router = Router(tags=["receipts"])

Hash = Annotated[str, Field(max_length=128)]
Path = Annotated[str, Field(max_length=4096)]
Commit = Annotated[str, Field(max_length=64, pattern=r"^[0-9a-fA-F]*$")]


class WorkspaceIn(Schema):
    """A work place: head commit, and a hash by path (any algorithm, the same on both sides); null where a file is not there."""

    model_config = ConfigDict(extra="forbid")

    head_commit: Commit = ""
    files: dict[Path, Hash | None] = Field(default_factory=dict, max_length=2000)

    def as_workspace(self) -> Workspace:
        return Workspace(self.head_commit.lower(), self.files)


class ReceiptIn(Schema):
    """A successor's receipt. `acknowledged` are references (`a12`) of the package; `conversation_id` is its own, where there are forks."""

    model_config = ConfigDict(extra="forbid")

    conversation_id: UUID | None = None
    loaded: bool = True
    acknowledged: list[Annotated[str, Field(max_length=12)]] = Field(default_factory=list, max_length=5000)
    workspace: WorkspaceIn | None = None


class ReceiptQuery(Schema):
    conversation_id: UUID | None = None


class ActOut(Schema):
    seq: int
    deed: str
    what: str

    @classmethod
    def of(cls, act: Act) -> "ActOut":
        return cls(seq=act.seq, deed=act.deed.value, what=hide(act.what))


class TouchOut(ActOut):
    """An act that comes near a constraint: it shares words with it. Whether it breaks it is for a reader to say."""

    reference: str
    constraint: str


class Rediscovery(Schema):
    """Something that the successor looked up again, before its first change, although the package answered it."""

    files: list[ActOut]
    commands: list[ActOut]


class ReceiptOut(Schema):
    """`unacknowledged` are the critical items that were not acknowledged, `unknown` references that the package never gave out.

    `moved` are the items whose files moved since; `head_moved` is null where a head commit is not known.
    """

    handoff_id: UUID
    conversation_id: UUID
    loaded_at: AwareDatetime | None
    acknowledged: list[str]
    unacknowledged: list[str]
    unknown: list[str]
    moved: list[str]
    head_moved: bool | None
    acts: int = Field(description="Acts in the successor's first 60 messages.")
    rediscovery: Rediscovery
    touches: list[TouchOut]

    @classmethod
    def of(cls, told: ReceiptClaims) -> "ReceiptOut":
        receipt, first = told.receipt, told.first
        touches: list[Any] = [
            TouchOut(**ActOut.of(touch.act).model_dump(), reference=touch.reference, constraint=hide(touch.words))
            for touch in first.touches
        ]
        return cls(
            handoff_id=receipt.handoff_id,
            conversation_id=receipt.resumption.conversation_id,
            loaded_at=receipt.loaded_at,
            acknowledged=receipt.acknowledged,
            unacknowledged=list(told.unacknowledged),
            unknown=list(told.unknown),
            moved=receipt.moved,
            head_moved=told.head_moved,
            acts=first.acts,
            rediscovery=Rediscovery(files=[ActOut.of(act) for act in first.files], commands=[ActOut.of(act) for act in first.commands]),
            touches=touches,
        )


@router.post("/handoffs/{uuid:handoff_id}/receipt", auth=HANDOFF, response=answers(ReceiptOut, 201, 409, 410), summary="Give a receipt")
def give_receipt(request: ApiRequest, handoff_id: UUID, payload: ReceiptIn | None = None) -> Status[ReceiptOut]:
    """Stores what a successor loaded and acknowledged, and how it found the work place. Sent again, it replaces the first."""
    sent = payload or ReceiptIn()
    told = receipts.give(
        team=request.auth.team,
        handoff_id=handoff_id,
        author=author(request),
        conversation_id=sent.conversation_id,
        loaded=sent.loaded,
        acknowledged=sent.acknowledged,
        workspace=sent.workspace.as_workspace() if sent.workspace else None,
    )
    return Status(201, ReceiptOut.of(told))


@router.get("/handoffs/{uuid:handoff_id}/receipt", auth=READ, response=answers(ReceiptOut, 200, 409, 410), summary="Read a receipt")
def get_receipt(request: ApiRequest, handoff_id: UUID, query: Query[ReceiptQuery]) -> Status[ReceiptOut]:
    """The receipt, with what the successor's first messages show by now."""
    told = receipts.get(team=request.auth.team, handoff_id=handoff_id, conversation_id=query.conversation_id)
    return Status(200, ReceiptOut.of(told))


@router.put(
    "/handoffs/{uuid:handoff_id}/workspace",
    auth=HANDOFF,
    response=answers(HandoffOut, 200, 409, 410, 412),
    summary="Note the work place",
    openapi_extra=IF_MATCH,
)
def note_workspace(request: ApiRequest, handoff_id: UUID, payload: WorkspaceIn, response: HttpResponse) -> Status[Handoff]:
    """Keeps head commit and file hashes as the old session leaves them: what moved afterwards is marked in the successor's receipt."""
    noted = receipts.note_workspace(
        team=request.auth.team, handoff_id=handoff_id, workspace=payload.as_workspace(), version=version(request)
    )
    response["ETag"] = etag(noted.version)
    return Status(200, noted)
