"""One unusual word, put into every text that a caller can give: after an erase no column of any table holds it, nor a file, nor Valkey."""

from typing import Any
from uuid import UUID

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType

from continuity.models import Anchor, Conversation, Erasure, IdempotentReply, Job, Task
from continuity.services.jobs import broker, jobs
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations, imports
from continuity.services.segments import segments
from handoffs.fidelity.staleness import Workspace
from handoffs.models import EditAction, Handoff, HandoffOverride
from handoffs.services.chains import offers, receipts
from handoffs.services.edits import package_edits
from handoffs.services.erasure import erasing
from handoffs.services.packages.authors import Author
from tests.api.caller import Caller, person
from tests.life.everywhere import files_holding, tables_holding
from tests.words import called, resulted, said

MARK = "Marzipanovic"


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def api(team):
    return Caller.of(team)


@pytest.fixture
def world(team, owner, teammate, api):
    """A conversation, its successor and a fork, and all that people and keys can do with them, the word everywhere."""
    keys = iter(range(100))

    def post(path, body=None, **more):
        answer = api.post(path, body or {}, idempotency_key=f"k{next(keys)}", **more)
        assert answer.status_code < 300, answer.content
        return answer.json()

    opened = {
        "title": f"Export of {MARK}", "source_tool": "cli", "external_id": f"session-{MARK}", "model": "m-1", "provider": "p-1",
        "cwd": f"/srv/{MARK}", "branch": f"fix/{MARK}", "metadata": {MARK: {"of": MARK}},
    }  # fmt: skip
    first = Conversation.objects.get(id=post("/conversations", opened)["id"])
    rule = f"Never change the {MARK} export of the client."
    post(f"/conversations/{first.id}/messages", {"messages": [person(rule, external_id=f"1-{MARK}")]})
    path = f"/srv/{MARK}/{MARK}.py"
    messages = [
        said(f"Always ask {MARK} first.", cwd=f"/srv/{MARK}", branch=f"fix/{MARK}", agent="", external_id=f"2-{MARK}"),
        called("Write", {"file_path": path, "content": f"def {MARK}(): pass"}, call_id="w1"),
        resulted(f"File created successfully at: {path}", call_id="w1"),
        called("Bash", {"command": f"pytest {MARK}"}, call_id="b1"),
        resulted(f"FAILED {MARK}", call_id="b1", exit_code=1),
    ]
    conversations.append(team=team, conversation_id=first.id, messages=messages, device=f"laptop of {MARK}")
    fold_runner.catch_up(conversation_id=first.id)
    post(f"/conversations/{first.id}/anchors", {"type": "Decision", "text": f"Keep {MARK} as it is.", "rationale": MARK, "rejected": MARK})
    post(f"/conversations/{first.id}/tasks", {"description": f"Write to {MARK}", "steps_left": [f"ask {MARK}"], "blocking_reason": MARK})
    post(f"/conversations/{first.id}/notes", {"lessons": [f"{MARK} was asked.", f"Ask {MARK} again."], "files": [f"{MARK}.py: changed"]})
    one = post(f"/conversations/{first.id}/handoffs", {"note": f"Mind {MARK}.", "trigger_reason": MARK})
    receipts.note_workspace(team=team, handoff_id=one["id"], workspace=Workspace("ab12cd34", {path: "1"}))
    for action, text in ((EditAction.EDIT, f"Ask {MARK} twice."), (EditAction.PIN, "")):
        package_edits.edit(team=team, handoff_id=one["id"], action=action, author=Author(user=owner), ref="a1", text=text)
    HandoffOverride.objects.create(
        team=team, handoff_id=one["id"], version=1, reason=f"{MARK} said so", score=0.5, missing=[f"Not stated: {MARK}"], made_as="Owner"
    )
    second = Conversation.objects.get(id=post(f"/handoffs/{one['id']}/resume", {"external_id": f"next-{MARK}"})["conversation"]["id"])
    fork = Conversation.objects.get(id=post(f"/handoffs/{one['id']}/resume", {"fork": True})["conversation"]["id"])
    text = Handoff.objects.get(id=one["id"]).text
    for heir in (second, fork):
        conversations.append(team=team, conversation_id=heir.id, messages=[said(f"{text}\nGo on.")])
        fold_runner.catch_up(conversation_id=heir.id)
    post(f"/conversations/{second.id}/anchors", {"type": "CriticalFact", "text": rule})
    post(f"/conversations/{second.id}/notes", {"history": [f"{MARK} was asked before."]})
    two = post(f"/conversations/{second.id}/handoffs")
    receipts.give(team=team, handoff_id=one["id"], author=Author(), conversation_id=second.id, workspace=Workspace("ab12", {path: "2"}))
    offers.offer(team=team, handoff_id=two["id"], to=teammate.email, author=Author(user=owner))
    for conversation in (first, second):
        segments.summarise_pending(conversation_id=conversation.id)
        for row in (conversation, *Anchor.objects.filter(conversation=conversation), *Task.objects.filter(conversation=conversation)):
            kind = ContentType.objects.get_for_model(row)
            LogEntry.objects.create(
                user=owner, content_type=kind, object_id=str(row.pk), object_repr=f"{MARK}"[:200], action_flag=CHANGE, change_message=MARK
            )
    jobs.submit(team=team, kind="prepare", arguments={"note": MARK}, conversation=first)
    named = {"file": "none", "name": f"{MARK}.jsonl", "format": "auto"}
    jobs.submit(team=team, kind=imports.KIND, arguments=named, conversation=first)
    failed = jobs.submit(team=team, kind=imports.KIND, arguments=named)
    Job.objects.filter(id=failed.id).update(status="failed", error=f"{MARK}.jsonl can't be read.", warnings=[f"{MARK}.jsonl: line 1"])
    return first


