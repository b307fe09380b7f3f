"""The demo as a job: done once, whatever dies in the middle of it."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from continuity.models import Conversation, Job, JobStatus, Membership, Message, Team, User
from continuity.services.jobs import jobs
from diagnostics.services import demo, demo_removal, demo_story
from handoffs.models import Handoff

pytestmark = pytest.mark.django_db

# test_loading loads all of them.
SHORT = demo.schedule_of(["gateway-retries", "feed-import", "pause"])
STEPS = sum(len(planned) for planned in SHORT.values()) + 2


class Killed(BaseException):
    """Nothing of ours catches it, as nothing catches a kill."""


@pytest.fixture
def job(team: Team, owner: User) -> Job:
    return demo.ask(team=team, owner=owner, themes=list(SHORT))


def killed_after(monkeypatch: pytest.MonkeyPatch, sessions: int) -> None:
    """The worker dies within the session after so many, when that is told and not committed."""
    told = demo_story.DemoStory.session
    left = iter(range(sessions))

    def session(self: Any, *args: Any) -> None:
        told(self, *args)
        if next(left, None) is None:
            raise Killed

    monkeypatch.setattr(demo_story.DemoStory, "session", session)


def counted() -> Mapping[str, int]:
    team = Team.objects.get(demo=True)
    return {model.__name__: model.objects.filter(team=team).count() for model in (Conversation, Message, Handoff, Membership)}


def test_it_works(job: Job, owner: User) -> None:
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert (job.status, job.done, job.total) == (JobStatus.DONE, STEPS, STEPS)
    first = Membership.objects.filter(user=owner).order_by("created_at")[0]
    assert not first.team.demo


def test_after_a_kill_it_goes_on_and_nothing_is_there_twice(job: Job, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        killed_after(patched, 3)
        with pytest.raises(Killed):
            jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert (job.status, job.done) == (JobStatus.RUNNING, 4)
    partly = counted()
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    jobs.run(job_id=job.id)
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert (job.status, job.attempts) == (JobStatus.DONE, 2)
    resumed = counted()
    assert all(resumed[name] > partly[name] for name in ("Conversation", "Message", "Handoff"))
    demo_removal.remove()
    demo.load(owner=owner, now=job.created_at, schedule=SHORT)
    assert counted() == resumed


def test_removing_it_stops_the_worker_that_loads_it(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        killed_after(patched, 1)
        with pytest.raises(Killed):
            jobs.run(job_id=job.id)
    demo_removal.remove()
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert job.status == JobStatus.DONE
    assert not Team.objects.filter(demo=True).exists()
