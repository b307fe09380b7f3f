"""What people and agents change about a package: it holds through new messages, re-folds and successors, and can be undone."""

import pytest
from celery import current_app
from django.test import TestCase

from continuity import tasks
from continuity.core.errors import Conflict, HandoffGone, Invalid, NotEditable, NotFound, VersionMismatch
from continuity.knowledge import RULES_VERSION
from continuity.models import Anchor, Event, FoldState, Task
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from handoffs.models import EditAction, Handoff, HandoffEdit, HandoffStatus
from handoffs.services.chains import resumption
from handoffs.services.edits import package_edits, undo
from handoffs.services.edits.targets import items
from handoffs.services.packages import comparison, handoffs, lifecycle, preparation
from handoffs.services.packages.authors import Author
from tests.handoffs.story import RULE, story
from tests.words import answered, said


@pytest.fixture
def handoff(team):
    return prepared(story(team))


def prepared(conversation, **options):
    wanted = preparation.options_of(**options)
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=wanted)


def edited(handoff, action, author=None, **more):
    made = package_edits.edit(team=handoff.team, handoff_id=handoff.id, action=EditAction(action), author=author or Author(), **more)
    handoff.refresh_from_db()
    return made


def undone(handoff, edit, **more):
    undo.undo(team=handoff.team, handoff_id=handoff.id, edit_id=edit.id, author=Author(), **more)
    handoff.refresh_from_db()


def line(handoff, words, kind="a"):
    return next(item for item in items(handoff) if words in item["text"] and item["reference"].startswith(kind))


def test_it_works(handoff, owner):
    rule = line(handoff, RULE)
    made = edited(handoff, "edit", Author(user=owner), ref=f"#{rule['reference']}", text="Never change the wire format.")
    assert "Never change the wire format." in handoff.text
    assert (made.made_by, made.reference, made.before["text"]) == (owner, rule["reference"], RULE)
    assert handoff.version == 2
    anchor = Anchor.objects.get(conversation=handoff.conversation, key=rule["key"])
    assert (anchor.text, anchor.edited_by) == ("Never change the wire format.", owner)
    assert Event.objects.filter(name="handoff.edited", subject_id=handoff.id).count() == 1


def test_what_was_dismissed_is_gone_and_undo_brings_it_back(handoff):
    error = line(handoff, "1 failed")
    made = edited(handoff, "dismiss", ref=error["reference"])
    assert error["key"] not in {item["key"] for item in items(handoff)}
    undone(handoff, made)
    assert error["key"] in {item["key"] for item in items(handoff)}
    assert Anchor.objects.get(conversation=handoff.conversation, key=error["key"]).edited_at is None
    with pytest.raises(Conflict):
        undone(handoff, made)


def test_what_people_set_survives_a_refold(handoff):
    error, rule = line(handoff, "1 failed"), line(handoff, RULE)
    edited(handoff, "dismiss", ref=error["reference"])
    edited(handoff, "edit", ref=rule["reference"], text="Keep the wire format.")
    added = package_edits.add(team=handoff.team, handoff_id=handoff.id, type="CriticalFact", text="The port is 8099.", author=Author())
    package_edits.add(team=handoff.team, handoff_id=handoff.id, type="Task", text="Tell the support team", author=Author())
    fold_runner.rewind(conversation=handoff.conversation, to=1)
    again = prepared(handoff.conversation)
    assert error["key"] not in {item["key"] for item in items(again)}
    assert {"Keep the wire format.", "The port is 8099.", "Tell the support team (not started)"} <= {item["text"] for item in items(again)}
    assert Anchor.objects.get(key=added.key).pinned


