"""A file that one hop deleted and made again is there for those that follow."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import transaction

from continuity import queries
from continuity.models import Conversation, FileTouch
from continuity.services import inheritance
from handoffs.packages import contract
from handoffs.services import preparation
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


def test_files_keep_their_order_over_hops(team):
    conversation = ConversationFactory.create(team=team)
    for path, seq in (("c.py", 2), ("a.py", 7), ("d.py", 4), ("b.py", 9)):
        values = {"path": path, "action": "modified", "first_seq": seq, "last_seq": seq}
        FileTouch.objects.create(team=team, conversation=conversation, **values)
    for _ in range(3):
        assert [file.path for file in queries.knowledge_of(conversation).files] == ["b.py", "a.py", "d.py", "c.py"]
        conversation = hop(conversation)
    FileTouch.objects.create(team=team, conversation=conversation, path="d.py", action="modified", epoch=1, first_seq=1, last_seq=1)
    assert [file.path for file in queries.knowledge_of(hop(conversation)).files] == ["d.py", "b.py", "a.py", "c.py"]


def test_the_files_touched_last_stay_in_a_package_that_has_no_room_for_all(team):
    conversation = ConversationFactory.create(team=team)
    paths = [f"{'zyxwvutsrq'[n // 26]}{chr(122 - n % 26)}/module.py" for n in range(120)]
    rows = [
        FileTouch(team=team, conversation=conversation, path=path, action="modified", first_seq=n, last_seq=n)
        for n, path in enumerate(paths, 1)
    ]
    FileTouch.objects.bulk_create(rows)
    heir = hop(conversation)
    made = preparation.build(conversation=heir, options=preparation.options_of(budget=300), handoff_id=uuid4(), now=heir.created_at)
    kept = {file.path for file in made.package.files}
    assert kept
    assert kept == set(paths[-len(kept) :])
    assert all(record["lastSeq"] == 0 for record in contract.to_contract(made.package)["files"])
