"""The bank of probes of a conversation: kept as it grows, taken back with what is taken back, handed on, erased."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from continuity.models import Conversation, Message
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations, message_store
from handoffs.fidelity.probes import Bank, questions
from handoffs.models import CheckCause, FidelityCheck, ProbeBank, ProbeCheckpoint
from handoffs.services.chains import resumption
from handoffs.services.erasure import erasing
from handoffs.services.packages import checks, preparation, probe_bank
from tests.handoffs.story import RULE, story
from tests.life.everywhere import tables_holding
from tests.words import said

LATER = "Never restart the Marzipanov worker at night."


def append(conversation, *messages, **more):
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages, **more)
    probe_bank.gather(conversation_id=conversation.id)
    conversation.refresh_from_db()


def expected(conversation):
    return {probe.expected for probe in questions(probe_bank.bank_of(conversation))}


def prepare(conversation):
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=preparation.options_of())


def answers(handoff):
    return {probe["expected"]: probe["answered"] for probe in handoff.fidelity["probes"]}


def test_it_works(team):
    handoff = prepare(story(team))
    assert answers(handoff)[RULE] is True
    assert answers(handoff)["Write the worker"] is True
    assert {"constraint", "decision", "artifact", "continuation"} <= handoff.fidelity["probeShares"].keys()


def test_who_goes_on_writing_keeps_nobody_waiting(team, monkeypatch):
    """As fast as messages are read: what was said when a package was asked for is in it, and it is made."""
    conversation, written = story(team), []
    read = message_store.between

    def and_another(conversation_id, after, last):
        written.append(last)
        assert len(written) < 10, "it runs after the writer without end"
        conversations.append(team=team, conversation_id=conversation_id, messages=[said(f"Number {len(written)}.")])
        return read(conversation_id, after, last)

    monkeypatch.setattr(message_store, "between", and_another)
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("Never stop the importer at night.")])
    before = Conversation.objects.get(id=conversation.id).last_seq
    handoff = prepare(conversation)
    assert written
    assert handoff.through_seq >= before


def test_messages_are_read_once(team):
    conversation = story(team)
    append(conversation)
    with CaptureQueriesContext(connection) as queries:
        prepare(conversation)
    assert not [query for query in queries if f'FROM "{Message._meta.db_table}"' in query["sql"] and '"seq" >' in query["sql"]]


def test_growing_in_steps_gives_the_bank_of_reading_at_once(team, monkeypatch):
    conversation = story(team)
    for n in range(3):
        append(conversation, said(f"Always keep part_{n} of the importer."))
    grown = ProbeBank.objects.get(conversation=conversation).state
    ProbeBank.objects.all().delete()
    probe_bank.catch_up(conversation_id=conversation.id)
    assert ProbeBank.objects.get(conversation=conversation).state == grown


def test_rewound_messages_are_not_asked_for(team):
    conversation = story(team)
    message = said(LATER)
    append(conversation, message)
    assert LATER in expected(conversation)
    append(conversation, abandoned=[message.external_id])
    assert LATER not in expected(conversation)
    assert RULE in expected(conversation)


def test_a_rewind_goes_back_to_the_last_checkpoint_and_no_further(team):
    conversation = story(team)
    filler = [said(f"Go on with step number {n}.") for n in range(1000)]
    append(conversation, *filler)
    assert list(ProbeCheckpoint.objects.values_list("seq", flat=True)) == [1000]
    message = said(LATER)
    append(conversation, message)
    append(conversation, abandoned=[message.external_id])
    assert ProbeCheckpoint.objects.filter(seq=1000).exists()
    assert LATER not in expected(conversation)
    fold_runner.rewind(conversation=conversation, to=5)
    assert not ProbeCheckpoint.objects.exists()
    probe_bank.gather(conversation_id=conversation.id)
    assert RULE in expected(conversation)


def test_a_successor_is_asked_what_its_predecessor_was(team):
    conversation = story(team)
    heir = resumption.resume(team=team, handoff_id=prepare(conversation).id).conversation
    assert RULE in expected(heir)
    append(heir, said(LATER))
    handoff = prepare(heir)
    assert answers(handoff)[RULE] is True
    assert answers(handoff)[LATER] is True
    fold_runner.rewind(conversation=heir, to=1)
    probe_bank.gather(conversation_id=heir.id)
    assert expected(heir) >= {RULE, LATER}


@pytest.mark.parametrize("whole", [True, False], ids=["conversation", "words"])
def test_erasing_reaches_the_bank_and_that_of_successors(team, owner, whole):
    conversation = story(team)
    append(conversation, said(LATER))
    heir = resumption.resume(team=team, handoff_id=prepare(conversation).id).conversation
    append(heir, said("Always write a changelog line."))
    prepare(heir)
    assert "handoffs_probebank" in tables_holding("Marzipanov")
    by = erasing.By(owner.email, owner)
    of = {"team": team, "conversation_id": conversation.id, "by": by}
    erasure = erasing.erase_conversation(**of) if whole else erasing.erase_words(words="Marzipanov", **of)
    assert tables_holding("Marzipanov") == set()
    jobs.run(job_id=erasure.job_id)
    for each in Conversation.objects.all():
        probe_bank.gather(conversation_id=each.id)
    assert tables_holding("Marzipanov") == set()
    assert "Always write a changelog line." in expected(heir)


def test_secrets_are_never_asked_for(team):
    conversation = story(team)
    append(conversation, said("Always use the key AKIAIOSFODNN7EXAMPLE for the upload of the reports."))
    assert "AKIAIOSFODNN7EXAMPLE" not in str(ProbeBank.objects.get(conversation=conversation).state)


def test_a_bank_that_a_lost_task_left_behind_is_found(team):
    conversation = story(team)
    append(conversation)
    conversations.append(team=team, conversation_id=conversation.id, messages=[said(LATER)])
    fold_runner.catch_up(conversation_id=conversation.id)
    assert probe_bank.sweep() == 1
    assert LATER in expected(conversation)
    assert probe_bank.sweep() == 0


def test_other_rules_read_a_conversation_again(team):
    conversation = story(team)
    append(conversation)
    ProbeBank.objects.update(rules_version=0, state=Bank().to_json())
    probe_bank.gather(conversation_id=conversation.id)
    assert RULE in expected(conversation)


def test_every_check_is_kept_in_figures_and_averaged_by_model(team):
    first = story(team, model="gpt-4o")
    prepare(first)
    prepare(story(team, model="claude-sonnet-4-5"))
    handoff = prepare(first)
    of_team, by_model = checks.averages(team=team, now=handoff.created_at, days=30)
    assert of_team.checks == of_team.passed == 3
    assert [(average.model, average.checks) for average in by_model] == [("gpt-4o", 2), ("claude-sonnet-4-5", 1)]
    assert of_team.overall == pytest.approx(sum(FidelityCheck.objects.values_list("overall", flat=True)) / 3)
    assert 0 < of_team.probes_answered <= of_team.probes_asked
    handoff.delete()
    assert FidelityCheck.objects.filter(handoff=None, cause=CheckCause.PREPARED).count() == 1
