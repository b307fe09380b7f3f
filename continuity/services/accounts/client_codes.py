"""Giving a client its key by a code that works once, so that the key itself stands in no address and no shell's history."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db import transaction

from continuity.accounts import roles
from continuity.core import actor
from continuity.core.errors import CodeOver, Conflict
from continuity.models import ApiKey, ClientCode, Membership, Scope, Team, User
from continuity.services.accounts import apikeys, members
from continuity.services.events import events

MINUTES = 10
KEY_DAYS = 365
OPEN_AT_ONCE = 20  # codes of one person
LONGEST = 64  # characters of what somebody gives for a code
NAME = 120
# Letters and digits that are not taken for one another; sixteen of them are 80 bits.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
GROUPS, GROUP = 4, 4


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()


@transaction.atomic
def create(*, team: Team, by: User, now: datetime) -> tuple[ClientCode, str]:
    """A code and its text, which is kept nowhere. Codes of the same person that are over are forgotten. Raises RoleTooLow, Conflict."""
    roles.require(members.membership(team=team, user_id=by.id).role, roles.Permission.KEYS)
    ClientCode.objects.filter(created_by=by, expires_at__lte=now).delete()
    if ClientCode.objects.open(now).filter(created_by=by).count() >= OPEN_AT_ONCE:
        raise Conflict(f"You have {OPEN_AT_ONCE} codes that still work; use one, or wait until they are over.")
    code = "".join(secrets.choice(ALPHABET) for _ in range(GROUPS * GROUP))
    made = ClientCode.objects.create(team=team, created_by=by, digest=_digest(code), expires_at=now + timedelta(minutes=MINUTES))
    events.publish(name="client_code.created", team=team, subject_id=made.id)
    return made, "-".join(code[at : at + GROUP] for at in range(0, len(code), GROUP))


@transaction.atomic
def redeem(*, code: str, name: str, now: datetime) -> tuple[ApiKey, str]:
    """The key of a code and its full text, once. The key is its maker's, called `name`. Raises CodeOver, also for what never was one."""
    found = ClientCode.objects.open(now).select_related("team", "created_by").filter(digest=_digest(_plain(code))).first()
    if found is None or not found.created_by.is_active:
        raise CodeOver
    role = Membership.objects.filter(team=found.team, user=found.created_by).values_list("role", flat=True).first()
    if role is None or not roles.may(role, roles.Permission.KEYS):
        raise CodeOver  # Since it was made they left, or may do less.
    if not ClientCode.objects.open(now).filter(id=found.id).update(redeemed_at=now):
        raise CodeOver  # Somebody else was faster.
    actor.identify(name=found.created_by.email, user_id=found.created_by_id)
    events.publish(name="client_code.redeemed", team=found.team, subject_id=found.id, about=name[:NAME])
    scopes = [scope.value for scope in roles.scopes(role) if scope is not Scope.ADMIN]
    return apikeys.issue(
        team=found.team, name=name[:NAME], scopes=scopes, expires_at=now + timedelta(days=KEY_DAYS), created_by=found.created_by
    )


def _plain(code: str) -> str:
    """The code without what people put into it: small letters, dashes, spaces, and letters that look like digits."""
    kept = "".join(code[:LONGEST].upper().split()).replace("-", "")
    return kept.replace("O", "0").replace("I", "1").replace("L", "1")
