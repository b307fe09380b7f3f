"""What a summary states of a package."""

from __future__ import annotations

import pytest

from continuity.client.hooks.difference import missing

SUMMARY = """The user wants quiet hours in tidewatch. No SMS may go out between 22:00 and 07:00.
We decided on zoneinfo from the standard library, not pytz. Migrations live in migrations/0008_quiet_hours.sql.
The tests pass. Next the README is to be written."""


def lost(*texts: str) -> list[str]:
    return [item["text"] for item in missing([{"reference": "a1", "text": text} for text in texts], SUMMARY)]


def test_it_works() -> None:
    rule = "Never send real SMS from tests, the gateway has a fake for that."
    assert lost("No SMS between 22:00 and 07:00.", rule) == [rule]


@pytest.mark.parametrize(
    "said",
    [
        "Use zoneinfo from the standard library, not pytz.",
        "Quiet hours: no SMS goes out from 22:00 to 07:00.",
        "Write the README next.",
    ],
)
def test_other_words_around_it_state_the_same(said: str) -> None:
    assert lost(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "No SMS may go out between 21:00 and 07:00.",
        "Migrations live in migrations/0009_quiet_hours.sql.",
        "The README is never to be written before the review of the board.",
        "Red alerts always go out at once.",
    ],
)
def test_another_figure_name_or_meaning_is_missing(said: str) -> None:
    assert lost(said) == [said]


def test_an_empty_summary_states_nothing() -> None:
    assert len(missing([{"reference": "a1", "text": "Use Postgres."}], "")) == 1
