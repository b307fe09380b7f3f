"""What takes the place of what: corrections and later decisions do, similar but different things do not."""

from __future__ import annotations

import pytest

from continuity.knowledge.model import AnchorState, AnchorType
from tests.knowledge.talk import agent, distil, person


def superseded(*messages: str) -> list[str]:
    """Texts superseded when the person says these things one after another."""
    talk = [m for text in messages for m in (person(text), agent("Understood."))]
    return [a.text for a in distil(*talk).memory.anchors.values() if a.state is AnchorState.SUPERSEDED]


def test_it_works() -> None:
    assert superseded("Let's use SQLite for the queue.", "Use Postgres instead of SQLite.") == ["Let's use SQLite for the queue."]


def test_a_request_that_is_decided_otherwise_was_not_done_and_is_no_goal() -> None:
    done = distil(
        person("Rework the retry logic of the payment service."),
        *(agent("I'll begin with the worker."), person("Release to everyone on Friday."), agent("Understood.")),
        *(person("Okay, let's ship it behind the flag after all."), agent("Next I add the flag.")),
    ).knowledge
    assert not any("Friday" in task.description for task in done.tasks)
    assert done.situation.objective and "retry logic" in done.situation.objective.text


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Write tests for the checkout module.", "Don't forget the tests of the checkout module."),
        ("Write tests for the checkout module.", "Did you forget the tests of the checkout module?"),
        ("Export the orders of the shop as CSV.", "Would the orders of the shop be smaller as JSON instead?"),
        ("Fix the rounding of the checkout totals.", "Turns out the rounding of the checkout totals comes from the tax table."),
        ("Add a retry to the payment client.", "The payment client of staging moved to another host, so it needs the retry too."),
        ("Use Postgres for the queue and add a retry to the worker.", "Use Redis instead of Postgres for the queue."),
        (
            "Rework the cart page so that totals, taxes and discounts are shown apart from the shipping.",
            "Show taxes and discounts together instead.",
        ),
    ],
)
def test_a_request_that_is_only_spoken_of_again_stays_wanted(asked: str, said: str) -> None:
    done = distil(person("Tidy the shop."), agent("Tidied."), person(asked), agent("I looked at it."), person(said), agent("Fine."))
    assert asked in [task.description for task in done.knowledge.tasks]


def test_work_that_comes_after_all_the_rest_can_be_the_goal() -> None:
    done = distil(person("What is the shop built with?"), agent("Django."), person("Add an index page after all the other pages exist."))
    assert done.knowledge.situation.objective
    assert "index page" in done.knowledge.situation.objective.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The API timeout is 30 seconds.", "The API timeout is 60 seconds."),
        ("Use SQLite for the session store.", "Use Postgres for the session store."),
        ("Let's release to everyone on Friday.", "let's ship it behind the flag after all"),
        ("We'll host the docs on GitHub Pages.", "Actually, let's host the docs on our own server."),
        ("Always answer in German.", "From now on always answer in English, not German."),
        ("Set the retry limit to 3.", "Set the retry limit to 5."),
        ("The mailer retries four times.", "Six retries for the mailer please, four was not enough."),
        ("Articles top out at 1,200 words.", "Articles can be up to 1,500 words long now."),
        ("The report's title is Dry Summers.", "The title is After the Rain now, the editor prefers it."),
        ("Session tokens live in Memcached.", "Thinking about it, I want the session tokens in Postgres."),
        ("Part 3 is translated by Moreau.", "Keller takes over part 3 from Moreau."),
        ("Citations follow Harvard style.", "Citations should be in MLA style from now on."),
    ],
)
def test_a_later_statement_on_the_same_subject_supersedes(before: str, after: str) -> None:
    assert superseded(before, after) == [before]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The API's timeout is 30 seconds.", "The job's timeout is 60 seconds."),
        ("The API's timeout is 30 seconds.", "Actually, the job's timeout is 60 seconds."),
        ("Never push to main.", "Never push to the release branch."),
        ("Use Postgres for the queue.", "Use Redis for the cache."),
        ("Keep the parser in its own module.", "Let's keep the changelog short."),
        ("Let's release to everyone on Friday.", "Let's rename the parser module."),
        ("The fraud model's threshold is 0.8.", "Set the churn model's threshold to 0.42."),
        ("The api never has fewer than 3 replicas.", "The api never has more than 12 replicas."),
        ("Chapter 2 has 4,000 words.", "Chapter 5 has 3,000 words."),
        ("Staging's database is db-7 on port 5434.", "Production's database is db-1 on port 5432."),
        ("The proofs are due on May 2.", "The index is due on May 9."),
    ],
)
def test_similar_but_different_things_both_stay(before: str, after: str) -> None:
    assert superseded(before, after) == []


