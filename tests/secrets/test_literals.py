from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from continuity.secrets import finding
from continuity.secrets.literals import any_of


@given(st.sets(st.text(alphabet="ab.-", min_size=1, max_size=4), min_size=1, max_size=8), st.text(alphabet="ab.-", max_size=20))
def test_it_works(literals: set[str], text: str) -> None:
    assert bool(re.search(any_of(literals), text)) == any(literal in text for literal in literals)


def test_those_that_begin_alike_share_their_beginning() -> None:
    assert any_of(("pass", "pasta", "key", "passage")) == "(?:key|pas(?:s|ta))"


def test_every_literal_that_a_detector_needs_is_looked_for() -> None:
    literals = [each for groups in (finding.TRIGGERS, finding.LITERALS) for group in groups.values() for each in group]

    assert [each for each in literals if not finding.ANY.search(f"so {each.lower()} it is")] == []


def test_a_report_of_tests_that_passed_is_no_reason_to_look_for_passwords() -> None:
    assert not finding.ANY.search("12 passed, 3 failed, bypasses tested")
    assert finding.ANY.search("le mot de passe est")
