"""Two releases beside one another on one database: neither undoes what the other distilled."""

from __future__ import annotations

import pytest

from continuity import knowledge
from continuity.core.errors import NewerRules
from continuity.knowledge import versions
from continuity.models import Anchor, Conversation, FoldState
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from handoffs.models import ProbeBank
from handoffs.services.packages import preparation, probe_bank
from tests.services.test_fold_runner import record, talk
from tests.words import said

OURS = versions.RULES_VERSION
RULE = "Never change the public API."


@pytest.fixture
def conversation(team):
    return conversations.create(team=team)


@pytest.fixture
def release(monkeypatch):
    """Lets this process be of the release whose rules have a version."""
    return lambda version: monkeypatch.setattr(versions, "RULES_VERSION", version)


@pytest.fixture
def newer(conversation, release):
    """A conversation that a newer release folded."""
    record(conversation, [said(RULE), *talk(20)])
    release(OURS + 1)
    fold_runner.catch_up(conversation_id=conversation.id)
    release(OURS)
    conversation.refresh_from_db()
    return conversation


def kept(conversation):
    row = Conversation.objects.get(id=conversation.id)
    anchors = sorted(Anchor.objects.filter(conversation=conversation).values_list("id", "text"))
    return row.folded_seq, row.rewinds, FoldState.objects.filter(conversation=conversation).values().first(), anchors


def test_it_works(newer, release):
    before = kept(newer)
    record(newer, [said("And never skip the tests.")])
    progress = fold_runner.catch_up(conversation_id=newer.id)
    assert (progress.complete, progress.newer) == (True, OURS + 1)
    assert fold_runner.refold_outdated(limit=5) == 0
    fold_runner.reset_if_outdated(conversation_id=newer.id)
    fold_runner.rewind(conversation=newer, to=1)
    assert not Conversation.objects.unfolded().exists()
    assert kept(newer) == before
    release(OURS + 1)
    assert Conversation.objects.unfolded().get() == newer
    fold_runner.catch_up(conversation_id=newer.id)
    assert Anchor.objects.filter(conversation=newer, text="And never skip the tests.").exists()
    assert Conversation.objects.get(id=newer.id).rewinds == before[1]


def test_in_turn_each_takes_over_only_what_older_rules_made(conversation, release):
    folded_by = []
    for version in (OURS, OURS + 1, OURS, OURS + 1, OURS):
        release(version)
        record(conversation, talk(3))
        fold_runner.refold_outdated(limit=5)
        fold_runner.catch_up(conversation_id=conversation.id)
        row = Conversation.objects.get(id=conversation.id)
        folded_by.append(
            (FoldState.objects.get(conversation=conversation).rules_version - OURS, row.last_seq - row.folded_seq, row.rewinds)
        )
    assert folded_by == [(0, 0, 0), (1, 0, 1), (1, 3, 1), (1, 0, 1), (1, 3, 1)]


def test_rewound_messages_are_left_to_the_newer_release(newer, release):
    Conversation.objects.filter(id=newer.id).update(refold_from=3)
    before = kept(newer)
    assert fold_runner.catch_up(conversation_id=newer.id).newer == OURS + 1
    assert kept(newer) == before
    release(OURS + 1)
    assert fold_runner.catch_up(conversation_id=newer.id).complete
    assert Conversation.objects.get(id=newer.id).refold_from is None


def test_preparing_says_which_rules_are_missing(newer):
    before = kept(newer)
    options = preparation.options_of()
    with pytest.raises(NewerRules, match=rf"version {OURS + 1}\) than those of this process \(version {OURS}\)") as refused:
        preparation.prepare(team=newer.team, conversation_id=newer.id, options=options)
    assert (refused.value.status, refused.value.data["found"], refused.value.data["own"]) == (503, OURS + 1, OURS)
    assert kept(newer) == before


def test_a_newer_bank_of_questions_is_left_alone(conversation):
    record(conversation, [said(RULE), *talk(5)])
    probe_bank.gather(conversation_id=conversation.id)
    ProbeBank.objects.update(rules_version=1000)
    record(conversation, talk(5))
    before = ProbeBank.objects.values().get()
    with pytest.raises(NewerRules):
        probe_bank.gather(conversation_id=conversation.id)
    assert probe_bank.sweep() == 0
    assert ProbeBank.objects.values().get() == before


def test_a_person_takes_the_conversation_back_to_these_rules(newer):
    fold_runner.ask_again(conversation=newer)
    fold_runner.catch_up(conversation_id=newer.id)
    assert FoldState.objects.get(conversation=newer).rules_version == OURS
    assert Anchor.objects.filter(conversation=newer, text=RULE).exists()


def test_what_is_erased_goes_whichever_rules_folded_it(newer):
    fold_runner.start_again_from(conversation=newer, record=knowledge.FoldState().to_json())
    assert "public API" not in str(FoldState.objects.get(conversation=newer).state)
