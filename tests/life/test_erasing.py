"""What is erased is nowhere any more, its copies neither, and what is left still works."""

from datetime import timedelta

import pytest
from django.utils import timezone

from continuity import queries
from continuity.core.errors import ConversationGone, HandoffGone, NotFound
from continuity.models import Anchor, Conversation, Erasure, Event, Job, JobStatus, Message
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations, imports
from handoffs.models import Handoff, HandoffChain, HandoffStatus, HandoffTombstone, Resumption
from handoffs.services.chains import chains, resumption
from handoffs.services.erasure import erasing
from handoffs.services.packages import handoffs, preparation
from tests.api.caller import Caller, person
from tests.handoffs.story import story
from tests.life.everywhere import files_holding, stream_tells_of, tables_holding
from tests.words import answered, said

MARK = "marzipan"
RULE = f"Never change the {MARK} export of the client."
OTHER = "Always write a changelog line for the importer."


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def by(owner):
    return erasing.By(owner.email, owner)


def append(conversation, *messages):
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages)
    fold_runner.catch_up(conversation_id=conversation.id)


def prepare(conversation):
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=preparation.options_of())


def go_on(handoff, *messages):
    """The next conversation, told the directive as a hook tells it."""
    resumed = resumption.resume(team=handoff.team, handoff_id=handoff.id).conversation
    append(resumed, said(f"{handoff.text}\nGo on."), *messages)
    return resumed


def run(erasure):
    jobs.run(job_id=erasure.job_id)
    erasure.refresh_from_db()
    return erasure


@pytest.fixture
def three(team):
    """Three conversations in a chain; the words to be erased were said in the first."""
    first = story(team)
    append(first, said(RULE), answered(f"I decided to keep the {MARK} file format as version 2."))
    second = go_on(prepare(first), said(OTHER))
    third = go_on(prepare(second), said("Use a limit of 40 for the worker."))
    prepare(third)
    return first, second, third


def test_it_works(three, by):
    first = three[0]
    assert {"session_handoffs", "continuity_message", "continuity_anchor", "continuity_foldstate"} <= tables_holding(MARK)
    erasure = run(erasing.erase_conversation(team=first.team, conversation_id=first.id, by=by))
    assert tables_holding(MARK) == set()
    assert erasure.completed_at is not None
    assert (erasure.erased_by, erasure.erased_as, erasure.removed["conversation"]) == (by.user, by.user.email, 1)
    with pytest.raises(ConversationGone) as caught:
        conversations.get(team=first.team, conversation_id=first.id)
    assert caught.value.status == 410


def test_what_others_said_stays_and_reaches_the_end_of_the_chain(three, by):
    first, _, third = three
    run(erasing.erase_conversation(team=first.team, conversation_id=first.id, by=by))
    texts = {anchor.text for anchor in queries.knowledge_of(third).anchors}
    assert OTHER in texts
    handoff = prepare(Conversation.objects.get(id=third.id))
    assert handoff.status == HandoffStatus.READY
    assert OTHER in handoff.text
    assert MARK not in handoff.text


def test_the_chain_goes_on_without_it(three, by):
    first, second, third = three
    run(erasing.erase_conversation(team=first.team, conversation_id=first.id, by=by))
    (chain,) = HandoffChain.objects.all()
    assert chain.root_conversation == second
    assert [link.conversation for link in chains.members(chain)] == [second, third]
    assert chain.total_handoffs == 2
    assert chains.get(team=first.team, any_id=third.id) == chain


def test_one_in_the_middle_leaves_its_neighbours_linked(team, by):
    first = story(team)
    append(first, said(OTHER))
    second = go_on(prepare(first), said(RULE))
    third = go_on(prepare(second), said("Use a limit of 40 for the worker."))
    last = prepare(third)
    run(erasing.erase_conversation(team=team, conversation_id=second.id, by=by))
    assert tables_holding(MARK) == set()
    third.refresh_from_db()
    assert third.resumed_from == first
    joined = Resumption.objects.get(conversation=third)
    assert joined.handoff == Handoff.objects.get(conversation=first)
    assert joined.handoff.resumed_conversation == third
    last.refresh_from_db()
    assert (last.previous_handoff, last.status) == (joined.handoff, HandoffStatus.READY)
    assert OTHER in {anchor.text for anchor in queries.knowledge_of(third).anchors}
    assert prepare(third).chain == joined.handoff.chain


