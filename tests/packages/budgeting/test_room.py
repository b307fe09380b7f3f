"""What goes in shorter, and what gives way to what, where a budget has no room for all lines."""

from __future__ import annotations

from continuity.usage.tokens import Tally
from handoffs.budgeting.budget import Selection, evict, fill, plan
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.costs import Costs
from handoffs.contract.model import PackageItem, Scaffold, SectionKind, Style
from handoffs.directive.styles import MANNERS
from tests.packages.samples import COUNTER

LONG = "The importer reads each row once, keeps what it cannot read, and tells who sent it how many rows it kept. " * 6
SHORT = "The importer reads each row once."


def line(key: str, text: str, importance: float, tokens: int = 0, shorter: tuple[str, ...] = ()) -> Candidate:
    item = PackageItem("m1", key, text, 1, tokens, importance, label="made")
    return Candidate(SectionKind.RECENT, item, shorter=shorter)


def costs() -> Costs:
    return Costs(Tally(COUNTER), MANNERS[Style.STRUCTURED], Scaffold.FULL)


def selection(chosen: tuple[Candidate, ...], dropped: tuple[Candidate, ...] = ()) -> Selection:
    return Selection(chosen, dropped, Scaffold.FULL, 0, dict.fromkeys(SectionKind, 0))


def keys(made: Selection) -> set[str]:
    return {each.item.key for each in made.chosen}


def test_it_works() -> None:
    made = evict(selection((line("a", SHORT, 0.2, 40), line("b", SHORT, 0.9, 40))), 30)
    assert keys(made) == {"b"}


def test_a_long_line_does_not_go_for_a_few_tokens() -> None:
    told = (line("report", LONG, 0.9, 500), line("a", SHORT, 0.65, 20), line("b", SHORT, 0.65, 20), line("c", SHORT, 2.0, 20))
    assert keys(evict(selection(told), 30)) == {"report", "c"}
    assert "report" not in keys(evict(selection(told), 300))  # the small ones do not make that room


def test_a_long_line_goes_where_small_ones_are_worth_much_more() -> None:
    told = (line("report", LONG, 0.9, 500), line("a", SHORT, 2.0, 20), line("b", SHORT, 2.0, 20))
    assert keys(evict(selection(told), 30)) == {"a", "b"}


def test_what_came_of_a_request_goes_in_shorter_before_what_is_worth_less() -> None:
    shorter = f"{SHORT} " + "It keeps what it cannot read. " * 6
    priced = costs().priced((line("report", LONG, 1.7, shorter=(shorter,)), line("less", "It took two days of work. " * 3, 0.2)))
    made = fill(selection((), priced), costs().line(SectionKind.RECENT, line("report", shorter, 1.7).item) + 5, costs())
    assert [each.item.text for each in made.chosen] == [shorter]


def test_what_was_reported_of_a_request_finds_room_beside_a_longer_report() -> None:
    half = "The importer reads each row once, and keeps what it cannot read. " * 4
    reports = (line("first", LONG, 1.7, shorter=(half,)), line("second", half, 1.6, shorter=(SHORT,)))
    room = sum(costs().line(SectionKind.RECENT, each.item) for each in reports) - 20
    made = plan(reports, room + costs().frame() + costs().heading(SectionKind.RECENT), costs())
    assert keys(made) == {"first", "second"}
    assert {each.item.text for each in made.chosen} == {half}
