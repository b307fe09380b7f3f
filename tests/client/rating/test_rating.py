"""`continuity rate` as an agent or a person types it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from continuity.client.client import Client
from continuity.client.main import DONE, FAILED, USAGE
from handoffs.models import HandoffRating

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer


@pytest.fixture
def prepared(tide_session: Path, server: LiveServer, said: Any) -> str:
    assert said("push", str(tide_session))[0] == DONE
    assert said("handoff")[0] == DONE
    return Client().handoffs(limit=1)[0]["id"]


def test_it_works(prepared: str, said: Any) -> None:
    Client().resume(prepared)
    code, told, _ = said("rate", "--not-useful", "--wrong", "a1", "--because", "Feet are fine.", "--missing", "The port.")
    assert code == DONE
    assert told == "Kept. This handoff was useful to 0 of 1 readers; called wrong: 1; missing: 1.\n"
    rated = json.loads(said("rate", "--useful", "--json", "--handoff", prepared)[1])
    assert said("rate", "--useful")[1].startswith("Kept.")  # the newest resumed one here
    assert rated["counts"] == {"useful": 1, "not_useful": 0, "wrong_line": 1, "missing": 1}
    assert {row["text"] for row in rated["ratings"]} == {"Feet are fine.", "The port.", ""}


@pytest.mark.parametrize("words", [(), ("--because", "No."), ("--useful", "--wrong", "a1", "--because", "x", "--because", "y")])
def test_nothing_to_say_is_a_wrong_use(prepared: str, said: Any, words: tuple[str, ...]) -> None:
    assert said("rate", *words)[0] == USAGE


def test_a_line_is_counted_in_the_style_that_was_read(prepared: str, said: Any) -> None:
    Client().resume(prepared)
    read = Client().directive(prepared, style="narrative").splitlines()
    number = next(place for place, line in enumerate(read, start=1) if "Never publish" in line and not line.startswith("The user"))
    assert said("rate", "--style", "narrative", "--wrong", str(number))[0] == DONE
    row = HandoffRating.objects.get()
    assert "Never publish" in Client().directive(prepared).splitlines()[row.line - 1] and row.line != number
    assert said("rate", "--style", "narrative")[0] == USAGE  # which says nothing by itself


@pytest.mark.parametrize(("words", "field"), [(("--missing",), "missing"), (("--wrong", "a1", "--because"), "comment")])
def test_what_is_too_long_is_refused_and_not_cut(prepared: str, said: Any, words: tuple[str, ...], field: str) -> None:
    Client().resume(prepared)
    code, _, told = said("rate", *words, "x" * 501)
    assert code == FAILED
    assert field in told and "500" in told
    assert not HandoffRating.objects.exists()


def test_what_nobody_resumed_is_refused_in_words(prepared: str, said: Any) -> None:
    code, _, told = said("rate", "--useful", "--handoff", prepared)
    assert code == FAILED
    assert "Nobody resumed this handoff yet" in told
