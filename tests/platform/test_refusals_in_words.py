"""Every refusal is a whole sentence: no name in braces is left in it, wherever it is raised."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator

import pytest

from continuity.core.errors import DomainError, RoleTooLow
from tests.platform.running import PROJECT

APPS = ("config", "continuity", "handoffs", "diagnostics")


def kinds(of: type[DomainError] = DomainError) -> Iterator[type[DomainError]]:
    yield of
    for kind in of.__subclasses__():
        yield from kinds(kind)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def raised() -> Iterator[tuple[str, type[DomainError], ast.Call]]:
    """Where an error of ours is made: its place, its class, and the call."""
    known = {kind.__name__: kind for kind in kinds()}
    for path in sorted(path for app in APPS for path in (PROJECT / app).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                if name in known:
                    yield f"{path.relative_to(PROJECT)}:{node.lineno} {name}", known[name], node


def left_open(kind: type[DomainError], call: ast.Call) -> set[str]:
    """The names that its message would show in braces, or fail for."""
    if call.args:
        words = [node.value for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        return set() if isinstance(call.args[0], ast.JoinedStr) else {name for each in words for name in fields(each)}
    if any(each.arg is None for each in call.keywords):
        return set()  # what is passed on whole
    return fields(kind.__doc__ or "") - {each.arg for each in call.keywords if each.arg} - {"wait"}


def test_it_works() -> None:
    found = list(raised())
    assert len(found) > 100
    assert {place: names for place, kind, call in found if (names := left_open(kind, call))} == {}


@pytest.mark.parametrize("kind", sorted(set(kinds()) - {DomainError}, key=str), ids=str)
def test_each_kind_has_a_message_that_can_be_filled_in(kind: type[DomainError]) -> None:
    told = kind(**dict.fromkeys(fields(kind.__doc__ or "") - {"wait"}, "seven")).detail
    assert told.strip()
    assert not set("{}") & set(told)


def test_a_message_in_words_that_was_not_filled_in_is_seen() -> None:
    (call,) = [node for node in ast.walk(ast.parse('RoleTooLow("It takes the role {role}.", role="x")')) if isinstance(node, ast.Call)]
    assert left_open(RoleTooLow, call) == {"role"}
