"""Files that are changed in another directory than the one in which the checks run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.directive_parser.grammar import CHANGED_SINCE
from continuity.knowledge.directive_parser.values import command
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import CWD, call, distil, person, ran, result
from tests.packages.samples import prepared

COPY = "/home/ada/copies/shop"
NOT_RUN = f"not run in {CWD}, where files were changed"


def in_directory(cwd: str, *messages: Message) -> tuple[Message, ...]:
    return tuple(replace(each, cwd=cwd, branch="main") for each in messages)


def edit(path: str) -> tuple[Message, ...]:
    return call("Edit", "e1", file_path=path, old_string="a = 1", new_string="a = 2"), result("Updated.", "e1")


def told(cwd: str, path: str, check: str = "make test") -> str:
    begun = in_directory(CWD, person("Look at the shop."), *ran("git status", "nothing to commit, working tree clean"))
    asked = person("The tests fail in the CI, mend them.")
    later = in_directory(cwd, asked, *edit(path), *ran(check, "12 passed"))
    return prepared(distil(*begun, *later).knowledge).text


def test_it_works() -> None:
    text = told(COPY, f"{CWD}/shop_test.go")
    assert f"- Last check: `make test` passed (exit 0): “12 passed” — {NOT_RUN}" in text
    assert f"ot committed: {CWD}/shop_test.go" in text


@pytest.mark.parametrize(
    ("cwd", "path", "check"),
    [
        (CWD, f"{CWD}/shop_test.go", "make test"),
        (f"{CWD}/backend", f"{CWD}/shop_test.go", "make test"),
        (COPY, f"{COPY}/shop_test.go", "make test"),
        (COPY, f"{CWD}/shop_test.go", f"cd {CWD} && make test"),
    ],
)
def test_a_check_that_may_have_run_there_does_not_say_so(cwd: str, path: str, check: str) -> None:
    assert "where files were changed" not in told(cwd, path, check)


def test_it_is_read_again() -> None:
    known = command(f"`make test` passed: “12 passed” — {NOT_RUN}")
    assert known is not None and (known.result, known.outdated) == ("12 passed", False)
    line = f"`make test` passed: “12 passed” — 1 file changed since, not run again, {NOT_RUN}"
    known = command(line)
    assert known is not None and known.outdated and CHANGED_SINCE.search(line)
