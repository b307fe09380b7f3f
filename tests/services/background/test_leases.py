"""A job's lease: kept while its worker lives, free within seconds after it was killed."""

import os
import subprocess
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from config.celery import BEAT_SCHEDULE
from continuity.models import Job, JobStatus
from continuity.services.jobs import jobs

KIND = "test"
PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture
def work(monkeypatch):
    """Registers the function that does this test's jobs."""

    def register(function):
        monkeypatch.setitem(jobs._runners, KIND, function)

    return register


@pytest.fixture
def job(team):
    return jobs.submit(team=team, kind=KIND, arguments={"n": 1})


@pytest.mark.django_db(transaction=True)
def test_it_works(team, work, monkeypatch):
    """The lease is kept while a step takes longer than it."""
    monkeypatch.setattr(jobs, "LEASE", timedelta(seconds=1))
    monkeypatch.setattr(jobs, "RENEWED_EVERY", timedelta(milliseconds=50))
    job = jobs.submit(team=team, kind=KIND, arguments={})
    renewed: list[Job] = []

    def long(lease):
        began = timezone.now()
        deadline = time.monotonic() + 60
        while not renewed and time.monotonic() < deadline:
            time.sleep(0.02)
            renewed.extend(Job.objects.filter(id=job.id, lease_until__gt=began + timedelta(seconds=1.2)))
        return {}

    work(long)
    jobs.run(job_id=job.id)
    assert renewed
    assert Job.objects.get(id=job.id).status == JobStatus.DONE
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("lease")]


@pytest.mark.django_db(transaction=True)
def test_nobody_renews_a_lease_that_another_worker_holds(team, work, monkeypatch):
    monkeypatch.setattr(jobs, "RENEWED_EVERY", timedelta(milliseconds=20))
    job = jobs.submit(team=team, kind=KIND, arguments={})
    theirs, until = uuid4(), timezone.now() + timedelta(seconds=2)

    def lose(lease):
        Job.objects.filter(id=job.id).update(lease_token=theirs, lease_until=until)
        lease._renewing.join(60)
        assert not lease._renewing.is_alive()
        lease.advance()

    work(lose)
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert (job.lease_token, job.lease_until, job.status) == (theirs, until, JobStatus.RUNNING)


WORKER = """
import os, sys, time
from datetime import timedelta
import django
django.setup()
from continuity.services.jobs import jobs
jobs.LEASE, jobs.RENEWED_EVERY = timedelta(seconds=1), timedelta(milliseconds=100)

@jobs.runner("test")
def work(lease):
    print("begun", flush=True)
    time.sleep(600 if lease.job.attempts == 1 else 0)
    return {"by": os.getpid()}

from uuid import UUID
jobs.run(job_id=UUID(sys.argv[1]))
"""


def worker_of(job):
    settings_of = connection.settings_dict
    at = f"{quote(settings_of['USER'])}:{quote(settings_of['PASSWORD'])}@{settings_of['HOST']}:{settings_of['PORT']}/{settings_of['NAME']}"
    environment = {**os.environ, "DATABASE_URL": f"postgresql://{at}"}
    return subprocess.Popen([sys.executable, "-c", WORKER, str(job.id)], env=environment, cwd=PROJECT, stdout=subprocess.PIPE, text=True)


@pytest.mark.django_db(transaction=True)
def test_the_job_of_a_worker_that_was_killed_is_free_when_its_lease_ends(team):
    """At a fifth of the real times: a lease of one second instead of five."""
    job = jobs.submit(team=team, kind=KIND, arguments={})
    with worker_of(job) as first:
        assert first.stdout.readline() == "begun\n"
        time.sleep(1.5)
        assert jobs.sweep(now=timezone.now()) == 0  # longer than a lease, which is renewed
        first.kill()
    killed = time.monotonic()
    while not jobs.sweep(now=timezone.now()):
        assert time.monotonic() - killed < 60
        time.sleep(0.05)
    freed = Job.objects.get(id=job.id)
    with worker_of(job) as second:
        assert second.wait(60) == 0
    freed.refresh_from_db()
    assert (freed.status, freed.attempts) == (JobStatus.DONE, 2)


def test_a_lease_and_a_sweep_take_no_more_than_ten_seconds():
    assert jobs.LEASE + timedelta(seconds=float(str(BEAT_SCHEDULE["sweep"]["schedule"]))) <= timedelta(seconds=10)
    assert 3 * jobs.RENEWED_EVERY < jobs.LEASE
