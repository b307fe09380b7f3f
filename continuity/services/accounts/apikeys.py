"""Issuing, checking and revoking API keys."""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from continuity.core.errors import Conflict, Invalid, KeyRefused
from continuity.core.transactions import atomic
from continuity.models import ApiKey, Membership, Scope, Team, User
from continuity.services.events import events

ALL_SCOPES = tuple(Scope.values)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


@atomic
def issue(
    *,
    team: Team,
    name: str,
    scopes: Sequence[str] = ALL_SCOPES,
    expires_at: datetime | None = None,
    created_by: User | None = None,
    key_id: UUID | None = None,
) -> tuple[ApiKey, str]:
    """A new key and its full text, which is shown this once and kept nowhere. Raises Invalid on an unknown scope, Conflict where the key
    `key_id` was made already."""
    unknown = sorted(set(scopes) - set(ALL_SCOPES))
    if unknown or not scopes:
        raise Invalid(f"scopes must be some of {', '.join(ALL_SCOPES)}.", field="scopes")
    secret = secrets.token_urlsafe(32)
    made = {"name": name, "scopes": list(scopes), "expires_at": expires_at, "created_by": created_by}
    try:
        with transaction.atomic():
            key = ApiKey.objects.create(id=key_id or uuid4(), team=team, lookup=secrets.token_hex(6), digest=_digest(secret), **made)
    except IntegrityError as error:
        if key_id is None or not ApiKey.objects.filter(id=key_id).exists():
            raise  # whatever it is, it is no key that was made before
        raise Conflict("This key was made already.") from error
    events.publish(name="api_key.issued", team=team, subject_id=key.id, payload={"scopes": list(scopes)}, about=name)
    return key, f"{key.kind}_{key.lookup}_{secret}"


def authenticate(full: str, *, now: datetime) -> ApiKey:
    """The live key behind the text of one, with its team and, as `maker_role`, the present role of who made it. One query.

    Raises KeyRefused, also where its maker has left the team or may not sign in. Writes `last_used_at` at most once a minute.
    """
    _kind, _, rest = full.partition("_")
    lookup, _, secret = rest.partition("_")
    role = Membership.objects.filter(team=OuterRef("team"), user=OuterRef("created_by"), user__is_active=True).values("role")
    found = ApiKey.objects.select_related("team").annotate(present_role=Subquery(role)).filter(lookup=lookup[:16])
    key: Any = found.first()
    if key is None or not secrets.compare_digest(key.digest, _digest(secret)) or not key.is_live(now):
        raise KeyRefused
    if key.created_by_id is not None and key.present_role is None:
        raise KeyRefused
    known: ApiKey = key
    known.maker_role = key.present_role
    if known.last_used_at is None or now - known.last_used_at > timedelta(minutes=1):
        ApiKey.objects.filter(id=known.id).update(last_used_at=now)
    return known


@atomic
def revoke(*, key: ApiKey) -> None:
    """Ends a key at once."""
    if ApiKey.objects.filter(id=key.id, revoked_at=None).update(revoked_at=timezone.now()):
        events.publish(name="api_key.revoked", team=key.team, subject_id=key.id, about=key.name)


@atomic
def rotate(*, key: ApiKey) -> tuple[ApiKey, str]:
    """A new key with the name, scopes and expiry of a live one, which ends at once. Its full text is shown this once. Raises Conflict."""
    locked = ApiKey.objects.select_for_update(of=("self",), no_key=True).select_related("team", "created_by").get(id=key.id)
    if not locked.is_live(timezone.now()):
        raise Conflict("Only a key that still works can be replaced.")
    new = issue(team=locked.team, name=locked.name, scopes=locked.scopes, expires_at=locked.expires_at, created_by=locked.created_by)
    revoke(key=locked)
    return new
