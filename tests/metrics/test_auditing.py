"""The deep audit: agrees with what was folded in any steps, and tells of every difference."""

import pytest

from continuity.models import Anchor, Event, FileTouch, JobStatus, Task
from continuity.services.jobs import jobs
from continuity.services.knowledge import curation
from continuity.services.recording import conversations
from diagnostics.handlers import audit_some
from diagnostics.models import AuditReport
from diagnostics.services import auditing
from handoffs.models import Handoff, ProbeBank
from handoffs.services.chains import resumption
from handoffs.services.packages import preparation, probe_bank
from tests.handoffs.story import DECISION, RULE, story
from tests.words import answered, called, resulted, said

KEY = "sk-ant-" + "api03-" + "q8Zr5Tn2Wm7Kc4Vb" * 4


def prepare(conversation):
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=preparation.options_of())


def audit(conversation, handoff=None):
    job = auditing.submit(team=conversation.team, conversation_id=conversation.id, handoff_id=handoff.id if handoff else None)
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert job.status == JobStatus.DONE, job.error
    return AuditReport.objects.get(id=job.result["audit_id"])


def append(conversation, *messages, **more):
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages, **more)
    probe_bank.gather(conversation_id=conversation.id)


def told(report):
    return {(each["of"], each["what"]) for each in report.differences}


def test_it_works(team):
    conversation = story(team)
    handoff = prepare(conversation)
    report = audit(conversation, handoff)
    assert (report.differing, report.differences) == (0, [])
    assert report.through_seq == conversation.last_seq
    assert min(report.anchors, report.tasks, report.files, report.package_anchors) > 0
    assert Event.objects.filter(name="audit.agreed").exists()


def test_it_agrees_on_a_conversation_in_which_nothing_was_said(team):
    conversation = conversations.create(team=team)
    assert audit(conversation, prepare(conversation)).differences == []


def test_it_agrees_after_rewinds_changes_by_people_and_handoffs(team, owner):
    conversation = story(team)
    message = said("Always deploy on Fridays.")
    append(conversation, message)
    append(conversation, answered("I will not."), abandoned=[message.external_id])
    anchor = Anchor.objects.get(conversation=conversation, text=RULE)
    curation.change(row=anchor, values={"text": "Leave the API alone."}, by=owner, now=anchor.created_at)
    handoff = prepare(conversation)
    heir = resumption.resume(team=team, handoff_id=handoff.id).conversation
    edit = {"file_path": "/srv/app/queue/schema.py", "old_string": "x = 1", "new_string": "x = 2"}
    touched = called("Edit", edit, call_id="h1", cwd="/srv/app")
    append(heir, touched, resulted("The file /srv/app/queue/schema.py has been updated.", call_id="h1"))
    append(heir, said("Never restart the worker without asking me."), said("Actually, let's use Redis for the job queue after all."))
    for each, package in ((conversation, handoff), (heir, prepare(heir))):
        assert audit(each, package).differences == []


def test_it_agrees_on_a_package_whose_words_held_a_secret(team):
    conversation = story(team)
    append(conversation, said(f"Always call the staging server with the key {KEY}, never with another one."))
    handoff = prepare(conversation)
    assert any("[secret: " in anchor["originalContent"] for anchor in handoff.anchors)
    assert audit(conversation, handoff).differences == []


def test_it_agrees_on_a_package_that_was_followed_or_taken_back_in_part(team):
    conversation = story(team)
    early, late = said("Always deploy on Fridays."), said("Actually, deploy on Mondays instead.")
    append(conversation, early, late)
    handoff = prepare(conversation)
    append(conversation, said("Never restart the worker without asking me."), said("Let's use Redis for the job queue after all."))
    followed = audit(conversation, handoff)
    assert (followed.differences, followed.package_anchors) == ([], len(handoff.anchors))
    append(conversation, answered("I will not."), abandoned=[early.external_id, late.external_id])
    assert audit(conversation, handoff).differences == []


@pytest.mark.parametrize(
    ("spoil", "difference"),
    [
        (lambda c: Anchor.objects.filter(conversation=c, text=DECISION).delete(), ("anchor", "missing")),
        (lambda c: Anchor.objects.filter(conversation=c, text=RULE).update(text="Change the API."), ("anchor", "changed")),
        (lambda c: Task.objects.filter(conversation=c).update(steps_left=[]), ("task", "changed")),
        (lambda c: FileTouch.objects.filter(conversation=c).delete(), ("file", "missing")),
        (lambda c: ProbeBank.objects.filter(conversation=c).update(state={}), ("probes", "changed")),
    ],
)
def test_it_finds_what_was_lost_or_changed(team, spoil, difference):
    conversation = story(team)
    prepare(conversation)
    spoil(conversation)
    report = audit(conversation)
    assert difference in told(report)
    event = Event.objects.get(name="audit.differed")
    assert event.payload["differences"] == report.differing > 0


def test_it_holds_the_package_against_the_messages(team):
    conversation = story(team)
    handoff = prepare(conversation)
    kept = [anchor for anchor in handoff.anchors if anchor["originalContent"] != DECISION]
    Handoff.objects.filter(id=handoff.id).update(anchors=kept)
    assert told(audit(conversation, handoff)) == {("package", "missing")}


def test_a_report_holds_no_words(team):
    conversation = story(team)
    prepare(conversation)
    Anchor.objects.filter(conversation=conversation).delete()
    FileTouch.objects.filter(conversation=conversation).delete()
    report = audit(conversation)
    assert report.differing
    assert not any(words in str(report.differences) for words in ("Postgres", "schema.py", "API"))


@pytest.mark.parametrize(("share", "audits"), [(0.0, 0), (1.0, 1)])
def test_a_share_of_the_packages_is_audited_once(team, settings, share, audits):
    settings.CONTINUITY_AUDIT_SHARE = share
    conversation = story(team)
    prepare(conversation)
    event = Event.objects.get(name="handoff.prepared")
    audit_some(event)
    audit_some(event)
    assert conversation.jobs.filter(kind=auditing.KIND).count() == audits


def test_a_conversation_is_audited_again_when_it_has_grown_by_half(team, settings):
    settings.CONTINUITY_AUDIT_SHARE = 1.0
    conversation = story(team)
    assert audit(conversation, prepare(conversation)).differences == []
    before = conversation.jobs.filter(kind=auditing.KIND).count()

    def prepared() -> int:
        audit_some(Event.objects.get(name="handoff.prepared", subject_id=prepare(conversation).id))
        return conversation.jobs.filter(kind=auditing.KIND).count() - before

    assert prepared() == 0
    conversation.refresh_from_db()
    more = [said(f"Go on with step {number}.") for number in range(conversation.last_seq)]
    conversations.append(team=team, conversation_id=conversation.id, messages=more)
    assert prepared() == 1
