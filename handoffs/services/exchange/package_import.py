"""Packages of other installations that come in, checked."""

import hashlib
import logging
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from continuity.core.errors import BadSignature, Invalid, TooLarge, UntrustedKey
from continuity.models import Conversation, Team, User
from continuity.services.accounts import gates
from continuity.services.events import events
from continuity.services.knowledge import fold_runner, knowledge_rows
from continuity.services.recording import conversations
from continuity.windows import WindowSource
from handoffs.building.imported_package import Arrival, arrive
from handoffs.contract import package_json, signature
from handoffs.contract.model import Package
from handoffs.models import Handoff
from handoffs.services.chains import chains
from handoffs.services.exchange import signing
from handoffs.services.exchange.package_export import FORMAT, GATE, VERSION
from handoffs.services.packages import policies, preparation

logger = logging.getLogger("continuity.handoffs")

SOURCE_TOOL = "package"
_REFERENCE = re.compile(r"[atf]\d{1,6}")


def check_size(size: int) -> None:
    """Raises TooLarge where a package has more bytes than are taken in."""
    limit = settings.CONTINUITY_MAX_PACKAGE_BYTES
    if size > limit:
        raise TooLarge(noun="The package", size=f"{size:,} bytes", limit=f"{limit:,} bytes (CONTINUITY_MAX_PACKAGE_MB)")


def take_in(*, team: Team, document: Mapping[str, Any], owner: User | None = None, draft: bool = False) -> Handoff:
    """Stores the package of a signed document: a conversation that knows what it carries, and a handoff in a chain of its own.

    Ready, or a draft where asked or where the policy is review; failed where its text does not state what it carries. The
    same package is stored once. Raises UntrustedKey (403), BadSignature, Invalid naming what is unknown or out of bounds,
    Conflict (409) with `conversation_id` where the team has it already, GateClosed, TooMany.
    """
    gates.require(team, "Agents.Continuity.Model")
    gates.require(team, GATE)
    _check_form(document)
    _check_signature(document)
    source, ids = document["source"], (uuid4(), uuid4())
    arrival, original = _arrival(document, *map(str, ids))
    with transaction.atomic():
        conversation = conversations.create(
            team=team,
            owner=owner,
            title=source["title"],
            source_tool=SOURCE_TOOL,
            external_id=hashlib.sha256(signature.canonical({"package": document["package"]})).hexdigest(),
            provider=source["provider"][:40],
            model=source["model"][:120],
            max_context_tokens=source["maxContextTokens"],
            window_source=WindowSource.TRANSCRIPT,
            cwd=arrival.prepared.package.situation.cwd,
            branch=arrival.prepared.package.situation.branch,
        )
        knowledge_rows.write(conversation=conversation, changes=arrival.changes)
        fold_runner.start_from(conversation=conversation, record=arrival.state.to_json())
        return _store(conversation, arrival, original, document, owner, draft)


def _check_form(document: Mapping[str, Any]) -> None:
    if document["format"] != FORMAT:
        raise Invalid(f"format must be {FORMAT}.", field="format")
    if document["version"] != VERSION:
        raise Invalid(f"Version {document['version']} of packages is not known here; {VERSION} is.", field="version")
    if document["signature"]["algorithm"] != signature.ALGORITHM:
        raise Invalid(f"algorithm must be {signature.ALGORITHM}.", field="signature.algorithm")


def _check_signature(document: Mapping[str, Any]) -> None:
    try:
        signature.check(document, signing.trusted())
    except signature.UnknownKey as error:
        raise UntrustedKey(key_id=str(error)) from error
    except signature.Forged as error:
        raise BadSignature from error


def _arrival(document: Mapping[str, Any], handoff_id: str, conversation_id: str) -> tuple[Arrival, Package]:
    raw = document["package"]
    try:
        original = package_json.from_contract(raw)
        attested = package_json.report_from_contract(raw["fidelity"]) if raw.get("fidelity") else None
        here = package_json.from_contract({**raw, "handoffId": handoff_id, "conversationId": conversation_id})
        return arrive(here, attested), original
    except ValueError as error:
        raise Invalid(f"package: {error}", field="package") from error


def _store(
    conversation: Conversation, arrival: Arrival, original: Package, document: Mapping[str, Any], owner: User | None, draft: bool
) -> Handoff:
    """The stored handoff, first of its chain. The caller's transaction."""
    now, package, team = timezone.now(), arrival.prepared.package, conversation.team
    link = chains.link_for(conversation=conversation, now=now)
    origin = {
        "keyId": document["signature"]["keyId"],
        "handoffId": original.handoff_id[:100],
        "conversationId": original.conversation_id[:100],
        "exportedAt": document["exportedAt"],
    }
    handoff = Handoff(
        id=UUID(package.handoff_id),
        team=team,
        conversation=conversation,
        chain=link.chain,
        position=link.position,
        number=link.number,
        owner=owner,
        made_by=owner,
        expires_at=now + timedelta(days=settings.HANDOFF_RETENTION_DAYS),
        created_at=now,
        references=_references(package),
        origin=origin,
    )
    review = policies.effective(team=team, conversation=conversation).review
    preparation.fill(handoff, arrival.prepared, draft=draft or review)
    handoff.save(force_insert=True)
    chains.extend(chain=link.chain, handoff=handoff, tokens=package.metadata.original_token_count, now=now)
    events.publish(name="handoff.imported", team=team, subject_id=handoff.id, payload={"conversation_id": str(conversation.id), **origin})
    ids = {"handoff_id": str(handoff.id), "conversation_id": str(conversation.id), "key_id": origin["keyId"]}
    logger.info("[CONT:STORE] Stored handoff %s for conversation %s", handoff.id, conversation.id, extra={"metadata": ids})
    return handoff


def _references(package: Package) -> dict[str, str]:
    """The references that its lines show, with the key behind each, of a file its path."""
    items = [item for section in package.sections for item in section.items if _REFERENCE.fullmatch(item.reference)]
    return {item.reference: item.key.partition(":")[2] if item.reference[0] == "f" else item.key for item in items}
