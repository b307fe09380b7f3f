"""What a person pasted beside a request, told with it."""

from __future__ import annotations

import pytest

from handoffs.contract.model import Style
from tests.knowledge.talk import agent, distil, person
from tests.packages.samples import prepared

LOG = "\n".join(
    (
        "--- FAIL: TestReverted (3.40s)",
        *(f"    hooks.go:{n}: captured state {n}" for n in range(200, 212)),
        "    final_test.go:808: Second commit should NOT have a trailer, got 7940d55",
        "FAIL",
    )
)


@pytest.mark.parametrize("style", list(Style))
def test_it_works(style: Style) -> None:
    known = distil(person("Fix the hooks."), agent("Done."), person(f"why does it fail?\n\n{LOG}")).knowledge
    text = prepared(known, style=style).text
    assert "Second commit should NOT have a trailer, got 7940d55" in text
