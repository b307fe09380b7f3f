"""Fifty hops: everything goes along, and the last hop costs what the second one did (CONT-06: at least ten)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

from continuity.models import Anchor, Event
from continuity.services.recording import conversations
from diagnostics.services import scrapes
from handoffs.services.chains import chains, resumption, trees
from handoffs.services.packages import preparation
from tests.handoffs.story import DECISION, RULE, story
from tests.words import answered, called, resulted, said

HOPS = 50
OPTIONS = preparation.options_of(budget=2000)


class Cost:
    """What was asked of the database: statements, and rows that they read or changed."""

    def __init__(self) -> None:
        self.statements = self.rows = 0

    def __call__(self, execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        self.statements += 1
        self.rows += max(0, context["cursor"].rowcount)
        return result


@contextmanager
def counted() -> Iterator[Cost]:
    cost = Cost()
    with connection.execute_wrapper(cost):
        yield cost


def work(conversation, number):
    place: dict[str, Any] = {"cwd": "/srv/app", "branch": "feature/queue"}
    path = f"/srv/app/queue/worker{number % 3}.py"
    messages = [
        said(f"Go on with step {number}, please.", **place),
        called("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, call_id=f"e{number}", **place),
        resulted(f"The file {path} has been updated.", call_id=f"e{number}", **place),
        answered(f"Step {number} is finished, all tests pass.", **place),
    ]
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages)


def test_it_works(team):
    with counted() as cost:
        preparation.prepare(team=team, conversation_id=story(team).id, options=OPTIONS)
    assert cost.statements > 10
    assert cost.rows > 10


def test_cont06_fifty_hops_keep_every_critical_anchor_at_the_cost_of_one(team):
    """CONT-06, 9.6 and 9.7: the chain is kept, and every critical anchor is in the last hop's package as in the first's."""
    conversation, costs, positions = story(team), [], []
    for number in range(1, HOPS + 1):
        work(conversation, number)
        with counted() as cost:
            handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=OPTIONS)
            conversation = resumption.resume(team=team, handoff_id=handoff.id).conversation
        assert handoff.status == "ready", handoff.failure
        assert DECISION in handoff.text
        assert RULE in handoff.text
        costs.append(cost)
        positions.append(handoff.position)
    assert positions == list(range(1, HOPS + 1))
    statements = [cost.statements for cost in costs]
    rows = [cost.rows for cost in costs]
    assert max(statements[1:]) <= statements[1] + 2
    assert max(rows[10:]) <= 1.3 * max(rows[5:10]), rows

    chain = chains.get(team=team, any_id=conversation.id)
    tree = trees.tree_of(chain)
    assert (chain.total_handoffs, tree.longest, tree.branches, tree.conversations) == (HOPS, HOPS, 1, HOPS + 1)
    assert Anchor.objects.filter(conversation=conversation).current().filter(text=RULE).count() == 1
    lengths = list(Event.objects.filter(name="chain.extended").values_list("payload__length", flat=True))
    assert sorted(lengths) == positions
    [gauge] = [point for point in scrapes.points() if point.instrument.name == "lexichord.continuity.chain.length"]
    assert gauge.total == HOPS
