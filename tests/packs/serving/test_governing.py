"""What pressure asks for, and what it can't overrule."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from handoffs.governor import GovernorAction, GovernorPolicy, Pressure, govern
from handoffs.policy import Decision, Hold

NOW = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)
CALM = Decision(False, "Sufficient context remaining", 0.5, 100_000, 20)
FULL = replace(CALM, utilization=0.75)
POLICY = GovernorPolicy()


def test_it_works():
    assert govern(Pressure(), CALM, POLICY, NOW).action is GovernorAction.OK
    found = govern(Pressure(turns=20), CALM, POLICY, NOW)
    assert (found.action, found.reasons) == (GovernorAction.SNAPSHOT, ("20 turns",))


@pytest.mark.parametrize(
    "pressure",
    [
        Pressure(turns=20),
        Pressure(injected=65_536),
        Pressure(files=40),
        Pressure(diff_lines=800),
        Pressure(since=NOW - timedelta(minutes=45)),
    ],
    ids=["turns", "bytes", "files", "diff", "time"],
)
def test_each_signal_asks_for_a_snapshot_and_none_alone_for_more(pressure):
    assert govern(pressure, FULL, POLICY, NOW).action is GovernorAction.SNAPSHOT


def test_two_at_twice_the_value_and_a_window_that_fills_begin_anew():
    twice = Pressure(turns=40, files=80)
    assert govern(twice, FULL, POLICY, NOW).action is GovernorAction.REHYDRATE
    assert govern(twice, CALM, POLICY, NOW).action is GovernorAction.SNAPSHOT
    assert govern(replace(twice, files=79), FULL, POLICY, NOW).action is GovernorAction.SNAPSHOT


@pytest.mark.parametrize("hold", [Hold.COOLDOWN, Hold.STALLED, Hold.SWITCHED_OFF, Hold.CHAIN_FULL])
def test_a_hold_is_never_overruled(hold):
    assert govern(Pressure(turns=400, files=800), replace(FULL, held=hold), POLICY, NOW).action is GovernorAction.SNAPSHOT


def test_a_handoff_that_is_due_comes_first():
    assert govern(Pressure(), replace(FULL, due=True, reason="full"), POLICY, NOW).reasons == ("full",)


def test_a_clock_that_went_back_is_no_time():
    assert govern(Pressure(since=NOW + timedelta(days=1)), CALM, POLICY, NOW).action is GovernorAction.OK
