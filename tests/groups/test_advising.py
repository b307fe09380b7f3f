"""A model that is asked ahead: where it counts, and how long a choice waits for it."""

from __future__ import annotations

from typing import Any

import pytest

from continuity import tasks
from continuity.models import GroupSelection, User
from continuity.services.groups import model_advice
from tests.model.endpoint import ModelServer, says
from tests.web.world import browser

pytestmark = pytest.mark.django_db
Table = Any


def test_it_works(table: Table, model: ModelServer) -> None:
    model.answers = [says("network")]
    table.seat("dba", "network", message="Zebras?")
    tasks.advise_group(table.id)
    told = table.next()["turn"]
    assert (told["agent"], told["reason"]) == ("network", "a model named network; the rules were unsure: dba or network")
    assert len(model.asked) == 1


def test_where_the_rules_are_sure_no_model_is_asked(table: Table, model: ModelServer) -> None:
    model.answers = [says("network")]
    table.seat("dba", "network", message="Which postgres index?")
    assert model_advice.ask_ahead(group_id=table.group.id) == ""
    assert model.asked == []
    assert table.next()["turn"]["agent"] == "dba"


def test_the_choice_is_left_to_the_model_for_as_long_as_the_limit_says(table: Table, model: ModelServer) -> None:
    model.answers = [says("network")]
    table.seat("dba", "network", strategy="llm", limits={"advice_ms": 9000}, message="Which postgres index?")
    table.watch()
    assert not GroupSelection.objects.exists()
    tasks.advise_group(table.id)
    assert GroupSelection.objects.get().reason == "a model named network"


def test_a_model_that_is_late_is_not_waited_for(table: Table, model: ModelServer) -> None:
    model.answers = [says("network")]
    table.seat("dba", "network", strategy="llm", limits={"advice_ms": 9000}, message="Which postgres index?")
    table.passes(9)
    table.watch()
    chosen = GroupSelection.objects.get()
    assert (chosen.name, chosen.fallback) == ("dba", True)
    tasks.advise_group(table.id)
    assert GroupSelection.objects.get().name == "dba"


def test_a_model_that_is_away_is_waited_for_only_once(table: Table, model: ModelServer) -> None:
    model.answers = [lambda call: call.hang_up()]
    table.seat("dba", "network", strategy="llm", limits={"advice_ms": 9000}, message="Which postgres index?")
    tasks.advise_group(table.id)
    chosen = GroupSelection.objects.get()
    assert (chosen.name, chosen.fallback) == ("dba", True)
    assert "had not answered in time" in chosen.reason


def test_the_page_says_what_can_be_done_about_wrong_choices(table: Table, owner: User) -> None:
    table.seat("dba", "network", message="Which postgres index?")
    assert "choose the strategy <code>llm</code>" in browser(owner).get(f"/groups/{table.id}").content.decode()
    table.seat("dba", "network", strategy="llm", limits={"advice_ms": 9000}, message="Which postgres index?")
    assert "A choice waits 9,000 ms for the model." in browser(owner).get(f"/groups/{table.id}").content.decode()