def test_the_agent_never_supersedes_the_person() -> None:
    done = distil(person("The API timeout is 30 seconds."), agent("The API timeout is 60 seconds, as `config.py` says now. " * 8))
    assert "The API timeout is 30 seconds." in done.texts(AnchorType.FACT)


def test_the_superseding_anchor_is_named() -> None:
    done = distil(person("Let's use SQLite for the queue."), agent("Fine."), person("Use Postgres instead of SQLite."))
    old = next(a for a in done.memory.anchors.values() if a.state is AnchorState.SUPERSEDED)
    new = done.memory.anchors[old.superseded_by]
    assert (new.text, new.rejected, old.settled_seq) == ("Use Postgres instead of SQLite.", "SQLite", 3)
    assert done.knowledge.superseded == (old,)


def test_a_settled_anchor_said_again_is_a_new_one() -> None:
    done = distil(
        person("The API timeout is 30 seconds."),
        agent("Ok."),
        person("The API timeout is 60 seconds."),
        agent("Ok."),
        person("The API timeout is 30 seconds."),
    )
    assert done.texts(AnchorType.FACT) == ["The API timeout is 30 seconds."]
    assert len(done.memory.anchors) == 3


def test_saying_the_same_again_supersedes_nothing() -> None:
    first = agent("I read the wrong structure - it's a `patients` array, not `care_teams`, and it has 15 pages of data in `route.ts`.")
    again = agent("Extract from the `patients` array instead of looking for the non-existent `care_teams` in `route.ts`.")
    done = distil(person("Fix the counts"), first, again)
    assert not [a for a in done.memory.anchors.values() if a.state is AnchorState.SUPERSEDED]


def test_going_back_to_what_was_turned_down_supersedes() -> None:
    assert superseded("Use Postgres instead of Redis.", "Use Redis instead of Postgres after all.") == ["Use Postgres instead of Redis."]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (
            "The local config now points to the private repo, and `.app/settings.local.json` is ignored by `.app/.gitignore`.",
            "Yes, `.app/settings.local.json` is gitignored.",
        ),
        ("Yes, `.app/settings.local.json` is gitignored.", "`.app/settings.local.json` is ignored."),
        (
            "**Single log file per worktree** with session ID as a field in each line (already done).",
            "A single log file with session ID filtering would make that explicit rather than fighting it.",
        ),
    ],
)
def test_an_agent_that_says_it_again_in_other_words_replaces_nothing(first: str, again: str) -> None:
    done = distil(person("Is the local config ignored?"), agent(first), person("Really?"), agent(again))
    assert not [a for a in done.memory.anchors.values() if a.state is AnchorState.SUPERSEDED]


def test_an_agent_that_gives_another_value_does() -> None:
    first, second = agent("I decided to use Postgres for the queue."), agent("I decided to use Redis for the queue.")
    done = distil(person("Which one is it?"), first, person("And now?"), second)
    assert [a.text for a in done.memory.anchors.values() if a.state is AnchorState.SUPERSEDED] == [
        "I decided to use Postgres for the queue."
    ]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Use ten months a night.", "Correction: split five months a night, not ten."),
        ("Use ten months a night.", "One small correction — five months a night, not ten, the disk is full."),
    ],
)
def test_what_a_person_calls_a_correction_replaces_what_it_names(first: str, then: str) -> None:
    done = distil(person(first), agent("Done."), person(then))
    known = done.memory.knowledge(done.state)
    assert [each.text for each in known.superseded] == [first]
    assert any(each.type is AnchorType.CORRECTION and each.critical for each in known.anchors)
