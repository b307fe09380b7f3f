"""The bench as a command: rows beside their targets, and memory over many handoffs. How fast anything is, no test asks."""

import json
import time

import pytest
from django.core.management import call_command

from continuity.models import Agent, Team
from continuity.services.agents import beats
from diagnostics.bench import scenarios, soak
from diagnostics.bench.beating import BeatingAgents
from diagnostics.bench.soak import MemoryUse


@pytest.mark.django_db(transaction=True)
def test_it_works(capsys) -> None:
    call_command("bench", "--soak", "12", "--json")
    told = json.loads(capsys.readouterr().out)
    assert [seen["done"] for seen in told["memory"]] == list(range(1, 13))
    assert all(seen["rss_mb"] > 10 for seen in told["memory"])
    assert isinstance(told["flat"], bool)
    assert not Team.objects.filter(slug__startswith="soak-").exists()


@pytest.mark.django_db(transaction=True)
def test_groups_are_measured_while_their_agents_beat(capsys) -> None:
    call_command("bench", "--groups", "--json", "-n", "2")
    told = json.loads(capsys.readouterr().out)
    assert [(row["name"], row["n"]) for row in told["rows"]] == [
        ("choose a speaker among 10", 2),
        ("next speaker of 10, stored and told", 2),
        ("say something and end the turn", 2),
        ("shared context of 4,000 tokens", 2),
    ]
    assert not Team.objects.filter(slug__startswith="bench-").exists()


@pytest.mark.django_db(transaction=True)
def test_its_agents_beat_as_long_as_it_lasts(team, settings) -> None:
    """A monitor beside it would take silent ones for lost, and nobody would be chosen any more."""
    settings.HEARTBEAT_INTERVAL_MS = 50
    agents = BeatingAgents(team)
    agents.start("bench-0", {"expertise": ["dns"]})
    assert Agent.objects.get(team=team).expertise == ["dns"]
    member, number = Agent.objects.get(team=team).id.hex, 0
    with agents.beating():
        for _ in range(3):
            number = heard_after(number, member)


def heard_after(number: int, member: str) -> int:
    for _ in range(200):
        found = beats.beats_since(number)
        if found is not None and member in found.members:
            return found.number
        time.sleep(0.05)
    pytest.fail("the agent is silent")


@pytest.mark.django_db(transaction=True)
@pytest.mark.long
def test_states_are_measured_by_the_command(capsys) -> None:
    call_command("bench", "--states", "--groups", "--json", "-n", "2")
    names = [row["name"] for row in json.loads(capsys.readouterr().out)["rows"]]
    assert names[0] == "choose a speaker among 10"
    assert names[-1] == "read an earlier version at 100,000 versions"


@pytest.mark.django_db(transaction=True)
def test_handoffs_at_once_are_all_made_and_timed_from_the_asking(team) -> None:
    (few, more) = scenarios.prepare_at_once(team, [1, 6])
    assert (few.n, more.n) == (1, 6)
    assert few.specified_ms == more.specified_ms == 2000
    assert more.p95_ms >= more.p50_ms > 0


@pytest.mark.django_db
def test_folding_is_measured_without_a_database(team, django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        (row,) = scenarios.fold(team, 1)
    assert row.target_ms == 500


@pytest.mark.parametrize(
    ("looks", "growth", "flat"),
    [([100.0, 100.0], 0.0, True), ([100.0, 104.9, 101.0], 4.9, True), ([100.0, 106.0], 6.0, False), ([100.0, 90.0], 0.0, True)],
)
def test_memory_is_flat_within_a_twentieth(looks: list[float], growth: float, flat: bool) -> None:
    verdict = soak.verdict([MemoryUse(number, mb) for number, mb in enumerate(looks)])
    assert (verdict.growth_mb, verdict.flat) == (growth, flat)
