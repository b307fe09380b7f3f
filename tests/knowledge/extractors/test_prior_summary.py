"""A conversation that begins with a summary carries on what the summary says; a later one repeats what is known."""

from __future__ import annotations

from continuity.knowledge.model import AnchorType, TaskStatus, Truth
from continuity.transcripts.base.model import Voice
from tests.knowledge.talk import agent, distil, person, said

SUMMARY = """This session is being continued from a previous conversation that ran out of context.

Analysis:
1. The user never wanted the analysis to count.

Summary:
1. Primary Request and Intent:
   - Move the importer of the shop to the new queue

2. Files and Code Sections:
   - `shop/importer.py` - created, holds the worker
   - `shop/old_queue.py` - deleted
   - `shop/settings.py` - modified the timeout

3. Errors and fixes:
   - The worker crashed on empty batches; fixed with a guard in `next_batch`

6. All user messages:
   - "Never touch the billing module"
   - "Use Postgres instead of Redis"
   - "now add the metrics"

7. Pending Tasks:
   - Add metrics to the worker
   - Write the migration (blocked by the schema review)
   - Rename the queue - RESOLVED

9. Optional Next Step:
   Add the metrics module `shop/metrics.py`.
"""


def test_it_works() -> None:
    done = distil(said(SUMMARY, Voice.SUMMARY))
    (rule,) = done.current(AnchorType.CONSTRAINT)
    assert (rule.text, rule.truth) == ("Never touch the billing module", Truth.CLAIMED)
    assert "Use Postgres instead of Redis" in done.texts(AnchorType.DECISION)


def test_places_in_the_summary_are_exact() -> None:
    for anchor in distil(said(SUMMARY, Voice.SUMMARY)).current():
        assert SUMMARY[anchor.ref.start : anchor.ref.end] == anchor.text


def test_pending_tasks_are_open_and_resolved_ones_are_not() -> None:
    tasks = {t.description: t.status for t in distil(said(SUMMARY, Voice.SUMMARY)).knowledge.tasks}
    assert tasks == {
        "Add metrics to the worker": TaskStatus.NOT_STARTED,
        "Write the migration (blocked by the schema review)": TaskStatus.BLOCKED,
        "Rename the queue - RESOLVED": TaskStatus.COMPLETED,
    }


def test_files_and_situation_are_carried() -> None:
    done = distil(said(SUMMARY, Voice.SUMMARY))
    assert done.paths() == {"shop/importer.py": "created", "shop/old_queue.py": "deleted", "shop/settings.py": "modified"}
    now = done.knowledge.situation
    assert now.objective is not None
    assert now.objective.text == "Move the importer of the shop to the new queue"
    assert now.latest_request is not None
    assert now.latest_request.text == "now add the metrics"
    assert now.next_step is not None
    assert now.next_step.text == "Add the metrics module `shop/metrics.py`."


def test_the_analysis_before_the_summary_is_not_read() -> None:
    assert not any("analysis to count" in a.text for a in distil(said(SUMMARY, Voice.SUMMARY)).current())


def test_a_summary_of_what_was_already_folded_yields_nothing() -> None:
    talk = (person("Fix the cart total."), agent("Done."))
    assert distil(*talk, said(SUMMARY, Voice.SUMMARY)).changes == distil(*talk).changes


def test_the_persons_later_word_supersedes_what_was_carried() -> None:
    done = distil(said(SUMMARY, Voice.SUMMARY), person("Use Redis instead of Postgres after all."))
    assert "Use Postgres instead of Redis" not in done.texts(AnchorType.DECISION)
