"""Sketches of documents: what they are about, point by point; nothing cut in the middle of its sense."""

from __future__ import annotations

from continuity.knowledge.extractors.outcomes.document_sketches import LINE, SIZE, document_sketch
from continuity.knowledge.extractors.outcomes.marked_lines import added
from handoffs.contract.model import Style
from handoffs.directive.directive import render
from tests.knowledge.outcomes.test_code_sketches import ASKED
from tests.knowledge.talk import call, distil, result
from tests.packages.samples import prepared

POSTPONED = (
    """---
title: "Review of the importer: put off (M1, L4)"
files:
  - importer.py
---

## Problem

Two things are left for later.

- **M1**: Names of rows are stored as they are.
- **L4**: Lists have no pages, so that long ones are slow. """
    + "More is said of it. " * 20
    + """

```
- not a point
```

## Solution

- M1: Store them under a key.
"""
)


def of(text: str) -> list[str]:
    return [line[1:] for line in document_sketch(added(text)).split("\n")]


def test_it_works() -> None:
    assert of(POSTPONED)[:3] == [
        "Review of the importer: put off (M1, L4)",
        "## Problem",
        "- **M1**: Names of rows are stored as they are.",
    ]
    assert of(POSTPONED)[-2:] == ["## Solution", "- M1: Store them under a key."]
    assert "- not a point" not in of(POSTPONED)


def test_it_is_told_as_what_was_changed() -> None:
    written = call("Write", "w", file_path="/home/ada/shop/todo/later.md", content=POSTPONED), result("written", "w")
    text = render(prepared(distil(ASKED, written).knowledge, budget=4000).package, Style.STRUCTURED)
    assert "  > later.md\n  > Review of the importer: put off (M1, L4)\n" in text


def test_a_point_is_told_in_whole_sentences() -> None:
    told = next(line for line in of(POSTPONED) if "L4" in line and line.startswith("-"))
    assert told.endswith(".") and len(told) <= LINE
    endless = "# A\n## B\n- " + "word " * 100
    assert of(endless) == ["# A", "## B"]


def test_a_long_document_is_told_by_its_headings() -> None:
    long = "".join(f"## Finding {n}\n\n- It is so in part {n} of the importer, and nobody saw it.\n" for n in range(90))
    told = of(long)
    assert told[0] == "## Finding 0" and told[-1] == "…" and not any(line.startswith("-") for line in told)
    assert len("\n".join(told)) <= SIZE


def test_a_few_words_have_none() -> None:
    assert document_sketch(added("# Notes\n\nNothing yet.\n")) == ""
    assert document_sketch([]) == ""
    assert document_sketch(["-# Old", "-- one", "-- two"]) == ""
