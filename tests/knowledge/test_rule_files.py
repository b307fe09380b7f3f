"""The files of rules: what is wrong in one is told with file, rule and field."""

from __future__ import annotations

import pytest

from continuity.knowledge.rules.loader import CatalogueError, read_family

GOOD = """
order = 1

[[rule]]
id = "fact.port"
type = "CriticalFact"
speakers = ["user"]
importance = 0.7
any = ['\\bport is \\d+\\b']
matches = ["The port is 8091."]
"""


def test_it_works() -> None:
    (entry,) = read_family("fact", GOOD).entries
    assert (entry.rule.name, entry.rule.importance, entry.matches) == ("fact.port", 0.7, ("The port is 8091.",))


@pytest.mark.parametrize(
    ("change", "to", "said"),
    [
        ("order = 1", "order = ", "fact.toml: "),
        ("order = 1", "ordre = 1", "fact.toml: ordre: there is no such field"),
        ('id = "fact.port"', 'id = "port"', "fact.toml: rule 1: id: must be fact.<name>"),
        ('type = "CriticalFact"', 'type = "Fact"', "rule “fact.port”: type"),
        ('speakers = ["user"]', 'speakers = ["nobody"]', "rule “fact.port”: speakers"),
        ("importance = 0.7", "importance = 7.0", "rule “fact.port”: importance: must be above 0 and at most 1"),
        ("importance = 0.7", 'importance = "high"', "rule “fact.port”: importance: must be"),
        ("any = ['\\bport is \\d+\\b']", "any = ['(']", "rule “fact.port”: any: "),
        ("any = ['\\bport is \\d+\\b']", "", "rule “fact.port”: any: a rule needs keywords or patterns"),
        ('matches = ["The port is 8091."]', "matches = []", "rule “fact.port”: matches: at least one example is needed"),
        ("importance = 0.7", 'importance = 0.7\npredicates = ["is_tuesday"]', "rule “fact.port”: predicates"),
        ("[[rule]]", GOOD.partition("order = 1")[2] + "\n[[rule]]", "rule “fact.port”: id: stands twice"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(change: str, to: str, said: str) -> None:
    assert change in GOOD
    with pytest.raises(CatalogueError) as told:
        read_family("fact", GOOD.replace(change, to, 1))
    assert said in str(told.value)
