from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.model import Knowledge, Situation
from handoffs.directive.summary import compacted_summary
from tests.packages.samples import KNOWLEDGE, SITUATION, quote


def test_it_works() -> None:
    assert compacted_summary(KNOWLEDGE) == (
        "Goal: “Move the nightly billing job to the new scheduler without losing invoices.”. "
        "Done: Create the invoices table. "
        "Open: Move the billing job to the new scheduler (in progress, 2 steps left); Document the rollback (not started, 1 steps left). "
        "Files changed: nightly.py; 0007_invoices.sql; billing.cron. "
        "Last check: `pytest tests/jobs -q` passed. "
        "Branch feature/scheduler in /srv/billing. "
        "Go on: it is your turn. "
        "Next: “Next I switch the trigger in jobs/nightly.py and run the tests again.”."
    )


def test_a_summary_is_never_empty() -> None:
    assert compacted_summary(Knowledge(messages=3)) == "3 messages were exchanged; nothing in them needs to be carried on."
    assert compacted_summary(Knowledge(situation=Situation(cwd="/srv"))) == "In /srv."


def test_long_words_are_clipped() -> None:
    long = replace(KNOWLEDGE, situation=replace(SITUATION, objective=quote("goal " * 2000, 1)))

    assert len(compacted_summary(long)) < 1200
