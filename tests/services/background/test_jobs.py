"""Jobs go on whatever dies, and are done once."""

from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from continuity.core.correlation import correlated
from continuity.core.errors import Invalid
from continuity.models import Event, Job, JobStatus
from continuity.services.jobs import jobs

KIND = "test"


@pytest.fixture
def work(monkeypatch):
    """Registers the function that does this test's jobs."""

    def register(function):
        monkeypatch.setitem(jobs._runners, KIND, function)

    return register


@pytest.fixture
def job(team):
    return jobs.submit(team=team, kind=KIND, arguments={"n": 1})


def test_it_works(job, work):
    work(lambda lease: {"answer": lease.job.arguments["n"]})
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert (job.status, job.result) == (JobStatus.DONE, {"answer": 1})


def test_a_job_that_is_done_is_not_done_again(job, work):
    runs = []

    def once(lease):
        runs.append(1)
        return {}

    work(once)
    jobs.run(job_id=job.id)
    jobs.run(job_id=job.id)
    assert runs == [1]


def test_a_job_that_another_worker_holds_is_left_alone(job, work):
    work(lambda lease: pytest.fail("taken twice"))
    Job.objects.filter(id=job.id).update(status=JobStatus.RUNNING, lease_until=timezone.now() + timedelta(seconds=30))
    jobs.run(job_id=job.id)


def test_a_dead_workers_job_is_sent_again(job, work):
    work(lambda lease: {})
    past = timezone.now() - timedelta(seconds=1)
    Job.objects.filter(id=job.id).update(status=JobStatus.RUNNING, lease_until=past, attempts=1)
    assert jobs.sweep(now=timezone.now()) == 1
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert (job.status, job.attempts) == (JobStatus.DONE, 2)


def test_a_worker_that_lost_its_lease_writes_nothing_more(job, work):
    def slow(lease):
        Job.objects.filter(id=job.id).update(lease_token=None)
        lease.advance(done=5)
        pytest.fail("went on without the lease")

    work(slow)
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert (job.status, job.done) == (JobStatus.RUNNING, 0)


def test_a_bad_request_fails_at_once_with_its_reason(job, work):
    def refuse(lease):
        raise Invalid("line 3 is not JSON")

    work(refuse)
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert (job.status, job.error) == (JobStatus.FAILED, "line 3 is not JSON")


def test_a_fault_of_ours_fails_at_once_with_where_it_was(job, work, caplog):
    def broken(lease):
        lease.place = "Line 8 of the file"
        return {"share": 1 / 0}

    work(broken)
    with correlated("import-7"):
        jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert (job.status, job.attempts) == (JobStatus.FAILED, 1)
    assert job.error.startswith("Line 8 of the file: ZeroDivisionError in tests/services/background/test_jobs.py, line ")
    assert "import-7" in job.error
    assert jobs.sweep(now=timezone.now() + timedelta(hours=1)) == 0
    assert caplog.records[-1].exc_info, "the log has its stack"


def test_words_of_a_conversation_are_not_part_of_what_is_told(job, work):
    def broken(lease):
        raise ValueError("the admin password is hunter2")

    work(broken)
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert "ValueError" in job.error
    assert "hunter2" not in job.error


def spend(job):
    """All its attempts, one after the other."""
    for _ in range(jobs.MAX_ATTEMPTS):
        with suppress(OperationalError, OSError):
            jobs.run(job_id=job.id)
        Job.objects.filter(id=job.id).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert jobs.sweep(now=timezone.now()) == 0
    job.refresh_from_db()


@pytest.mark.parametrize("kind", [OperationalError, ConnectionResetError, OSError])
def test_what_may_pass_is_tried_again_and_given_up_in_the_end(job, work, kind):
    tries = []

    def away(lease):
        tries.append(1)
        raise kind("away")

    work(away)
    spend(job)
    assert len(tries) == jobs.MAX_ATTEMPTS
    assert job.status == JobStatus.FAILED
    assert job.error.startswith(
        f"Given up after 5 attempts. The last one: {kind.__name__} in tests/services/background/test_jobs.py, line "
    )


def test_a_job_that_ends_its_worker_each_time_says_so(job, work):
    Job.objects.filter(id=job.id).update(
        status=JobStatus.RUNNING, attempts=jobs.MAX_ATTEMPTS, lease_until=timezone.now() - timedelta(seconds=1)
    )
    jobs.sweep(now=timezone.now())
    job.refresh_from_db()
    assert (job.status, job.error) == (JobStatus.FAILED, "Given up: the process that did it was ended 5 times.")
    assert Event.objects.get(name="job.failed", subject_id=job.id).payload == {"kind": KIND}