def in_valkey(words):
    client = broker.client()
    read: dict[bytes, Any] = {
        b"stream": client.xrange,
        b"list": lambda key: client.lrange(key, 0, -1),
        b"string": client.get,
        b"hash": client.hgetall,
    }
    return [key for key in client.keys("*") if (kind := client.type(key)) in read and words in f"{key!r} {read[kind](key)}"]


@pytest.mark.parametrize("whole", [False, True], ids=["words", "conversation"])
def test_it_works(world, owner, whole):
    where = tables_holding(MARK)
    assert {
        "continuity_conversation", "continuity_message", "continuity_anchor", "continuity_task", "continuity_filetouch",
        "continuity_idempotentreply", "continuity_job", "session_handoffs", "django_admin_log", "handoffs_receipt",
        "continuity_foldstate", "handoffs_probebank", "handoffs_handoffedit", "handoffs_handoffoverride", "handoffs_notestatement",
    } <= where  # fmt: skip
    of = {"team": world.team, "conversation_id": world.id, "by": erasing.By(owner.email, owner)}
    erasure = erasing.erase_conversation(**of) if whole else erasing.erase_words(words=MARK, **of)
    remaining = tables_holding(MARK) | tables_holding(MARK.lower())
    # What a successor's own caller chose, not taken over from the erased conversation, is not its words; redacting reaches it too.
    assert remaining <= ({"continuity_conversation"} if whole else set())
    assert not Conversation.objects.filter(cwd__contains=MARK).exists()
    assert not Conversation.objects.filter(title__contains=MARK).exists()
    jobs.run(job_id=erasure.job_id)
    assert tables_holding(MARK) <= remaining
    assert (files_holding(MARK), in_valkey(MARK)) == ([], [])
    kept = Erasure.objects.get(id=erasure.id)
    assert kept.completed_at is not None
    assert kept.erased_as == owner.email


def test_kept_answers_of_anchors_and_tasks_say_that_it_was_erased(team, owner, api):
    opened = api.post("/conversations", {}).json()["id"]
    asked = {"type": "CriticalFact", "text": f"The client is {MARK}."}
    assert api.post(f"/conversations/{opened}/anchors", asked, idempotency_key="a").status_code == 201
    assert api.post(f"/conversations/{opened}/tasks", {"description": f"Write to {MARK}"}, idempotency_key="t").status_code == 201
    erasing.erase_conversation(team=team, conversation_id=UUID(opened), by=erasing.By(owner.email, owner))
    for path, body, key in (("anchors", asked, "a"), ("tasks", {"description": f"Write to {MARK}"}, "t")):
        again = api.post(f"/conversations/{opened}/{path}", body, idempotency_key=key)
        assert (again.status_code, MARK in again.content.decode()) == (410, False)
    assert IdempotentReply.objects.filter(status=410).count() == 2


def test_a_message_that_is_sent_again_after_its_id_was_blacked_out_is_not_added_again(team, owner):
    conversation = conversations.create(team=team)
    message = said("Keep it.", external_id=f"m-{MARK}")
    conversations.append(team=team, conversation_id=conversation.id, messages=[message])
    erasing.erase_words(team=team, conversation_id=conversation.id, words=MARK, by=erasing.By(owner.email, owner))
    again = conversations.append(team=team, conversation_id=conversation.id, messages=[message])
    assert (again.added, again.seqs) == (0, (1,))
