"""Settings from the environment: typed, and a bad value is refused by its name."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.env import BadSetting, Environment, read_dotenv


def test_it_works() -> None:
    env = Environment({"PORT": " 8001 ", "FLAG": "yes", "HOSTS": "a, b,,c", "RATIO": "0.5"})
    assert env.integer("PORT", 8000) == 8001
    assert env.flag("FLAG") is True
    assert env.names("HOSTS") == ["a", "b", "c"]
    assert env.number("RATIO", 0.1) == 0.5


def test_empty_value_counts_as_unset() -> None:
    env = Environment({"PORT": "  ", "NAME": ""})
    assert env.integer("PORT", 8000) == 8000
    assert env.text("NAME", "default") == "default"


def test_alias_is_read_after_the_name() -> None:
    assert Environment({"OLD": "/a"}).path("NEW", Path("/b"), aliases=["OLD"]) == Path("/a")
    assert Environment({"OLD": "/a", "NEW": "/c"}).path("NEW", Path("/b"), aliases=["OLD"]) == Path("/c")


@pytest.mark.parametrize("value", ["abc", "1.5", "", "-1", "99999999999999999999", "１０ x"])
def test_bad_integer_names_its_variable(value: str) -> None:
    env = Environment({"STORAGE_PATH_LIMIT": value or "x"})
    with pytest.raises(BadSetting, match=r"^STORAGE_PATH_LIMIT: "):
        env.integer("STORAGE_PATH_LIMIT", 1, minimum=0, maximum=10)


@given(st.one_of(st.floats().map(str), st.integers().map(str), st.sampled_from(["1e400", "0x1", "1_0", "½", "none", "-0", " ", "1,5"])))
def test_any_text_gives_a_number_in_range_or_a_named_refusal(value: str) -> None:
    try:
        read = Environment({"N": value}).number("N", 0.5, minimum=0.0, maximum=1.0)
    except BadSetting as error:
        assert str(error).startswith("N: ")
    else:
        assert 0.0 <= read <= 1.0


@pytest.mark.parametrize("value", ["nan", "inf", "-0.1", "1.1"])
def test_number_outside_its_range_is_refused(value: str) -> None:
    with pytest.raises(BadSetting, match=r"^RATIO: "):
        Environment({"RATIO": value}).number("RATIO", 0.1, minimum=0.0, maximum=1.0)


def test_flag_and_choice_refuse_other_words() -> None:
    env = Environment({"FLAG": "maybe", "KIND": "mongo"})
    with pytest.raises(BadSetting, match=r"^FLAG: 'maybe' is neither yes nor no"):
        env.flag("FLAG")
    with pytest.raises(BadSetting, match=r"^KIND: 'mongo' is not one of postgres, file"):
        env.choice("KIND", "postgres", ["postgres", "file"])


def test_dotenv_understands_comments_quotes_and_export(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("# comment\n\nexport A=1\nB = 'two words'\nC=\"x=y\"\nD=\n")
    assert read_dotenv(tmp_path / ".env") == {"A": "1", "B": "two words", "C": "x=y", "D": ""}
    assert read_dotenv(tmp_path / "absent") == {}


def test_dotenv_names_a_bad_line(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("A=1\nnot a setting\n")
    with pytest.raises(BadSetting, match=r"^\.env line 2: "):
        read_dotenv(tmp_path / ".env")
