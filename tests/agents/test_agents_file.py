"""What `agents.yaml` can't say is told by line, and in a time that grows with the length of the file."""

from __future__ import annotations

import pytest

from continuity.events import agents_file
from continuity.events.agents_file import BadAgentsFile

HEAD = "agents:\n  - name: a\n    config:\n"
WRONG = {
    "an alias": ("      x: &a 1\n      y: *a\n", "line 5: names (&, *) are not read here"),
    "too deep": (f"      x: {'[' * 9}{']' * 9}\n", "line 4: nothing is nested deeper than 8 levels"),
    "too much": (f"      x: [{'a,' * 40_000}]\n", "line 4: there are more than 30,000 names and values"),
    "a number to the base of 60": (f"      x: {'1:' * 60_000}1\n", "line 4: a number in config has at most 100 characters"),
    "a number that no float holds": (f"      x: {'1:' * 200}1.5\n", "line 4: a number in config has at most 100 characters"),
}


def read(config: str) -> object:
    return agents_file.read(HEAD + config)["a"].said["config"]


def test_it_works() -> None:
    config = "      x: [2026-01-01, 1:30, 0x1f, ~, yes, 1.5, '7', hello]\n"
    assert read(config) == {"x": ["2026-01-01", 90, 31, None, True, 1.5, "7", "hello"]}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_told_by_its_line(case: str) -> None:
    config, told = WRONG[case]
    with pytest.raises(BadAgentsFile) as caught:
        read(config)
    assert str(caught.value).startswith(told)


def test_a_thousand_agents_with_all_their_fields_are_read() -> None:
    said = "role: r, expertise: [a, b, c], topics: ['t:*'], replay: none, strategy: alert, threshold: 1, timeout: 2, window: 3"
    one = f"  - {{name: a%d, {said}}}\n"
    assert len(agents_file.read("agents:\n" + "".join(one % number for number in range(1000)))) == 1000
