"""New functions that no new test is named after."""

from __future__ import annotations

from continuity.transcripts.base.model import Message
from tests.knowledge.talk import CWD, call, distil, person, result
from tests.packages.samples import prepared

NAMES = ("CountTokens", "CountTokensOfFile", "FindAgents", "Total")
LINE = "- New functions that no new test is named after: CountTokensOfFile, Total"


def written(name: str, functions: tuple[str, ...]) -> tuple[Message, Message]:
    body = "\n\n".join(f"func {each}(t int) int {{\n\treturn t + {n}\n}}" for n, each in enumerate(functions))
    made = call("Edit", name, file_path=f"{CWD}/{name}", old_string="package a\n", new_string=f"package a\n\n{body}\n")
    return made, result("ok", name)


def told(*tests: str, functions: tuple[str, ...] = NAMES) -> str:
    known = distil(person("Add the counting of tokens, with tests."), written("count.go", functions), written("count_test.go", tests))
    return prepared(known.knowledge, budget=4000).text


def test_it_works() -> None:
    assert LINE in told("TestCountTokens_Basic", "TestCountTokens_Empty", "TestFindAgents")


def test_where_tests_are_named_otherwise_or_no_function_is_left_out_nothing_is_said() -> None:
    assert "no new test is named" not in told("TestBasic", "TestCountTokens")
    assert "no new test is named" not in told("TestCountTokens", "TestFindAgents", functions=("CountTokens", "FindAgents"))
    assert "no new test is named" not in told()


def test_more_than_a_few_are_a_way_of_working() -> None:
    many = (*NAMES, "Other", "Another", "Third")
    assert "no new test is named" not in told("TestCountTokens", "TestFindAgents", functions=many)
