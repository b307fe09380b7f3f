"""What preparing reads of a conversation of thousands of anchors, files, tasks and segments touches only the rows that it gives."""

import json
from typing import Any

import pytest
from django.db import connection
from django.db.models import Q

from continuity.knowledge.model import AnchorType, TaskStatus, Truth
from continuity.models import Anchor, Conversation, FileTouch, Segment, Task
from continuity.services.knowledge import queries
from tests.factories import ConversationFactory
from tests.lasting import Lasting

pytestmark = pytest.mark.django_db

MANY = 3000
# The rows that a part of a statement may look at: its limit, and what it takes to order those of equal rank.
FEW = 400


@pytest.fixture(scope="module")
def recorded(lasting: Lasting[Conversation]) -> Conversation:
    return lasting(record)


@pytest.fixture
def long(recorded: Conversation, db: None) -> Conversation:
    return recorded


def record() -> Conversation:
    conversation = ConversationFactory.create()
    of = {"team": conversation.team, "conversation": conversation}
    anchors = [
        Anchor(
            **of,
            key=f"k{number}",
            type=AnchorType.FACT.value,
            text="x",
            found_seq=number,
            source_seq=number,
            importance=number % 97 / 97,
            truth=Truth.CLAIMED.value,
            method="t",
            critical=number % 50 == 0,
        )
        for number in range(MANY)
    ]
    Anchor.objects.bulk_create(anchors)
    actions = ["modified" if number % 3 == 0 else "read" for number in range(MANY)]
    FileTouch.objects.bulk_create([FileTouch(**of, path=f"p{n}", action=did, first_seq=n, last_seq=n) for n, did in enumerate(actions)])
    done = TaskStatus.COMPLETED.value
    tasks = [Task(**of, key=f"t{n}", description="x", status=done, method="t", first_seq=n, last_seq=n) for n in range(MANY)]
    tasks[7].status = TaskStatus.IN_PROGRESS.value
    Task.objects.bulk_create(tasks)
    Segment.objects.bulk_create([Segment(**of, first_seq=n, last_seq=n, closed=n < MANY - 1) for n in range(MANY)])
    with connection.cursor() as cursor:
        for model in (Anchor, FileTouch, Task, Segment):
            cursor.execute(f"ANALYZE {model._meta.db_table}")
    return conversation


def looked_at(statement: str, parameters: Any) -> int:
    """The most rows that one step of the statement took or passed over, where an index that gives their order is taken if there is one.

    The tables of a test run are full of the dead rows of earlier tests, by whose pages the planner thinks sorting cheaper.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_sort = off")
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", parameters)
        ((plan,),) = cursor.fetchall()
    return _most((plan if isinstance(plan, list) else json.loads(plan))[0]["Plan"])


def _most(node: dict[str, Any]) -> int:
    here: int = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
    return max([here, *(_most(each) for each in node.get("Plans", []))])


def test_it_works(long):
    assert looked_at(queries._TASKS, {"conversation": long.id, "open": 100, "completed": 20}) < FEW


@pytest.mark.parametrize(
    ("statement", "limits"),
    [
        (queries._ANCHORS, {"critical": 150, "important": 66, "latest": 67, "superseded": 20}),
        (queries._BETWEEN, {"first": MANY - 10, "last": MANY}),
        (queries._FILES, {"changed": 200, "read": 50}),
    ],
)
def test_anchors_and_files_are_read_by_an_index(long, statement, limits):
    assert looked_at(statement, {"conversation": long.id, **limits}) < FEW


def test_the_open_segment_is_found_among_thousands(long):
    statement, parameters = Segment.objects.filter(Q(closed=False), conversation=long).query.sql_with_params()
    assert looked_at(statement, parameters) == 1


def test_a_statement_that_reads_all_is_seen(long):
    assert looked_at("SELECT * FROM continuity_task WHERE conversation_id = %s AND description = 'y'", [long.id]) == MANY