def test_a_successor_has_what_was_set_and_not_what_was_dismissed(handoff):
    rule, task = line(handoff, RULE), line(handoff, "job queue", "t")
    edited(handoff, "dismiss", ref=rule["reference"])
    edited(handoff, "dismiss", ref=task["reference"])
    package_edits.add(team=handoff.team, handoff_id=handoff.id, type="Constraint", text="Nobody deploys on Friday.", author=Author())
    heir = resumption.resume(team=handoff.team, handoff_id=handoff.id).conversation
    conversations.append(team=handoff.team, conversation_id=heir.id, messages=[said(f"As I said: {RULE}"), answered("Yes.")])
    texts = {item["text"]: item["key"] for item in items(prepared(heir))}
    assert "Nobody deploys on Friday." in texts
    assert rule["key"] not in texts.values()
    assert task["key"] not in texts.values()
    assert Task.objects.get(conversation=heir, key=task["key"]).dismissed


def test_lines_that_are_no_knowledge_are_changed_in_this_package_alone(handoff):
    file = line(handoff, "schema.py", "f")
    edited(handoff, "dismiss", ref=file["reference"])
    edited(handoff, "edit", key="next step", text="Read the clock once.")
    check = next(item for item in items(handoff) if item["label"] == "check")
    edited(handoff, "pin", key=check["key"])
    conversations.append(
        team=handoff.team, conversation_id=handoff.conversation_id, messages=[said("And mind the lease."), answered("I do.")]
    )
    resumed = resumption.resume(team=handoff.team, handoff_id=handoff.id)
    texts = [item["text"] for item in items(resumed.handoff)]
    assert "Read the clock once." in texts
    assert not any("schema.py" in item["text"] for item in items(resumed.handoff) if item["kind"] == "files")
    assert next(item for item in items(resumed.handoff) if item["key"] == check["key"])["critical"]


def test_what_was_left_out_can_be_pinned(team):
    handoff = prepared(story(team), budget=200)
    lost = comparison.omitted_knowledge(handoff)[0]
    edited(handoff, "pin", key=lost.item.key)
    assert lost.item.key in {item["key"] for item in items(handoff)}
    assert lost.item.key not in {each.item.key for each in comparison.omitted_knowledge(handoff)}


def test_who_compares_after_a_change_of_rules_has_it_read_anew_at_once(handoff, monkeypatch):
    fold = FoldState.objects.get(conversation=handoff.conversation)
    outdated = {"rules_version": 0}
    FoldState.objects.filter(id=fold.id).update(**outdated, state={**fold.state, **outdated}, outline=dict(fold.outline or {}, **outdated))
    sent = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **_: sent.append((name, args)))
    with TestCase.captureOnCommitCallbacks(execute=True), pytest.raises(Conflict, match="read anew"):
        comparison.omitted_knowledge(handoff)
    [(name, args)] = sent
    assert name == tasks.refold.name
    tasks.refold(*args)
    assert comparison.omitted_knowledge(handoff) is not None
    assert FoldState.objects.get(conversation=handoff.conversation).rules_version == RULES_VERSION


def test_references_never_change_their_meaning(handoff):
    before = {item["key"]: item["reference"] for item in items(handoff)}
    edited(handoff, "dismiss", ref="a1")
    package_edits.add(team=handoff.team, handoff_id=handoff.id, type="CriticalFact", text="The port is 8099.", author=Author())
    handoff.refresh_from_db()
    kept = {item["key"]: item["reference"] for item in items(handoff) if item["key"] in before and item["reference"][:1] in "atf"}
    assert kept and kept.items() <= before.items()
    assert line(handoff, "8099")["reference"] not in before.values()


def test_another_budget_and_style_is_a_new_directive_of_the_same_package(handoff):
    whole = handoff.text
    changes = {"budget": 200, "style": "concise"}
    package_edits.regenerate(team=handoff.team, handoff_id=handoff.id, author=Author(), changes=changes)
    handoff.refresh_from_db()
    assert (handoff.style, handoff.token_budget, handoff.status) == ("concise", 200, HandoffStatus.READY)
    assert len(handoff.text) < len(whole)
    undone(handoff, HandoffEdit.objects.get(handoff=handoff))
    assert (handoff.style, handoff.token_budget, handoff.text) == ("structured", 4000, whole)


