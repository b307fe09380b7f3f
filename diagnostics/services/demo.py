"""The demo: a team of its own with a made-up fortnight, to look at before one's own work is there, and to be removed in one step."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction

from continuity.core.errors import Conflict, NotFound, existing
from continuity.models import Conversation, Job, Membership, Role, Team, User
from continuity.services.accounts import accounts
from continuity.services.events import events
from continuity.services.jobs import jobs
from diagnostics.demo import agents
from diagnostics.demo.schedule import DOMAIN, PEOPLE, SAMPLE_END, SCHEDULE, DemoSession, working_time
from diagnostics.services import demo_story
from diagnostics.services.backdating import History
from diagnostics.services.demo_work import demo_packs

logger = logging.getLogger("continuity.demo")

SLUG, NAME = "demo", "Tidewatch (demo)"
KIND = "demo"
# The owner came a moment before all of it was asked for.
JOINED = timedelta(minutes=1)


def load(*, owner: User, now: datetime, schedule: Mapping[str, Sequence[DemoSession]] = SCHEDULE) -> Team:
    """Makes the demo team, with `owner` as one of its owners, through the services, and sets its times back: all of it or nothing.

    Its events are history: nothing follows from them, and the metrics of the installation do not count them. Raises Conflict
    where there is a demo already, or a team or a person of the names that it needs.
    """
    with transaction.atomic():
        for step in _steps(owner, now, schedule):
            step()
        team = present_team()
    logger.info("The demo is loaded: %d conversations", Conversation.objects.filter(team=team).count())
    return team


def schedule_of(themes: Sequence[str]) -> Mapping[str, Sequence[DemoSession]]:
    """These pieces of work only, or all of them. Raises NotFound for one that there is not."""
    for theme in themes:
        if theme not in SCHEDULE:
            raise NotFound(noun=f"theme {theme}")
    return {theme: SCHEDULE[theme] for theme in themes or SCHEDULE}


def ask(*, team: Team, owner: User, themes: Sequence[str] = ()) -> Job:
    """Has a worker load the demo, or these pieces of work of it; its progress is a job of `team`. The caller's transaction."""
    return jobs.submit(team=team, kind=KIND, arguments={"name": NAME, "themes": list(themes)}, created_by=owner)


@jobs.runner(KIND)
def load_by_job(lease: jobs.Lease) -> Mapping[str, Any]:
    """Loads the demo step by step. Each commits together with the progress that tells of it, so that after a kill the next step is the
    first one that is not there, and nothing is told twice."""
    job = lease.job
    if job.created_by is None:
        raise NotFound(noun="owner")
    steps = _steps(job.created_by, job.created_at, schedule_of(job.arguments.get("themes", ())))
    lease.advance(total=len(steps))
    for number in range(job.done, len(steps)):
        with transaction.atomic():
            steps[number]()
            lease.advance(done=number + 1)
    return {}


def _steps(owner: User, now: datetime, schedule: Mapping[str, Sequence[DemoSession]]) -> Sequence[Callable[[], None]]:
    """First the team and its people, then each session in the order of time, the shipped one among them; and what agents did about the
    piece of work that they belong to."""
    told = {working_time(now, *SAMPLE_END): partial(_tell_sample, owner, now)}
    if agents.CHECKED in schedule:
        told[agents.check().begin(now)] = partial(_tell_checked_months, owner, now)
    if agents.EXPLAINED in schedule:
        told[agents.incident().begin(now)] = partial(_tell_incident, owner, now)
    for key, planned in schedule.items():
        told |= {session.begin(now): partial(_load_session, owner, now, key, planned, number) for number, session in enumerate(planned)}
    return [partial(_found, owner, now), *(told[at] for at in sorted(told))]


def _found(owner: User, now: datetime) -> None:
    if Team.objects.filter(demo=True).exists():
        raise Conflict("The demo is there already.")
    history = History()
    with events.as_history(), demo_story.silent():
        with history.at(now - demo_story.BEGAN):
            people = {key: User.objects.create_user(person.email, name=person.name) for key, person in _new_people().items()}
            team = accounts.found_team(slug=SLUG, name=NAME, owner=people["mira"]).team
            Team.objects.filter(id=team.id).update(demo=True)
            for key, person in PEOPLE.items():
                accounts.add_member(team=team, user=people[key], role=Role[person.role])
            demo_packs.switched_on(team=team, by=people["mira"])
        with history.at(now - JOINED):
            accounts.add_member(team=team, user=owner, role=Role.OWNER)
        history.set_back(team)
    # Whoever has a team of their own was in that one first.
    Membership.objects.filter(team=team, user=owner).update(created_at=now)


def _load_session(owner: User, now: datetime, key: str, planned: Sequence[DemoSession], number: int) -> None:
    with _retelling(owner, now) as told:
        told.session(key, planned, number)


def _tell_sample(owner: User, now: datetime) -> None:
    with _retelling(owner, now) as told:
        told.sample()


def _tell_checked_months(owner: User, now: datetime) -> None:
    with _retelling(owner, now) as told:
        told.checked_months()


def _tell_incident(owner: User, now: datetime) -> None:
    with _retelling(owner, now) as told:
        told.incident()


@contextmanager
def _retelling(owner: User, now: datetime) -> Iterator[demo_story.DemoStory]:
    """Whoever tells something of the demo; the times of what is told are set back at the end."""
    team, history = present_team(), History()
    accounts_of = User.objects.in_bulk([person.email for person in PEOPLE.values()], field_name="email")
    people = {key: accounts_of[person.email] for key, person in PEOPLE.items()}
    with events.as_history(), demo_story.silent():
        yield demo_story.DemoStory(team=team, people=people, owner=owner, now=now, history=history)
        history.set_back(team)


def present_team() -> Team:
    """The demo team, kept from being removed meanwhile. Raises NotFound."""
    return existing(Team.objects.select_for_update(no_key=True).filter(demo=True).first(), "demo")


def _new_people() -> dict[str, demo_story.Person]:
    taken = User.objects.filter(email__endswith=f"@{DOMAIN}").values_list("email", flat=True).first()
    if taken:
        raise Conflict(f"{taken} has an account already: the demo needs that address.")
    return dict(PEOPLE)
