"""A finished request keeps that its check passed, where what is told of its answer does not say so."""

from __future__ import annotations

from continuity.transcripts.base.model import Message
from tests.knowledge.talk import CWD, agent, call, distil, person, ran, result
from tests.packages.samples import prepared

ANSWER = "The paid carts are skipped now: the job asks for their state first, and the report names how many it left alone."


def edit(path: str) -> tuple[Message, ...]:
    return call("Edit", "e1", file_path=f"{CWD}/{path}", old_string="a = 1", new_string="a = 2"), result("Updated.", "e1")


def told(answer: str) -> str:
    first = (person("Skip the paid carts in the job, please."), edit("jobs.py"), ran("make test", "12 passed"), agent(answer))
    second = (person("And add the currency to the report."), edit("report.py"))
    return prepared(distil(*first, *second).knowledge, budget=4000).text.partition("## History")[2]


def test_it_works() -> None:
    assert "checked: `make test` passed" in told(ANSWER)


def test_where_the_line_of_the_answer_says_so_it_is_not_told_twice() -> None:
    assert "last check" not in told("The paid carts are skipped now, and all tests pass.")
