"""Why a sentence is an anchor, by the command and by what pages ask."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command

from continuity.knowledge.anchors.thoughts import unsaid
from continuity.knowledge.model import AnchorType, Truth
from continuity.knowledge.rules.catalogue import Setting
from continuity.knowledge.rules.explaining import explained, found_by


def test_it_works() -> None:
    (first, second) = explained("Actually, never push to main. Thanks a lot!", Setting.PERSON)
    assert [(rule.name, rule.type) for rule in first.rules] == [
        ("correction.actually", AnchorType.CORRECTION),
        ("constraint.never", AnchorType.CONSTRAINT),
    ]
    assert "never push" in first.rules[1].words
    assert second.rules == ()


def test_the_rule_of_an_anchor_comes_first_and_what_no_rule_found_has_none() -> None:
    text = "Actually, never push to main."
    assert [rule.name for rule in found_by(text, Truth.STATED, "constraint.never")] == ["constraint.never", "correction.actually"]
    assert found_by(text, Truth.STATED, "section.rules") == ()
    assert found_by("", Truth.CLAIMED, "fact.stated") == ()


def test_the_rule_of_a_thought_is_that_of_words() -> None:
    text = "The root cause is a missing index on `orders.customer_id`."
    (named, *_) = found_by(text, Truth.CLAIMED, unsaid("fact.cause"))
    assert named.name == "fact.cause"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("decision.accepted", "decision.accepted: The agent proposed it, and the person agreed."),
        ("Never push to main.", "named by constraint.never (Constraint, 1.00) on “never push”"),
        ("Hello there", "no rule matches"),
        ("```\ncode\n```", "There is no sentence in it"),
    ],
)
def test_the_command_says_so(words: str, told: str) -> None:
    out = io.StringIO()
    call_command("explain", words, "--speaker", "user", stdout=out)
    assert told in out.getvalue()
