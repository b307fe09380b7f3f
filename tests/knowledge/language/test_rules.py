"""Every cue rule finds what it is for and leaves its look-alikes alone."""

from __future__ import annotations

import pytest

from continuity.knowledge.language.sentences import split
from continuity.knowledge.language.standing import is_standing
from continuity.knowledge.model import AnchorType
from continuity.knowledge.rules.catalogue import RULES, RuleLine, Setting
from tests.knowledge.examples import LOOK_ALIKES, POSITIVE
from tests.knowledge.talk import distil, person


def line(setting: str, text: str) -> RuleLine:
    (sentence,) = split(text)
    return RuleLine.of(sentence, Setting(setting))


def test_it_works() -> None:
    rule = RULES.first_match(line("person", "Never push directly to main."), [])
    assert rule is not None
    assert rule.name == "constraint.never"


@pytest.mark.parametrize(("name", "setting", "text"), POSITIVE)
def test_rule_finds_its_example(name: str, setting: str, text: str) -> None:
    rule = next(r for r in RULES.rules if r.name == name)
    assert rule.matches(line(setting, text))


@pytest.mark.parametrize(("name", "setting", "text"), POSITIVE)
def test_example_is_entered_as_the_rule_says(name: str, setting: str, text: str) -> None:
    first = RULES.first_match(line(setting, text), [])
    assert first is not None
    rule = next(r for r in RULES.rules if r.name == name)
    assert first.type is rule.type


@pytest.mark.parametrize(("family", "setting", "text"), LOOK_ALIKES)
def test_look_alike_is_left_alone(family: str, setting: str, text: str) -> None:
    found = [r.name for r in RULES.rules if r.name.split(".")[0] == family and r.matches(line(setting, text))]
    assert found == []


def test_every_rule_has_an_example() -> None:
    assert {r.name for r in RULES.rules} == {name for name, _, _ in POSITIVE}


def test_a_rule_or_family_can_be_left_out() -> None:
    fewer = RULES.without("constraint.never", "decision")
    names = {r.name for r in fewer.rules}
    assert "constraint.never" not in names
    assert "constraint.always" in names
    assert not any(name.startswith("decision.") for name in names)


def test_importance_is_a_share() -> None:
    assert all(0 < r.importance <= 1 for r in RULES.rules)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (
            "Ugh. No verbs in paths please. Our API is resources everywhere. Goes for everything you add from now on.",
            "No verbs in paths please. Our API is resources everywhere. Goes for everything you add from now on.",
        ),
        (
            "pls dont commit on your own. leave that one, but from now on ask",
            "pls dont commit on your own. leave that one, but from now on ask",
        ),
        ("start with staging. RULE: prod is not touched, no plan, no apply", "RULE: prod is not touched, no plan, no apply"),
    ],
)
def test_a_rule_is_kept_with_what_it_is_about_and_not_swallowed(text: str, rule: str) -> None:
    assert rule in [anchor.text for anchor in distil(person(text)).current(AnchorType.CONSTRAINT)]


@pytest.mark.parametrize(
    "text",
    [
        "Leave the client alone completely.",
        "squash nothing, Marek wants to see the commits",
        "Rule: everything via the pipeline",
        "The golden files are NOT to be regenerated.",
        "checkout has to stay green",
        "please keep python 3.9 compat",
    ],
)
def test_what_stands(text: str) -> None:
    assert is_standing(text)
