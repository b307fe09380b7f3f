"""What a package leaves out, and what changed since the previous one."""

import pytest

from handoffs.building.comparison import Fate, PackageDifference, difference, omitted, omitted_lines
from handoffs.contract.model import PackageItem, PackageSection, SectionKind
from handoffs.directive.line_overrides import UNSTEERED
from handoffs.directive.lines.wording import Stated
from tests.packages.samples import KNOWLEDGE, prepared


def rules(*items):
    return [PackageSection(SectionKind.RULES, items)]


def item(key, text, label=""):
    return PackageItem(f"a{len(key)}", key, text, 1, 5, 0.9, label=label)


def test_it_works():
    before = rules(item("x", "Use Redis."), item("yy", "Ship on Friday."), item("zzz", "Keep the API."))
    after = rules(item("zzz", "Keep the wire format."), item("wwww", "Use Postgres."))
    found = difference(before, after, {"x": Fate("superseded", "wwww"), "yy": Fate("current")})
    assert [line.key for _, line in found.new] == ["wwww"]
    assert [(gone.item.key, gone.why, gone.superseded_by) for gone in found.gone] == [("x", "superseded", "wwww"), ("yy", "left out", "")]
    assert [(each.before.text, each.after.text) for each in found.changed] == [("Keep the API.", "Keep the wire format.")]


def test_what_is_kept_as_not_so_counts_as_gone():
    found = difference(rules(item("x", "Use Redis.")), rules(item("x", "Use Redis.", "not")), {"x": Fate("superseded", "w")})
    assert [gone.why for gone in found.gone] == ["superseded"]
    assert not found.changed and not found.new


def test_what_came_and_went_since_is_told_with_what_replaced_it():
    """It was said and replaced between the two packages: the later one knows it only as what holds no longer."""
    found = difference(rules(), rules(item("x", "Ten months a night.", "not")), {"x": Fate("superseded", "w")})
    assert [(gone.item.text, gone.why, gone.superseded_by) for gone in found.gone] == [("Ten months a night.", "superseded", "w")]
    again = difference(rules(item("x", "Ten months a night.", "not")), rules(item("x", "Ten months a night.", "not")), {})
    assert not (again.gone or again.new or again.changed)


def test_what_was_said_last_is_no_difference():
    before, after = (
        [PackageSection(SectionKind.RECENT, (item("user@1", "Hi."),))],
        [PackageSection(SectionKind.RECENT, (item("user@2", "Ho."),))],
    )
    found = difference(before, after, {})
    assert not (found.new or found.gone or found.changed)


@pytest.mark.parametrize("budget", [150, 300, 900, 4000])
def test_what_a_package_was_chosen_among_tells_what_it_leaves_out(budget):
    made = prepared(KNOWLEDGE, budget=budget)
    rest = omitted_lines(made.known, made.package)
    assert rest == omitted(made.knowledge, made.package, UNSTEERED)
    assert bool(rest) or budget > 300


def test_what_stands_in_a_line_of_something_else_is_not_left_out():
    made = prepared(KNOWLEDGE, budget=300)
    rest = omitted_lines(made.known, made.package)
    told = Stated(made.text)
    assert rest and not any(told.states(line.item.text) for line in rest)


def test_a_list_in_another_order_is_the_same() -> None:
    def files(key: str, text: str) -> tuple[PackageSection, ...]:
        return (PackageSection(SectionKind.NEXT, (item(key, text, "uncommitted"),)),)

    assert difference(files("a", "x.py, y.py"), files("b", "y.py, x.py"), {}) == PackageDifference((), (), ())
    said = difference(rules(item("x", "Ask, then push.")), rules(item("yy", "then push., Ask")), {})
    assert (len(said.new), len(said.gone)) == (1, 1)
    found = difference(files("a", "x.py, y.py"), files("b", "y.py, z.py"), {})
    assert ([each.text for _, each in found.new], [each.item.text for each in found.gone]) == (["y.py, z.py"], ["x.py, y.py"])


@pytest.mark.parametrize(
    ("after", "kind", "goes_on"),
    [
        ("Read the months (done); changed store.py; committed “Read them”; check passed: 56", SectionKind.TASKS, True),
        ("Read the months (done)", SectionKind.TASKS, False),  # too few words to know it by
        ("Write the months (done); changed moving.py; check failed: 3", SectionKind.TASKS, False),
        ("Read the months (done); changed store.py; committed “Read them”; check passed: 56", SectionKind.NEXT, False),
    ],
)
def test_a_line_under_another_key_that_says_the_same_and_more_has_changed(after: str, kind: SectionKind, goes_on: bool) -> None:
    text = "Read the months (done); changed store.py; check passed: 56"
    found = difference([PackageSection(SectionKind.TASKS, (item("a", text),))], [PackageSection(kind, (item("bb", after),))], {})
    assert [(each.before.text, each.after.text) for each in found.changed] == ([(text, after)] if goes_on else [])
    assert (len(found.new), len(found.gone)) == ((0, 0) if goes_on else (1, 1))


def test_what_a_person_took_away_is_gone_whatever_else_is_like_it() -> None:
    text = "Use Redis for the queue and the cache."
    found = difference(rules(item("a", text)), rules(item("bb", f"{text} Never for sessions.")), {"a": Fate("dismissed")})
    assert ([gone.why for gone in found.gone], found.changed) == (["dismissed"], ())


def test_what_is_known_no_other_way_was_overtaken():
    """A state, a file or an exchange has no fate: newer ones are told in its place."""
    found = difference([PackageSection(SectionKind.STATE, (item("tree", "2 files changed"),))], [], {})
    assert [gone.why for gone in found.gone] == ["overtaken"]
