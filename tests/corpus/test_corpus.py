"""Real sessions, each read, folded and handed off: nothing raises, nothing is passed over, and the one-shot command says what the
service says."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from continuity.models import Conversation, Event, Job, JobStatus, SkippedMessage
from continuity.services.jobs import jobs
from continuity.services.recording import imports
from continuity.services.segments import segments
from handoffs.building.oneshot import OneShot, from_transcript
from handoffs.contract.model import Options, Style
from handoffs.models import Handoff
from handoffs.services.packages import preparation
from tests.corpus.sessions import as_many_as_asked, corpus, sample, unpacked
from tests.whole_way import BY_FAULT, NOW, left_out

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")


def one_shot(path: Path, style: Style, model: str) -> OneShot:
    made = from_transcript(path, Options(style=style), now=NOW, model=model)
    assert made.skipped == ()
    assert [each for each in made.report.skipped if BY_FAULT in each.reason] == []
    left_out(made.prepared)
    return made


def imported(path: Path, team) -> Conversation:
    job = imports.begin(team=team, upload=SimpleUploadedFile(path.name, path.read_bytes()))
    jobs.run(job_id=job.id)
    job = Job.objects.get(id=job.id)
    assert job.status == JobStatus.DONE, job.error
    assert not [each for each in job.result["skipped"] if BY_FAULT in each["reason"]]
    return Conversation.objects.get(id=job.result["conversation_id"])


def prepared(conversation: Conversation, style: Style) -> Handoff:
    options = preparation.options_of(style=style.value)
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=options)


def difference(ours: str, theirs: str) -> str:
    lines = unified_diff(ours.splitlines(), theirs.splitlines(), "one-shot", "service", lineterm="", n=0)
    return "\n".join(line[:300] for line in lines)


def goes_the_whole_way(packed: Path, folder: Path, team) -> None:
    path = unpacked(packed, folder)
    conversation = imported(path, team)
    # Workers tell a segment when it is closed, with the anchors as they stand then, which depends on when they come to it. Here they come
    # at the end, and the one-shot tells with the anchors as they stand at the end; its model is the one that the service counts for.
    # All else must be the same.
    segments.summarise_pending(conversation_id=conversation.id)
    shot = {style: one_shot(path, style, conversation.model) for style in Style}
    assert (conversation.folded_seq, conversation.message_count) == (conversation.last_seq, conversation.last_seq)
    stored = {style: prepared(conversation, style) for style in Style}
    assert not SkippedMessage.objects.filter(conversation=conversation).exists()
    folded = Event.objects.filter(name="knowledge.distilled", subject_id=conversation.id)
    assert not folded.filter(payload__has_key="faults").exists()
    differing = [difference(shot[style].prepared.text, stored[style].text) for style in Style]
    assert "".join(differing) == ""


@pytest.mark.skipif(not corpus(), reason="CONTINUITY_CORPUS names no folder of sessions")
@pytest.mark.parametrize("packed", sample(), ids=lambda path: path.name[:60])
def test_it_works(packed: Path, tmp_path: Path, team) -> None:
    goes_the_whole_way(packed, tmp_path, team)


@pytest.mark.long
@pytest.mark.skipif(not corpus(), reason="CONTINUITY_CORPUS names no folder of sessions")
@pytest.mark.parametrize("packed", as_many_as_asked(), ids=lambda path: path.name[:60])
def test_every_session(packed: Path, tmp_path: Path, team) -> None:
    goes_the_whole_way(packed, tmp_path, team)
