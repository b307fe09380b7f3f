"""The agent's last thought is told with how it means to do what it announces, and without a lead that says nothing."""

from __future__ import annotations

from handoffs.directive.lines.last_words import _arrived

ENDS = "Let me add the check and call it in `open_till`."


def test_it_works() -> None:
    assert _arrived(f"Now I see! Let me look at the key parts:\n\n{ENDS}", 400) == ENDS


def test_how_it_is_done_stays() -> None:
    how = "I'll add a check that uses `ledger verify --day` before the till is opened."
    assert _arrived(f"{how}\n\n{ENDS}", 400) == f"{how}\n\n{ENDS}"
