"""A report that the agent framed is its words; code and output between fences are none."""

from __future__ import annotations

import pytest

from continuity.knowledge.requests.frames import READ, unframed
from tests.knowledge.talk import agent, distil, person

REPORT = (
    "REVIEW COMPLETE\n\n"
    "1. A1: The importer loses rows\n   importer.py:12 keeps no row that it could not read.\n"
    "2. A2: Nobody is told\n   The sender never learns how many rows were kept.\n\n"
    "The full report stands in review.md beside it."
)
FRAMED = f"---\n\n```\n━━━━━━━━━━\n{REPORT}\n━━━━━━━━━━\n```\n"


def test_it_works() -> None:
    told = unframed(FRAMED)
    assert told.strip() == REPORT
    assert len(told) == len(FRAMED) and told.index("A1") == FRAMED.index("A1")


def test_it_is_what_came_of_the_request() -> None:
    rows = distil(person("Please review the importer."), agent("Let me write the report."), agent(FRAMED)).knowledge.requests
    outcome = rows[-1].outcome
    assert outcome is not None and outcome.text == REPORT
    assert FRAMED[outcome.ref.start : outcome.ref.start + 6] == "REVIEW"


@pytest.mark.parametrize(
    "text",
    [
        f"Here it is:\n{FRAMED}",
        "```\n" + "\n".join(f"row_{n} = importer.read({n});" for n in range(9)) + "\n```",
        "```python\n# The importer reads all rows.\n# It keeps what it can not read.\n# The sender is told of them.\n```",
        "```\nok 1\nok 2\n```",
        f"{FRAMED}\n{FRAMED}",
        FRAMED + " " * READ,
        "```\nno end of it, whatever stands here",
        "",
    ],
)
def test_what_is_no_frame_around_a_report_stays(text: str) -> None:
    assert unframed(text) is text
