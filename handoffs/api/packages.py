"""Packages between installations: exported signed, and taken in where the signature is trusted."""

import base64
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status
from pydantic import ConfigDict

from continuity.api.access import HANDOFF, READ, ApiRequest
from continuity.api.conversation_forms import Label, ModelName, Title, Window
from continuity.api.idempotent import idempotent
from continuity.api.problems import answers
from handoffs.api.forms.handoffs import HandoffOut
from handoffs.contract import signature
from handoffs.services.exchange import package_export, package_import, signing
from handoffs.services.packages import handoffs

router = Router(tags=["packages"])

STRICT = ConfigDict(extra="forbid", strict=True)


class PackageSource(Schema):
    """The conversation that a package is of."""

    model_config = STRICT

    title: Title = ""
    sourceTool: Label = ""
    provider: Label = ""
    model: ModelName = ""
    maxContextTokens: Window | None


class Signature(Schema):
    """`value` signs, in base64, the document without this field as JSON with sorted names, without spaces, in ASCII."""

    model_config = STRICT

    algorithm: str = Field(examples=["Ed25519"], max_length=20)
    keyId: str = Field(description="The first 16 hex digits of the SHA-256 of the public key.", max_length=64)
    value: str = Field(max_length=200)


class SignedPackage(Schema):
    """`package` is a handoff in the names of CONT-01, as `GET /handoffs/{id}` shows it."""

    model_config = STRICT

    format: str = Field(examples=["continuity.package"], max_length=40)
    version: int
    exportedAt: str = Field(max_length=40)
    source: PackageSource
    package: dict[str, Any]
    signature: Signature


class KeyOut(Schema):
    """The public key of this installation, for `CONTINUITY_TRUSTED_KEYS` of others."""

    algorithm: str
    key_id: str
    public_key: str = Field(description="32 bytes in base64.")


class TakeInQuery(Schema):
    draft: bool = Field(False, description="Leave it for a person to make ready.")


@router.get("/signing-key", auth=READ, response=answers(KeyOut), summary="Read the public signing key")
def get_signing_key(request: ApiRequest) -> Status[KeyOut]:
    """The key by which others check what is exported here."""
    key = signing.public()
    return Status(200, KeyOut(algorithm=signature.ALGORITHM, key_id=signature.key_id(key), public_key=base64.b64encode(key).decode()))


EXPORTED = answers(SignedPackage, 200, 409, 410)


@router.get("/handoffs/{uuid:handoff_id}/export", auth=READ, response=EXPORTED, summary="Export a package")
def export_package(request: ApiRequest, handoff_id: UUID, response: HttpResponse) -> Status[dict[str, Any]]:
    """The package as a signed document, its secrets masked. What is exported, erasing does not reach."""
    handoff = handoffs.get(team=request.auth.team, handoff_id=handoff_id)
    response["Content-Disposition"] = f'attachment; filename="handoff-{handoff.id}.json"'
    return Status(200, package_export.export(handoff=handoff, now=timezone.now()))


TAKEN_IN = answers(HandoffOut, 201, 409, 413, 429)


@router.post("/packages", auth=HANDOFF, response=TAKEN_IN, summary="Import a package")
@idempotent
def take_in_package(request: ApiRequest, query: Query[TakeInQuery], payload: SignedPackage) -> Status[HandoffOut]:
    """Stores an exported package as a handoff that can be resumed, in a chain of its own. It must be signed with a trusted key (403)
    and unchanged (422); once (409 names its conversation)."""
    package_import.check_size(len(request.body))
    document = payload.model_dump()
    made = package_import.take_in(team=request.auth.team, document=document, owner=request.auth.person, draft=query.draft)
    return Status(201, HandoffOut.from_orm(made))
