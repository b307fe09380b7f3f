from __future__ import annotations

from dataclasses import dataclass, replace

from continuity.knowledge.model import CommandRun, Knowledge, TaskStatus
from handoffs.building.masking import masked
from handoffs.contract.model import PackageItem
from tests.packages.samples import ANCHORS, KNOWLEDGE, SITUATION, TASKS, prepared, quote

TOKEN = "ghp_" + "R4nd0mLetters" * 3


def test_it_works() -> None:
    words = quote(f"push with {TOKEN}", 3)

    assert masked(words) == replace(words, text="push with [secret: github-token]")


def test_a_secret_is_masked_wherever_it_stands() -> None:
    command = CommandRun(f"curl -H 'Authorization: Bearer {TOKEN}'", 3, result=f"token: {TOKEN}")
    knowledge = replace(
        KNOWLEDGE,
        anchors=(replace(ANCHORS[0], rationale=f"because of {TOKEN}"),),
        tasks=(replace(TASKS[0], steps_left=(f"rotate {TOKEN}",)),),
        situation=replace(SITUATION, recent_commands=(command,), running=(f"watch {TOKEN}",)),
    )

    clean = masked(knowledge)

    assert TOKEN in repr(knowledge)
    assert TOKEN not in repr(clean)
    assert repr(clean).count("[secret: ") == 5


@dataclass(frozen=True)
class _Anything:
    number: int
    level: TaskStatus
    said: dict[str, str] | tuple[str, ...] | None
    other: object


def test_text_is_looked_for_wherever_a_field_may_hold_it() -> None:
    value = _Anything(1, TaskStatus.BLOCKED, (TOKEN,), (None, 2, f"use {TOKEN}"))

    assert masked(value) == replace(value, said=("[secret: github-token]",), other=(None, 2, "use [secret: github-token]"))


def test_knowledge_without_secrets_is_the_same_object() -> None:
    assert masked(KNOWLEDGE) is KNOWLEDGE
    assert masked(Knowledge()) == Knowledge()


def test_a_package_keeps_the_names_of_its_parts() -> None:
    package = prepared(replace(KNOWLEDGE, anchors=(replace(ANCHORS[0], text=f"Never print {TOKEN}."),))).package

    clean = masked(package)

    items = [item for section in clean.sections for item in section.items]
    assert {type(item) for item in items} == {PackageItem}
    assert any("[secret: github-token]" in item.text for item in items)
    assert TOKEN not in repr(clean)
