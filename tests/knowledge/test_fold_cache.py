"""Answers are kept while a fold lasts, and not a moment longer."""

from __future__ import annotations

from threading import Thread

import pytest

from continuity.knowledge import FoldState, fold
from continuity.knowledge.model import AnchorType
from continuity.knowledge.rules.catalogue import Rule, RuleLine, RuleSet
from continuity.knowledge.rules.engine import ANYONE, cue
from continuity.knowledge.state.fold_cache import LONGEST, MOST, cached, remembering
from tests.knowledge.talk import person

asked: list[str] = []


@cached
def length(text: str) -> int:
    asked.append(text)
    return len(text)


def _length_of_one(text: str) -> int:
    return length(text)


length_of_one = cached(_length_of_one, most=1, longest=2 * LONGEST)


@pytest.fixture(autouse=True)
def _nothing_asked() -> None:
    asked.clear()


def test_it_works() -> None:
    with remembering():
        assert [length("four"), length("four")] == [4, 4]
    assert asked == ["four"]


def test_nothing_is_kept_outside_or_from_one_time_to_the_next() -> None:
    assert length("four") == length("four") == 4
    for _ in range(2):
        with remembering():
            length("four")
    assert len(asked) == 4


def test_what_is_kept_is_bounded() -> None:
    with remembering():
        for number in range(MOST + 1):
            length(str(number))
        length("0")
        length("x" * (LONGEST + 1))
        length("x" * (LONGEST + 1))
    assert len(asked) == MOST + 4


def test_of_long_texts_one_is_kept() -> None:
    long, other = "x" * (LONGEST + 1), "y" * (LONGEST + 1)
    with remembering():
        for text in (long, long, other, long):
            length_of_one(text)
    assert asked == [long, other, long]


def test_threads_keep_their_own() -> None:
    with remembering():
        length("four")
        thread = Thread(target=length, args=("four",))
        thread.start()
        thread.join()
        length("four")
    assert asked == ["four", "four"]


def test_a_fold_remembers_and_forgets_also_where_it_fails() -> None:
    def out_of_memory(line: RuleLine) -> bool:
        length("four")
        if "tests" in line.low:
            raise MemoryError
        return False

    rules = RuleSet(lambda: [Rule("any", AnchorType.FACT, cue(r"\S"), ANYONE, 0.5, predicates={"out_of_memory": out_of_memory})])
    with pytest.raises(MemoryError):
        fold(FoldState(), [(1, person("Never push to main.")), (2, person("Never skip the tests."))], rules=rules)
    assert asked == ["four"]
    length("four")
    assert asked == ["four", "four"]
