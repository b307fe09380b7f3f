"""The demo: a team of its own with a made-up fortnight, to look at before one's own work is there, and to be removed in one step."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial

from django.db import transaction
from django.utils import timezone

from continuity.errors import Conflict, NotFound
from continuity.models import Conversation, Job, Membership, Role, Team, User
from continuity.services import accounts, events, imports
from diagnostics.demo.schedule import DOMAIN, PEOPLE, SCHEDULE, Session
from diagnostics.services import retelling
from diagnostics.services.backdating import History

logger = logging.getLogger("continuity.demo")

SLUG, NAME = "demo", "Tidewatch (demo)"


@transaction.atomic
def load(*, owner: User, now: datetime, schedule: Mapping[str, Sequence[Session]] = SCHEDULE) -> Team:
    """Makes the demo team, with `owner` as one of its owners, through the services, and sets its times back: all of it or nothing.

    Its events are history: nothing follows from them, and the metrics of the installation do not count them. Raises Conflict
    where there is a demo already, or a team or a person of the names that it needs.
    """
    if Team.objects.filter(demo=True).exists():
        raise Conflict("The demo is there already.")
    history = History()
    with events.as_history(), retelling.unheard():
        with history.at(now - retelling.BEGAN):
            people = {key: User.objects.create_user(person.email, name=person.name) for key, person in _new_people().items()}
            team = accounts.found_team(slug=SLUG, name=NAME, owner=people["mira"]).team
            Team.objects.filter(id=team.id).update(demo=True)
            team.refresh_from_db()
            for key, person in PEOPLE.items():
                accounts.add_member(team=team, user=people[key], role=Role[person.role])
            accounts.add_member(team=team, user=owner, role=Role.OWNER)
        retelling.Retelling(team=team, people=people, owner=owner, now=now, history=history).tell(schedule)
        history.set_back(team)
    logger.info("The demo is loaded: %d conversations", Conversation.objects.filter(team=team).count())
    return team


def _new_people() -> dict[str, retelling.Person]:
    taken = User.objects.filter(email__endswith=f"@{DOMAIN}").values_list("email", flat=True).first()
    if taken:
        raise Conflict(f"{taken} has an account already: the demo needs that address.")
    return dict(PEOPLE)


def removable_by(user: User | None) -> Team:
    """The demo team, which its owners and operators may remove. Raises NotFound for everybody else."""
    of_operators = Membership.objects.filter(user=user, team__demo=True, role__gte=Role.OPERATOR) if user else Membership.objects.none()
    membership = of_operators.select_related("team").first()
    if membership is None:
        raise NotFound(noun="demo")
    return membership.team


def _forget_uploads(names: Sequence[str]) -> None:
    for name in names:
        imports.path_of(name).unlink(missing_ok=True)


@transaction.atomic
def remove() -> None:
    """Deletes the demo team, its people, and all that is theirs. Raises NotFound where there is no demo."""
    team = Team.objects.select_for_update().filter(demo=True).first()
    if team is None:
        raise NotFound(noun="demo")
    uploads = [name for name in Job.objects.filter(team=team).values_list("arguments__file", flat=True) if name]
    people = list(User.objects.filter(memberships__team=team, email__endswith=f"@{DOMAIN}").values_list("id", flat=True))
    team.delete()
    User.objects.filter(id__in=people).delete()
    transaction.on_commit(partial(_forget_uploads, uploads))
    logger.info("The demo is removed, at %s", timezone.now().isoformat(timespec="seconds"))
