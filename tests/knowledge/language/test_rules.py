"""Every cue rule finds what it is for and leaves its look-alikes alone."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest

from continuity.knowledge.language.sentences import split
from continuity.knowledge.language.standing import is_standing
from continuity.knowledge.model import AnchorType
from continuity.knowledge.rules.catalogue import RULES, Rule, RuleLine, Setting, families
from continuity.knowledge.rules.loader import SPEAKERS, CatalogueEntry, RuleFamily
from continuity.knowledge.rules.patterns import words
from tests.knowledge.talk import distil, person

ENTRIES = [entry for family in families() for entry in family.entries]
POSITIVE = [(entry.rule, text) for entry in ENTRIES for text in entry.matches]
LOOK_ALIKES = [(family, speaker, text) for family in families() for speaker, texts in family.ignores.items() for text in texts]

LONG = split("A sentence.")[0]
PIECES = ("a", " ", "-", "a-", "1,", "(", "[", '"', "1", "a/", "a ", "and, ", "no ", "not ", "is ", "the ", "nicht ", "ne ")
LARGE = 20_000
BOUND_SECONDS = 10.0  # many times what a rule takes: one that hangs takes far longer


def line(setting: Setting, text: str) -> RuleLine:
    (sentence,) = split(text)
    return RuleLine.of(sentence, setting)


def hostile(setting: Setting, piece: str) -> RuleLine:
    return RuleLine.of(replace(LONG, text=f"take {(piece * LARGE)[:LARGE]}zebra"), setting)


def test_it_works() -> None:
    rule = RULES.first_match(line(Setting.PERSON, "Never push directly to main."), [])
    assert rule is not None
    assert rule.name == "constraint.never"


@pytest.mark.parametrize(("rule", "text"), POSITIVE)
def test_rule_finds_its_example(rule: Rule, text: str) -> None:
    assert all(rule.matches(line(setting, text)) for setting in rule.settings)


@pytest.mark.parametrize(("rule", "text"), POSITIVE)
def test_example_is_entered_as_the_rule_says(rule: Rule, text: str) -> None:
    first = [RULES.first_match(line(setting, text), []) for setting in rule.settings]
    assert rule.type in {found.type for found in first if found is not None}


@pytest.mark.parametrize(("entry", "text"), [(entry, text) for entry in ENTRIES for text in entry.ignores])
def test_rule_leaves_its_look_alike_alone(entry: CatalogueEntry, text: str) -> None:
    assert not any(entry.rule.matches(line(setting, text)) for setting in entry.rule.settings)


@pytest.mark.parametrize(("family", "speaker", "text"), LOOK_ALIKES)
def test_look_alike_is_left_alone(family: RuleFamily, speaker: str, text: str) -> None:
    rules = [(entry.rule, setting) for entry in family.entries for setting in SPEAKERS[speaker]]
    assert [rule.name for rule, setting in rules if rule.matches(line(setting, text))] == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.rule.name)
def test_each_alternative_of_a_rule_is_hit_by_one_of_its_examples(entry: CatalogueEntry) -> None:
    texts = [line(setting, text).low for text in entry.matches for setting in entry.rule.settings]
    alternatives = [*(pattern for keyword in entry.keywords for pattern in words([keyword])), *entry.patterns]
    assert [pattern for pattern in alternatives if not any(re.search(pattern, text) for text in texts)] == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.rule.name)
def test_each_rule_gets_through_hostile_text(entry: CatalogueEntry) -> None:
    """Also through its own examples without end."""
    started = time.process_time()
    for setting in entry.rule.settings:
        for piece in (*PIECES, *(f"{text.rpartition(' ')[0]} " for text in entry.matches)):
            entry.rule.matches(hostile(setting, piece))
    assert time.process_time() - started < BOUND_SECONDS


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
