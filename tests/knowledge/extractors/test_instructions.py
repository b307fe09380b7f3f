"""Rules that no person typed: of short system prompts and of a project's own files; and pastes, documents and names."""

from __future__ import annotations

import pytest

from continuity.knowledge.extractors.instructions import CALLED, PROMPT, RULES
from continuity.knowledge.extractors.names import HASH, names_in
from continuity.knowledge.extractors.pasted_text import LINES
from continuity.knowledge.extractors.shell.line_numbers import unnumbered
from continuity.knowledge.model import AnchorType, Truth
from continuity.transcripts.base.model import Role
from tests.knowledge.talk import agent, call, distil, harness, person, result

PROJECT = (
    "# AGENTS.md instructions for /home/ada/shop\n\n<INSTRUCTIONS>\n- Never push to main.\n- Always run the linter.\n</INSTRUCTIONS>\n"
)
LOG = "2026-01-03 10:00:01 INFO starting worker\n2026-01-03 10:00:02 INFO ready\n2026-01-03 10:00:03 ERROR connection refused by db:5432\n"
PLAN = (
    "# Plan for totals\n\n## Phase 1: rounding of totals\n\nNever round before the tax is added to the total.\n\n"
    "**Decision:** totals stay integers in cents.\n\n"
)
SIZES = [200_000, pytest.param(1_000_000, marks=pytest.mark.long)]  # characters; ten times as many of a file, a fifth from a person
FILLER = "The cart page shows every line of an order with its amount. " * 4


def rules(*messages: object) -> list[str]:
    return distil(*messages).texts(AnchorType.CONSTRAINT)  # type: ignore[arg-type]


def test_it_works() -> None:
    assert rules(harness(PROJECT)) == ["Never push to main.", "Always run the linter."]


def test_project_rules_weigh_less_than_the_persons_and_are_never_critical() -> None:
    (project, *_), (said,) = distil(harness(PROJECT)).current(), distil(person("Never push to main.")).current()
    assert (project.truth, project.critical, project.method) == (Truth.OBSERVED, False, "project.rule@AGENTS.md")
    assert project.importance < said.importance


def test_what_forbids_something_grave_goes_before_what_does_not() -> None:
    listed = "".join(f"- Use module{i} for part {i}.\n" for i in range(60))
    kept = rules(harness(f"# Project rules\n{listed}- Never delete the production database.\n"))
    assert len(kept) == RULES
    assert kept[-1] == "Never delete the production database."


def test_text_behind_the_end_mark_is_no_rule() -> None:
    assert rules(harness(PROJECT + "- Never touch the cache.\n")) == rules(harness(PROJECT))


def test_a_short_system_prompt_holds_and_a_long_one_is_only_referred_to() -> None:
    prompt = "You are a careful engineer. Never commit secrets to the repository."
    (anchor,) = distil(harness(prompt, Role.SYSTEM)).current(AnchorType.CONSTRAINT)
    assert (anchor.text, anchor.truth) == ("Never commit secrets to the repository.", Truth.STATED)
    assert rules(harness(prompt + " It is so." * PROMPT, Role.SYSTEM)) == []
    assert rules(person("Fix the totals."), harness(prompt, Role.SYSTEM)) == []


