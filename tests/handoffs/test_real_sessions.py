"""Every real session that is at hand goes through two handoffs without a loss, and audits agree. Skips where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from continuity.models import Conversation, JobStatus, Team
from continuity.services.jobs import jobs
from continuity.services.recording import conversations, imports
from diagnostics.models import AuditReport
from diagnostics.services import auditing
from handoffs.models import Handoff, HandoffStatus
from handoffs.services.chains import resumption
from handoffs.services.packages import preparation
from tests.beyond import beyond
from tests.words import answered, said

SESSIONS = Path(__file__).resolve().parents[2].parent / "shared" / "transcripts"
FILES = sorted(path for path in SESSIONS.glob("*/*") if path.is_file())

pytestmark = pytest.mark.skipif(not FILES, reason="no real sessions are here")


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def recorded(team: Team, path: Path) -> Conversation:
    job = imports.begin(team=team, upload=SimpleUploadedFile(path.name, path.read_bytes()))
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert job.status == JobStatus.DONE, job.error
    return Conversation.objects.get(id=job.result["conversation_id"])


def carried_on(conversation: Conversation, budget: int) -> Conversation:
    """The conversation that goes on from a handoff of this one; nothing is missing in it."""
    options = preparation.options_of(budget=budget)
    handoff = preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=options)
    assert handoff.status == HandoffStatus.READY, handoff.failure
    resumed = resumption.resume(team=conversation.team, handoff_id=handoff.id)
    report = resumed.resumption.report
    assert (report["isSeamless"], report["missingElements"]) == (True, []), report
    return resumed.conversation


@pytest.mark.parametrize("path", beyond(2, FILES), ids=lambda path: f"{path.parent.name}-{path.stem[:24]}")
def test_it_works(team, path):
    conversation = recorded(team, path)
    carried_on(conversation, 2000)
    heir = carried_on(conversation, 4000)
    words = [said("Please go on, and never push to the main branch."), answered("I'll go on with the next step and run the tests.")]
    conversations.append(team=team, conversation_id=heir.id, messages=words)
    carried_on(heir, 2000)
    for each in Handoff.objects.order_by("created_at"):
        audited(each)


def audited(handoff: Handoff) -> None:
    """Reading everything again finds nothing else, also after the conversation went on."""
    job = auditing.submit(team=handoff.team, conversation_id=handoff.conversation_id, handoff_id=handoff.id)
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert job.status == JobStatus.DONE, (job.error, handoff.status)
    assert AuditReport.objects.get(id=job.id).differences == []
