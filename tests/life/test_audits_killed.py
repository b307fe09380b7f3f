"""Audits whose worker is killed: another completes them, and there is one report."""

from datetime import timedelta

import pytest
from django.utils import timezone

from continuity.models import Conversation, Event, Job, JobStatus
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from diagnostics.models import AuditReport
from diagnostics.services import auditing
from handoffs.services.packages import probe_bank
from tests.handoffs.story import story
from tests.life.test_faults import held, killed_while

pytestmark = pytest.mark.django_db(transaction=True)

WORK = """
import diagnostics.tasks
from continuity.services.jobs import jobs
jobs.run(job_id=UUID(sys.argv[1]))
"""


@pytest.fixture
def job(team):
    conversation = story(team)
    fold_runner.catch_up(conversation_id=conversation.id)
    probe_bank.gather(conversation_id=conversation.id)
    return auditing.submit(team=team, conversation_id=conversation.id)


def done_by_another(job):
    Job.objects.filter(id=job.id).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert jobs.sweep(now=timezone.now()) == 1
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert (job.status, job.attempts) == (JobStatus.DONE, 2)
    report = AuditReport.objects.get()
    assert job.result == {"audit_id": str(report.id), "differences": 0}
    assert Event.objects.filter(name="audit.agreed").count() == 1


def test_it_works(job):
    with held(Conversation.objects.filter(id=job.conversation_id)):
        killed_while(WORK, job.id)
    job.refresh_from_db()
    assert job.status == JobStatus.RUNNING
    assert not AuditReport.objects.exists()
    done_by_another(job)


def test_killed_between_its_report_and_its_end_there_is_one_report(job):
    jobs.run(job_id=job.id)
    Job.objects.filter(id=job.id).update(status=JobStatus.RUNNING, result={}, finished_at=None)
    done_by_another(job)