def test_its_packages_leave_tombstones(three, by):
    first, _, _ = three
    gone = Handoff.objects.get(conversation=first)
    erasing.erase_conversation(team=first.team, conversation_id=first.id, by=by)
    assert HandoffTombstone.objects.get(id=gone.id).reason == "erased"
    with pytest.raises(HandoffGone):
        handoffs.get(team=first.team, handoff_id=gone.id)


def test_rows_go_at_once_and_packages_of_successors_are_made_again(three, by):
    first, second, third = three
    erasure = erasing.erase_conversation(team=first.team, conversation_id=first.id, by=by)
    assert tables_holding(MARK) == set()
    assert erasure.completed_at is None
    latest = Handoff.objects.get(conversation=third)
    assert latest.status == HandoffStatus.FAILED
    run(erasure)
    latest.refresh_from_db()
    assert (latest.status, OTHER in latest.text) == (HandoffStatus.READY, True)
    assert Handoff.objects.get(conversation=second).status == HandoffStatus.RESUMED


def test_twice_is_once(three, by):
    first, _, _ = three
    again = [erasing.erase_conversation(team=first.team, conversation_id=first.id, by=by) for _ in range(2)]
    assert again[0] == again[1]
    assert Erasure.objects.count() == Job.objects.filter(kind=erasing.KIND).count() == 1
    for each in again:
        assert run(each).completed_at is not None


def test_uploads_that_wait_and_their_jobs_go(team, by, uploads):
    conversation = conversations.create(team=team)
    (uploads / "waiting").write_text(f"words with {MARK}")
    job = jobs.submit(team=team, kind=imports.KIND, arguments={"file": "waiting", "name": f"{MARK}.jsonl"}, conversation=conversation)
    run(erasing.erase_conversation(team=team, conversation_id=conversation.id, by=by))
    assert files_holding(MARK) == []
    assert not Job.objects.filter(id=job.id).exists()
    jobs.run(job_id=job.id)


@pytest.mark.django_db(transaction=True)
def test_events_and_the_stream_tell_of_it_no_more(three, by):
    first, _, _ = three
    gone = Handoff.objects.get(conversation=first)
    assert stream_tells_of(gone.id)
    run(erasing.erase_conversation(team=first.team, conversation_id=first.id, by=by))
    assert not stream_tells_of(gone.id)
    names = set(Event.objects.filter(subject_id=first.id).values_list("name", flat=True))
    assert names == {"conversation.erased", "erasure.completed"}


def test_a_repeated_request_gets_no_words_back_and_is_not_done_again(team, by):
    api = Caller.of(team)
    opened = api.post("/conversations", {"title": MARK}, idempotency_key="k1").json()["id"]
    api.say(opened, person(RULE))
    api.post(f"/conversations/{opened}/handoffs", {}, idempotency_key="k2")
    assert "continuity_idempotentreply" in tables_holding(MARK)
    assert api.post(f"/conversations/{opened}/erase", {}).status_code == 202
    assert tables_holding(MARK) == set()
    for answer in (
        api.post("/conversations", {"title": MARK}, idempotency_key="k1"),
        api.post(f"/conversations/{opened}/handoffs", {}, idempotency_key="k2"),
    ):
        assert (answer.status_code, answer.json()["code"], answer["Content-Type"]) == (410, "conversation_gone", "application/problem+json")
    assert not Conversation.objects.exists()


def test_a_lost_broker_delays_completion_and_the_sweep_brings_it(three, by, settings):
    first, _, _ = three
    erasure = erasing.erase_conversation(team=first.team, conversation_id=first.id, by=by)
    Job.objects.filter(id=erasure.job_id).update(status=JobStatus.FAILED, attempts=5, error="The event bus does not answer.")
    assert erasing.sweep(now=timezone.now()) == 0
    assert erasing.sweep(now=timezone.now() + timedelta(seconds=31)) == 1
    assert run(erasure).completed_at is not None


def test_an_outsider_finds_nothing(three, other_team, by):
    first, _, _ = three
    for work in (erasing.erase_conversation, lambda **of: erasing.erase_words(words=MARK, **of)):
        with pytest.raises(NotFound):
            work(team=other_team, conversation_id=first.id, by=by)
    assert Message.objects.filter(conversation=first).exists()
    assert Anchor.objects.filter(text=RULE).exists()
