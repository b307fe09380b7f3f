"""What was found out before about what the request names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.model import Quote, Ref, RequestState, RequestStep
from handoffs.directive.past.findings import about_the_request
from tests.packages.directive.test_history import asked, known

NOW = asked(89, "Now do the same in stanza_test.go, please.")
FOUND = "Good. `stanza_test.go` also has the `containsLine` helper, but that is another file."


def found(words: str, *steps: RequestStep) -> list[str]:
    row = replace(asked(10, "Mend the tests of setup."), told=(Quote(words, Ref(12)),), steps=steps, last_seq=30)
    return [line.item.text for line in about_the_request(known(row, NOW))]


def test_it_works() -> None:
    assert found(FOUND) == ["“`stanza_test.go` also has the `containsLine` helper, but that is another file.”"]


@pytest.mark.parametrize(
    "words",
    [
        "Let me look at `stanza_test.go` and `containsLine` next.",
        "`other_test.go` also has the `containsLine` helper, but that is another file.",
        "Does `stanza_test.go` have the `containsLine` helper, or is it another file?",
        "The tests of `stanza_test.go` are hard to read as they stand.",
    ],
)
def test_what_finds_nothing_about_it_is_left_out(words: str) -> None:
    assert found(words) == []


def test_what_was_found_before_the_file_was_changed_is_left_out() -> None:
    assert found(FOUND, RequestStep("Take the helper out", 14, ("shop/stanza_test.go",))) == []


def test_a_fault_that_the_work_mended_is_left_out() -> None:
    fault = "`stanza_test.go` is right, but `containsLine` does not look at the last line."
    row = replace(asked(10, "Mend the tests of setup.", "Done."), told=(Quote(fault, Ref(12)),), last_seq=30)
    step = RequestStep("Look at the last line too", 14, ("shop/lines.go",))
    assert about_the_request(known(row, NOW))
    assert not about_the_request(known(replace(row, state=RequestState.DONE, steps=(step,)), NOW))
