"""The seed for measurements: as many rows as asked for, and every constraint holds."""

import pytest
from django.db import connection

from continuity.core.errors import Invalid
from continuity.models import CompressedSegment, Conversation, Message, Segment, User
from continuity.services.recording import conversations
from diagnostics.services import seeding
from handoffs.models import Handoff, HandoffChain, HandoffStatus
from handoffs.services.chains import chains, resumption
from handoffs.services.packages import preparation
from tests.words import said

pytestmark = pytest.mark.django_db

# Beside the copies: the pattern, with its successor and its handoff.
CONVERSATIONS, HANDOFFS = 2, 1


def test_it_works(owner: User) -> None:
    team = seeding.seed(owner=owner, conversation_count=20, messages=240, handoffs=7)
    connection.check_constraints()
    assert Conversation.objects.filter(team=team).count() == 20 + CONVERSATIONS
    assert Message.objects.filter(team=team).count() == 240 + 12
    assert Handoff.objects.filter(team=team).count() == 7 + HANDOFFS
    assert HandoffChain.objects.filter(team=team).count() == 3 + 1
    assert Segment.objects.filter(team=team, closed=True).count() >= 20
    assert not Segment.objects.filter(team=team, closed=True, levels=None).exists()
    assert CompressedSegment.objects.filter(team=team, segment__conversation__team=team).count() == CompressedSegment.objects.count()


def test_what_was_set_aside_is_put_back(owner: User) -> None:
    before = _definitions()
    seeding.seed(owner=owner, conversation_count=8, messages=24, handoffs=6)
    assert _definitions() == before


def _definitions() -> set[str]:
    """Every index and every constraint of the database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' UNION ALL "
            "SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid <> 0"
        )
        return {definition for (definition,) in cursor.fetchall()}


def test_one_can_go_on_with_what_was_seeded(owner: User) -> None:
    team = seeding.seed(owner=owner, conversation_count=8, messages=96, handoffs=6)
    waiting = (
        Handoff.objects.filter(team=team, status=HandoffStatus.READY).first()
        or Handoff.objects.filter(team=team, status=HandoffStatus.RESUMED).order_by("position", "id")[0]
    )
    fork = waiting.status == HandoffStatus.RESUMED
    new = resumption.resume(team=team, handoff_id=waiting.id, resumed_by=owner, fork=fork).conversation
    conversations.append(team=team, conversation_id=new.id, messages=[said("Go on.")])
    made = preparation.prepare(team=team, conversation_id=new.id, options=preparation.options_of(), owner=owner)
    assert chains.get(team=team, any_id=made.chain_id) == made.chain


def test_more_handoffs_than_conversations_carry_are_refused(owner: User) -> None:
    with pytest.raises(Invalid, match="need"):
        seeding.seed(owner=owner, conversation_count=10, messages=100, handoffs=10)