@pytest.mark.parametrize("unit", ["a", "`", "<", "# ", "Contents of ", "<INSTRUCTIONS>", "- Never push. ", "\n"])
@pytest.mark.parametrize("size", SIZES)
def test_hostile_instructions_end(unit: str, size: int) -> None:
    text = unit * (10 * size // len(unit))
    assert len(distil(harness(text, Role.SYSTEM), harness("# Project rules\n" + text)).current()) <= 2 * RULES


def test_the_failing_lines_of_a_paste_are_errors() -> None:
    (error,) = distil(person(LOG)).current(AnchorType.ERROR)
    assert error.text == "2026-01-03 10:00:03 ERROR connection refused by db:5432"
    assert error.truth is Truth.OBSERVED


def test_lines_that_differ_in_numbers_only_are_one_and_the_last_are_kept() -> None:
    same = "".join(f"2026-01-03 10:00:{i:02d} ERROR connection refused by db:{i}\n" for i in range(30))
    assert len(distil(person(same)).current(AnchorType.ERROR)) == 1
    many = "".join(f"2026-01-03 10:00:{i:02d} error: {name}_total failed\n" for i, name in enumerate("abcdefghij"))
    told = distil(person(many)).texts(AnchorType.ERROR)
    assert [line.split("error: ")[1][0] for line in told] == list("fghij")[-LINES:]


def test_words_about_an_error_are_no_paste() -> None:
    done = distil(person("I think the worker failed again.\nThe error looks the same to me.\nIt could not reach the database."))
    assert all(anchor.method != "error.pasted" for anchor in done.memory.anchors.values())


def test_a_pasted_error_is_over_when_the_person_goes_on_after_a_report() -> None:
    done = distil(person(LOG), agent("Done. The worker is fixed and connects again."), person("Thanks. Add a test for it."))
    assert done.texts(AnchorType.ERROR) == []


@pytest.mark.parametrize("unit", ["a", "@", "`", "<", "/", ".", "-", "error: ", "a@", "é", "a\n", "a.md"])
@pytest.mark.parametrize("size", SIZES)
def test_hostile_words_of_the_person_end(unit: str, size: int) -> None:
    text = unit * (size // 5 // len(unit))
    assert distil(person(text), agent(text), person(f"{text}\n" * 2)).state.turn_count == 2


def test_a_document_that_the_person_names_is_read_and_another_is_not() -> None:
    shown = "".join(f"{i:6}→{line}\n" for i, line in enumerate((PLAN + FILLER).split("\n"), 1))
    talk = (call("Read", file_path="docs/plan.md"), result(shown))
    named = distil(person("Please do what docs/plan.md says."), *talk)
    told = [a for a in named.current() if a.method == "document.told"]
    assert [a.text for a in told] == [
        "Phase 1: rounding of totals",
        "Never round before the tax is added to the total.",
        "**Decision:** totals stay integers in cents.",
    ]
    assert all(a.truth is Truth.OBSERVED and not a.critical and shown[a.ref.start : a.ref.end] == a.text for a in told)
    assert distil(person("Please fix the totals."), *talk).current(AnchorType.CONSTRAINT) == []


@pytest.mark.parametrize(
    ("shown", "plain"),
    [
        ("     1→a\n     2→\n     3→b", "a\n\nb"),
        ("     1\ta\n     2\tb\n", "a\nb\n"),
        ("1: a\n2: b", "a\nb"),
        ("00041| a\n00042| b\n\n", "a\nb\n\n"),
        ("12:30 a\n12:31 b\n12:32 c\n", "12:30 a\n12:31 b\n12:32 c\n"),
        ("1. a\n2. b\n", "1. a\n2. b\n"),
        ("a\n1→b\n", "a\n1→b\n"),
        ("", ""),
    ],
)
def test_line_numbers_are_left_out_where_they_count_lines(shown: str, plain: str) -> None:
    found = unnumbered(shown)
    assert found.text == plain
    assert all(shown[found.at(place)] == sign for place, sign in enumerate(plain))


def test_names_are_files_identifiers_and_hashes() -> None:
    text = "src/cart_total.py:12 useCartStore a1b2c3d4e5f6a7b8c9 v1.2.3 1234567 self.assertEqual the cart and effaced docker-compose.yml"
    assert list(names_in(text)) == ["cart_total.py", "useCartStore", "a1b2c3d4e5f6a7b8"[:HASH], "assertEqual", "docker-compose.yml"]


def test_names_used_often_and_lately_come_first() -> None:
    talk = [person("Look at old_name_one."), *(person("and then?") for _ in range(200)), person("Now see new_name_two, new_name_two.")]
    assert distil(*talk).knowledge.situation.names == ("new_name_two", "old_name_one")


def test_files_are_told_before_other_names_of_the_same_length() -> None:
    assert distil(person("Take cart_total and cartsy.py.")).knowledge.situation.names == ("cartsy.py", "cart_total")


def test_an_edit_without_its_path_is_of_the_file_that_words_named() -> None:
    diff = "@@\n-a\n+b\n"
    done = distil(
        person("Use node.js, see https://shop.dev/cart.html, and fix lib/cart.ts and lib/tax.ts."), call("Edit", diff=diff), result()
    )
    assert done.paths() == {"lib/tax.ts": "modified"}


def test_a_document_that_speaks_of_errors_pastes_none() -> None:
    plan = "# Plan\n\n## One\n```\nPhase 1: Plan error fixes\n  - {a: 1}\n  - {b: 2}\n  - {c: 3}\n```\n\n"
    plan += "## Two\nerror: could not find `x`\n\n## Three\nMore."
    told = [anchor.text for anchor in distil(person(plan)).memory.anchors.values() if anchor.method == "error.pasted"]
    assert told == ["error: could not find `x`"]


SKILL = (
    "Base directory for this skill: /home/ada/.skills/review\n\n# Review\n\n- Always use the helper script.\n\n## Push\n\n- push\n"
    "- We need to do this FIRST so we have the hashes for the answers\n\nAfter all threads are answered, ask whether to merge.\n"
)


def test_of_a_skill_the_order_of_work_is_kept_that_it_stresses() -> None:
    (found,) = distil(harness(SKILL)).current()
    assert found.text == "We need to do this FIRST so we have the hashes for the answers"
    assert (found.truth, found.critical, found.method) == (Truth.OBSERVED, False, "skill.rule")


def test_a_long_skill_yields_only_a_few() -> None:
    many = "".join(f"- You need to do step {n} FIRST so part {n} of the plan is known\n" for n in range(40))
    assert len(rules(harness(SKILL + many))) == CALLED


def test_a_stressed_rule_of_a_project_goes_before_a_plain_one() -> None:
    plain = "".join(f"- Never paint wall {n} of the house.\n" for n in range(RULES))
    text = (
        f"# AGENTS.md instructions for /home/ada/shop\n\n<INSTRUCTIONS>\n{plain}- You must NOT sit on the painted bench.\n</INSTRUCTIONS>\n"
    )
    assert "You must NOT sit on the painted bench." in rules(harness(text))