def test_a_later_change_is_undone_first(handoff):
    reference = line(handoff, RULE)["reference"]
    first = edited(handoff, "edit", ref=reference, text="Never change the wire format.")
    second = edited(handoff, "edit", ref=reference, text="Never change any format.")
    with pytest.raises(Conflict):
        undone(handoff, first)
    undone(handoff, second)
    undone(handoff, first)
    assert RULE in handoff.text


def test_of_two_changes_on_one_version_the_second_is_refused(handoff):
    edited(handoff, "pin", ref="a1", version=1)
    with pytest.raises(VersionMismatch):
        edited(handoff, "unpin", ref="a1", version=1)
    assert HandoffEdit.objects.count() == 1


@pytest.mark.parametrize(
    ("wanted", "refusal"),
    [
        ({"action": "edit", "ref": "a1", "text": " "}, Invalid),
        ({"action": "pin", "ref": "x1"}, Invalid),
        ({"action": "pin"}, Invalid),
        ({"action": "pin", "ref": "a999"}, NotFound),
        ({"action": "pin", "key": "nothing"}, Invalid),
        ({"action": "dismiss", "key": "nothing"}, Invalid),
    ],
)
def test_a_change_that_means_nothing_is_refused_and_leaves_no_trace(handoff, wanted, refusal):
    with pytest.raises(refusal):
        edited(handoff, **wanted)
    assert not HandoffEdit.objects.exists()
    handoff.refresh_from_db()
    assert handoff.version == 1


def test_a_package_that_is_resumed_or_expired_stays_as_it_is(team, handoff):
    Handoff.objects.filter(id=handoff.id).update(expires_at=handoff.created_at)
    with pytest.raises(HandoffGone):
        edited(handoff, "pin", ref="a1")
    Handoff.objects.filter(id=handoff.id).update(status=HandoffStatus.RESUMED, resumed_at=handoff.created_at)
    with pytest.raises(NotEditable):
        edited(handoff, "pin", ref="a1")


def test_withdrawing_ends_it_and_undoing_brings_it_back(team, handoff):
    lifecycle.withdraw(team=team, handoff_id=handoff.id, author=Author())
    with pytest.raises(Conflict):
        resumption.resume(team=team, handoff_id=handoff.id)
    with pytest.raises(NotEditable):
        edited(handoff, "pin", ref="a1")
    undone(handoff, HandoffEdit.objects.get(handoff=handoff))
    assert resumption.resume(team=team, handoff_id=handoff.id).handoff.status == HandoffStatus.RESUMED


def test_a_draft_is_resumed_only_when_somebody_made_it_ready(team):
    conversation = story(team)
    made = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of(), draft=True)
    with pytest.raises(Conflict):
        resumption.resume(team=team, handoff_id=made.id)
    edited(made, "pin", ref="a1")
    assert made.status == HandoffStatus.DRAFT
    lifecycle.make_ready(team=team, handoff_id=made.id, author=Author())
    resumption.resume(team=team, handoff_id=made.id)
    assert handoffs.get(team=team, handoff_id=made.id).status == HandoffStatus.RESUMED


def test_what_older_rules_folded_is_said_to_be_read_anew(team):
    handoff = prepared(story(team))
    FoldState.objects.filter(conversation=handoff.conversation).update(state={"rules_version": "none"}, outline=None)
    with pytest.raises(Conflict, match="read anew"):
        comparison.omitted_knowledge(handoff)


def test_words_that_a_person_puts_in_a_claims_place_are_stated(handoff, owner):
    rule = line(handoff, RULE)
    Anchor.objects.filter(conversation=handoff.conversation, key=rule["key"]).update(truth="claimed")
    made = edited(handoff, "edit", Author(user=owner), ref=rule["reference"], text="Never change the wire format.")
    assert Anchor.objects.get(conversation=handoff.conversation, key=rule["key"]).truth == "stated"
    undone(handoff, made)
    assert Anchor.objects.get(conversation=handoff.conversation, key=rule["key"]).truth == "claimed"
    edited(handoff, "edit", ref=rule["reference"], text="Never change the format.")
    assert Anchor.objects.get(conversation=handoff.conversation, key=rule["key"]).truth == "claimed"
