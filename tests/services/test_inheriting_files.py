"""A file that one hop deleted and made again is there for those that follow."""

from __future__ import annotations

import pytest
from django.db import transaction

from continuity import queries
from continuity.models import Conversation, FileTouch
from continuity.services import inheritance
from tests.factories import ConversationFactory

PATH = "/srv/tides/chart.py"


def touched(conversation: Conversation, *actions: tuple[str, int]) -> Conversation:
    for action, seq in actions:
        values = {"path": PATH, "action": action, "first_seq": seq, "last_seq": seq}
        FileTouch.objects.create(team=conversation.team, conversation=conversation, **values)
    return conversation


def hop(conversation: Conversation) -> Conversation:
    heir = ConversationFactory.create(team=conversation.team, resumed_from=conversation)
    with transaction.atomic():
        inheritance.inherit(heir=heir, predecessor=conversation)
    return heir


def state(conversation: Conversation) -> str:
    [file] = queries.knowledge_of(conversation).files
    return file.action.value


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ([("created", 3)], "created"),
        ([("deleted", 3), ("created", 5)], "created"),
        ([("created", 3), ("deleted", 5)], "deleted"),
        ([("deleted", 4), ("modified", 9)], "modified"),
    ],
)
def test_it_works(team, actions, expected):
    conversation = touched(ConversationFactory.create(team=team), *actions)
    for _ in range(3):
        assert state(conversation) == expected
        conversation = hop(conversation)


def test_what_a_later_hop_makes_again_is_there_in_the_ones_behind_it(team):
    heir = hop(touched(ConversationFactory.create(team=team), ("created", 3), ("deleted", 5)))
    heir.files.filter(action="created").update(last_seq=2)
    assert state(hop(heir)) == "created"
