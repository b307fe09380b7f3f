"""Removing the demo with all that is its."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial

from django.db import IntegrityError, transaction
from django.utils import timezone

from continuity.core import transactions
from continuity.core.errors import existing
from continuity.core.transactions import atomic
from continuity.models import Job, JobStatus, Membership, Role, Team, User
from continuity.services.recording import imports
from diagnostics.demo.schedule import DOMAIN
from diagnostics.services import demo

logger = logging.getLogger("continuity.demo")

TRIES = 5


def removable_by(user: User | None) -> Team:
    """The demo team, which its owners and operators may remove. Raises NotFound for everybody else."""
    of_operators = Membership.objects.filter(user=user, team__demo=True, role__gte=Role.OPERATOR) if user else Membership.objects.none()
    membership = existing(of_operators.select_related("team").first(), "demo")
    return membership.team


def _forget_uploads(names: Sequence[str]) -> None:
    for name in names:
        imports.path_of(name).unlink(missing_ok=True)


def remove() -> None:
    """Deletes the demo team, its people, and all that is theirs. Raises NotFound where there is no demo."""
    for tries_left in reversed(range(TRIES)):
        try:
            return _remove()
        except IntegrityError:  # A worker stored something of the demo after its rows were looked for: they are looked for again.
            if not tries_left:
                raise
    raise AssertionError


@atomic
def _remove() -> None:
    team = demo.present_team()
    transactions.ask_now()  # Its agents are removed, too.
    # A worker that still loads it loses its lease, and stops.
    Job.objects.filter(kind=demo.KIND, status__in=[JobStatus.QUEUED, JobStatus.RUNNING]).update(
        status=JobStatus.DONE, lease_until=None, lease_token=None, finished_at=timezone.now()
    )
    uploads = [name for name in Job.objects.filter(team=team).values_list("arguments__file", flat=True) if name]
    people = list(User.objects.filter(memberships__team=team, email__endswith=f"@{DOMAIN}").values_list("id", flat=True))
    team.delete()
    User.objects.filter(id__in=people).delete()
    transaction.on_commit(partial(_forget_uploads, uploads))
    logger.info("The demo is removed, at %s", timezone.now().isoformat(timespec="seconds"))
