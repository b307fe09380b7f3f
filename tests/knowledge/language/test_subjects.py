"""What a statement is about, what it turns down, and why."""

from __future__ import annotations

import pytest

from continuity.knowledge.language.content_words import content, is_identifier
from continuity.knowledge.language.subjects import alternative, chosen, covers, reason, rejected, subject
from continuity.knowledge.model import AnchorType
from tests.knowledge.talk import distil, person


def test_it_works() -> None:
    assert subject("The API timeout is 30 seconds.") == "api timeout"


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("The API's timeout is 30 s", "api timeout"),
        ("the job's timeout is 60 s", "job timeout"),
        ("Set the retry limit to 5", "limit retry"),
        ("port = 8080", "port"),
        ("Use Redis for the session store", "for session stor"),
        ("**Storage**: Postgres", "storag"),
        ("The issue is a missing index", ""),
        ("It is 5", ""),
        ("What is the port?", ""),
        ("The reason for the outage was that nobody had looked at the queue for days", ""),
    ],
)
def test_topic_of_a_statement(text: str, topic: str) -> None:
    assert subject(text) == topic


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("Use Postgres instead of SQLite.", "SQLite"),
        ("It's not the cache but the queue", "the cache"),
        ("match on names, not ids", "ids"),
        ("replace moment with dayjs", "moment"),
        ("switch from npm to pnpm", "npm"),
        ("I chose Vue over React", "React"),
        ("we no longer use prek", "use prek"),
        ("Nimm Postgres statt SQLite", "SQLite"),
        ("Use Postgres.", ""),
    ],
)
def test_what_is_turned_down_is_kept_in_its_words(text: str, out: str) -> None:
    assert rejected(text) == out


@pytest.mark.parametrize(
    ("text", "following", "why"),
    [
        ("Use Postgres because we need row locks.", "", "because we need row locks"),
        ("Use Postgres.", "That keeps the queue in one place.", "That keeps the queue in one place."),
        ("Use Postgres.", "Then run the tests.", ""),
        ("We have used it since 2019.", "", ""),
    ],
)
def test_the_reason_is_the_clause_or_the_next_sentence(text: str, following: str, why: str) -> None:
    assert reason(text, following) == why


def test_content_words_survive_inflection_and_synonyms() -> None:
    assert content("we deployed the configs") == content("Deploying config")
    assert content("ship it to everyone")[0] == content("release to everyone")[0]


def test_exact_names_are_kept_before_common_words() -> None:
    words = content(
        "some rather long sentence about several different plain things mentions parse_rows and src/app.py besides everything else", 4
    )
    assert "parse_rows" in words
    assert "src/app.py" in words


@pytest.mark.parametrize("token", ["parse_rows", "src/app.py", "ENT-250", "#172", "camelCase", "v1.2", "9a4894a7", "@scope/pkg"])
def test_exact_names(token: str) -> None:
    assert is_identifier(token)


@pytest.mark.parametrize("token", ["parser", "Postgres", "API", "e"])
def test_common_words_are_no_exact_names(token: str) -> None:
    assert not is_identifier(token)


def test_a_report_covers_what_it_speaks_of() -> None:
    words = " ".join(content("I'll update the changelog after the release"))
    assert covers(words, "Updated the changelog for the release.")
    assert not covers(words, "Fixed the parser.")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Use Postgres instead of SQLite.", {"postgr"}),
        ("It's not the cache but the queue", {"queu"}),
        ("replace moment with dayjs", {"dayj"}),
        ("the worker holds the lock, not the scheduler", {"hold", "lock"}),
        ("Use Postgres.", set()),
    ],
)
def test_what_is_set_in_its_place(text: str, words: set[str]) -> None:
    assert chosen(text) == words


@pytest.mark.parametrize(("text", "out"), [
    ("Use Redis instead of Memcached.", "Memcached"),
    ("Use a pool, not a connection.", "a connection"),
    ("Use the git CLI instead of go-git's `worktree.Status()`:", "go-git's `worktree.Status()"),
    ("Call strings.Equal rather than strings.Contains here", "strings.Contains"),
    ("We no longer use Redis.", "use Redis"),
    ("It is a pool, not a connection.", ""),
    ("This is a pre-existing issue, not related to my changes.", ""),
    ("It is no longer needed since we use the CLI now.", ""),
    ("Optional interface (not on the core strategy): follows the pattern", ""),
    ("Fetch a hook type which we are not using yet and use that as the case.", ""),
    ("The call needs to be appended to rather than replaced.", ""),
])  # fmt: skip
def test_an_alternative_is_a_thing_that_somebody_might_go_back_to(text: str, out: str) -> None:
    assert alternative(text) == out


def test_a_fact_turns_down_nothing_and_still_takes_an_earlier_ones_place() -> None:
    done = distil(person("The port is 5432."), person("The port is 5433, not 5432."))
    assert [a.rejected for a in done.current() if a.type is AnchorType.FACT] in ([""], [])
