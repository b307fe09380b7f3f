from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.usage.tokens import Tally
from handoffs.budgeting.budget import Selection, plan
from handoffs.budgeting.costs import Costs
from handoffs.budgeting.limits import limits_for
from handoffs.building.assembly import candidates_of
from handoffs.contract.model import FidelityIssue, FidelityReport, Options, Scaffold, Severity, Style
from handoffs.directive.styles import MANNERS
from handoffs.fidelity.repair import missing_keys, put_back
from tests.packages.samples import COUNTER, crowded

KNOWN = crowded(120, critical=4)


def selection(budget: int = 1000) -> Selection:
    costs = Costs(Tally(COUNTER), MANNERS[Style.STRUCTURED], Scaffold.FULL)
    return plan(candidates_of(KNOWN, Options(budget=budget), limits_for(budget)), budget, costs)


def keys(chosen: Selection) -> set[str]:
    return {candidate.item.key for candidate in chosen.chosen}


def test_it_works() -> None:
    before = selection()
    missing = before.dropped[0].item.key

    after = put_back(before, [missing], 1000)

    assert after is not None
    assert missing in keys(after)
    assert after.tokens <= 1000


def test_what_goes_is_worth_less_and_never_critical() -> None:
    before = selection()
    after = put_back(before, [before.dropped[0].item.key, before.dropped[1].item.key], 1000)

    assert after is not None
    gone = [candidate for candidate in before.chosen if candidate.item.key not in keys(after)]
    assert gone
    assert not any(candidate.item.critical or candidate.essential or candidate.open_task for candidate in gone)


def test_a_critical_anchor_goes_in_whatever_it_costs() -> None:
    whole = selection()
    critical = [candidate for candidate in whole.chosen if candidate.item.critical]
    before = whole.with_chosen([candidate for candidate in whole.chosen if not candidate.item.critical])

    after = put_back(before, [candidate.item.key for candidate in critical], 60)

    assert after is not None
    assert {candidate.item.key for candidate in critical} <= keys(after)


def test_what_cannot_fit_stays_out() -> None:
    whole = selection()
    must = whole.with_chosen([candidate for candidate in whole.chosen if candidate.item.critical])
    spare = next(candidate for candidate in must.dropped if not candidate.item.critical)

    assert put_back(must, [spare.item.key], must.tokens) is None


@pytest.mark.parametrize("missing", [[], ["no such key"]])
def test_without_a_line_to_put_back_there_is_no_repair(missing: list[str]) -> None:
    assert put_back(selection(), missing, 1000) is None


def test_critical_issues_are_mended_first_and_state_by_its_line() -> None:
    issues = (
        FidelityIssue("State", Severity.INFO, "", key="objective"),
        FidelityIssue("Task", Severity.WARNING, "", key="task-a"),
        FidelityIssue("Anchor", Severity.CRITICAL, "", key="a"),
        FidelityIssue("Budget", Severity.INFO, ""),
    )
    report = FidelityReport("h", 1, 1, 1, 1, issues, 1)

    assert missing_keys(report) == ("a", "goal", "task-a")
    assert missing_keys(replace(report, issues=())) == ()
