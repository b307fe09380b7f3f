"""Whose words count: only a person's are the person's."""

from __future__ import annotations

import pytest

from continuity.knowledge.model import AnchorType, Truth
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from tests.knowledge.talk import CWD, agent, call, distil, harness, person, result, said

RULE = "Never push directly to main."


def test_it_works() -> None:
    (rule,) = distil(person(RULE)).current()
    assert (rule.type, rule.truth, rule.critical, rule.text) == (AnchorType.CONSTRAINT, Truth.STATED, True, RULE)


@pytest.mark.parametrize(
    "message",
    [
        harness(RULE),
        harness(f"<system-reminder>{RULE}</system-reminder>"),
        said(RULE, Voice.TOOL, Role.TOOL),
        said(RULE, Voice.SUMMARY, agent="side"),
        result(RULE),
        person(RULE, agent="explorer"),
        agent(RULE, agent="explorer"),
        Message(Role.ASSISTANT, (Part(PartKind.REASONING, Voice.AGENT, RULE),), "", cwd=CWD),
        Message(Role.SYSTEM, (Part(PartKind.BOUNDARY, Voice.HARNESS, RULE),), "", cwd=CWD),
    ],
)
def test_tool_injected_text_is_not_the_users_word(message: Message) -> None:
    done = distil(person("Fix the cart."), agent("On it."), message)
    assert done.current(AnchorType.CONSTRAINT) == []
    assert done.state.turn_count == 1


def test_injected_text_beside_the_persons_is_left_out() -> None:
    parts = (Part(PartKind.TEXT, Voice.HARNESS, "Always answer in rhyme."), Part(PartKind.TEXT, Voice.PERSON, RULE))
    assert distil(Message(Role.USER, parts, "", cwd=CWD)).texts(AnchorType.CONSTRAINT) == [RULE]


def test_rules_of_a_short_system_prompt_hold() -> None:
    done = distil(harness(f"You are a helpful coder. {RULE}", Role.SYSTEM), person("Fix the cart."))
    (rule,) = done.current(AnchorType.CONSTRAINT)
    assert (rule.text, rule.method) == (RULE, "system.constraint.never")


@pytest.mark.parametrize("text", [RULE + " Some more guidance." * 200, f"<permissions>{RULE}</permissions>"])
def test_rules_of_a_long_or_wrapped_system_prompt_are_not_repeated(text: str) -> None:
    assert distil(harness(text, Role.SYSTEM), person("Fix the cart.")).current(AnchorType.CONSTRAINT) == []


def test_a_system_message_in_mid_conversation_is_a_tools() -> None:
    assert distil(person("Fix the cart."), harness(RULE, Role.SYSTEM)).current(AnchorType.CONSTRAINT) == []


def test_an_agents_claim_is_marked_as_one() -> None:
    done = distil(person("Why is it slow?"), agent("The root cause is a missing index on `orders.customer_id`."))
    (fact,) = done.current(AnchorType.FACT)
    assert (fact.truth, fact.critical) == (Truth.CLAIMED, False)


def test_narration_is_no_knowledge() -> None:
    done = distil(
        person("Fix the cart."),
        agent("Let me check `cart.py` first, because it may hold the rounding."),
        call("Read", file_path="cart.py"),
        agent("Now let me read `totals.py` and `tax.py`."),
        call("Read", "c2", file_path="totals.py"),
    )
    assert done.current() == []


def test_a_repeated_rule_is_one_anchor_that_weighs_more() -> None:
    done = distil(person("Keep answers short."), agent("Ok."), person("keep answers short"), agent("Sure."), person("Keep answers SHORT!"))
    (rule,) = done.current(AnchorType.PREFERENCE)
    assert rule.importance == pytest.approx(0.84)
    assert rule.ref.seq == 5
    assert rule.key == distil(person("Keep answers short.")).current()[0].key


def test_the_agent_repeating_a_rule_changes_nothing() -> None:
    done = distil(person(RULE), agent(f"Understood: {RULE}"), agent(RULE))
    (rule,) = done.current(AnchorType.CONSTRAINT)
    assert rule.ref.seq == 1


def test_pasted_logs_are_not_statements() -> None:
    log = "\n".join(f"2026-02-08 21:51:5{i}.720 |DEBUG| never retry host=10.0.0.{i} must=1" for i in range(5))
    assert distil(person(f"so, testing this build:\n{log}\n")).current(AnchorType.CONSTRAINT, AnchorType.FACT) == []


def test_a_very_long_paste_is_read_at_both_ends() -> None:
    paste = "The shop sells books and pens in many towns. " * 5000
    done = distil(person(f"Never touch the billing module. {paste}Always answer in French."))
    assert done.texts(AnchorType.CONSTRAINT) == ["Never touch the billing module.", "Always answer in French."]


def test_a_rule_in_the_middle_of_a_long_paragraph_is_found() -> None:
    filler = "The shop has grown a lot over the years and many people worked on it. " * 12
    done = distil(person(f"{filler}Whatever you do, never touch the billing module. {filler}"))
    assert done.texts(AnchorType.CONSTRAINT) == ["Whatever you do, never touch the billing module."]
