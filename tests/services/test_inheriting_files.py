"""A file that one hop deleted and made again is there for those that follow."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import transaction

from continuity import queries
from continuity.models import Conversation, FileTouch
from continuity.services.knowledge import fold_runner, inheritance
from continuity.services.recording import conversations
from continuity.transcripts.base.model import Message
from handoffs.contract import package_json
from handoffs.services.packages import preparation
from tests.factories import ConversationFactory
from tests.words import answered, called, resulted, said

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


def text(conversation: Conversation) -> str:
    options = preparation.options_of(budget=4000)
    return preparation.build(conversation=conversation, options=options, handoff_id=uuid4(), now=conversation.created_at).text


def worked(conversation: Conversation, *messages: Message) -> Conversation:
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages)
    fold_runner.catch_up(conversation_id=conversation.id)
    conversation.refresh_from_db()
    return conversation


def ran(number: int, command: str, result: str) -> tuple[Message, Message]:
    return called("Bash", {"command": command}, call_id=f"r{number}"), resulted(result, call_id=f"r{number}", exit_code=0)


def edited(number: int) -> tuple[Message, Message]:
    change = {"file_path": PATH, "old_string": "1", "new_string": "2"}
    return called("Edit", change, call_id=f"e{number}"), resulted("The file has been updated.", call_id=f"e{number}")


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


COMMITTED = "[main 3f2a9c1] Draw the chart\n 1 file changed, 1 insertion(+), 1 deletion(-)"
UNTRUE = ("Not committed", "files changed since")


@pytest.mark.parametrize("closing", [[], [answered("All is committed, and the tests pass.")]])
def test_what_was_committed_and_checked_stays_so_over_hops(team, closing):
    begun = ConversationFactory.create(team=team, cwd="/srv/tides")
    work = [
        said("Draw the chart."),
        *edited(1),
        *ran(2, "pytest", "12 passed in 0.50s"),
        *ran(3, "git commit -am 'Draw the chart'", COMMITTED),
    ]
    conversation = worked(begun, *work, *closing)
    for _ in range(3):
        told = text(conversation)
        assert "3f2a9c1" in told and "pytest" in told
        assert not [words for words in UNTRUE if words in told]
        conversation = hop(conversation)
    told = text(worked(conversation, said("And a legend."), *edited(4)))
    assert [words for words in UNTRUE if words in told] == list(UNTRUE)


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
    assert all(record["lastSeq"] == 0 for record in package_json.to_contract(made.package)["files"])
