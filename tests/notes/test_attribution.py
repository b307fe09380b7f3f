"""What a note says that a person agreed to, and what is done, held against what was offered and what is open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.handoff_note import NoteVerdict
from continuity.knowledge.model import Quote, Ref, Turn
from tests.notes.test_check import EDITED, KNOWN, verdict

OFFER = (
    "The agents' logs are kept already, so the third option is easy. The hook counts the tokens of the main transcript. "
    "It finds the helpers by their ids and adds their transcripts. The sums go into metadata.json. Want me to implement this?"
)
OFFERED = replace(
    KNOWN,
    turns=(Turn(1, Quote("Can we count tokens?", Ref(1)), Quote(OFFER, Ref(2))), Turn(4, Quote("yes, please do", Ref(4)), None)),
)


def test_it_works() -> None:
    """Who tells what was agreed to takes the words from several sentences of the offer."""
    said = (
        'The user agreed ("yes, please do") to count tokens in the hook: main transcript and helpers by their ids, sums in metadata.json.'
    )
    assert verdict("request", said, OFFERED)[0] is not NoteVerdict.CONTRADICTED


@pytest.mark.parametrize(
    "text",
    [
        "The user agreed to count tokens in the hook and to push the main transcript of the helpers to production.",
        "The user agreed to send the invoices of all customers to a mail service each night.",
    ],
)
def test_what_was_not_offered_or_is_grave_is_not_agreed_to(text: str) -> None:
    assert verdict("request", text, OFFERED)[0] is NoteVerdict.CONTRADICTED


@pytest.mark.parametrize(
    ("text", "refuted"),
    [
        ("Task 1 (write the importer documentation) is in progress; the file is half written. Tasks 2 and 3 are marked completed.", False),
        ("Task 1 is open. The importer documentation is completed.", True),
    ],
)
def test_one_sentence_of_finished_work_says_nothing_of_what_another_one_names(text: str, refuted: bool) -> None:
    assert (verdict("now", text)[0] is NoteVerdict.CONTRADICTED) is refuted


@pytest.mark.parametrize(
    ("part", "text", "refuted"),
    [
        ("now", "Done earlier, with tests passing: the tabs of the parser.", False),
        ("now", "The parser tests passed (`pytest tests/parser`); lint passed before the edit of tokens.py.", False),
        ("now", "The tests are passing.", True),
        ("now", "The action finds trailers in the merged commits of the parser.", False),
        ("now", "The parser is merged.", True),
    ],
)
def test_what_was_so_earlier_or_is_only_named_is_no_claim_of_now(part: str, text: str, refuted: bool) -> None:
    known = replace(EDITED, situation=replace(EDITED.situation, commits=()))
    assert (verdict(part, text, known)[0] is NoteVerdict.CONTRADICTED) is refuted


@pytest.mark.parametrize(
    ("text", "refuted"),
    [
        ('"Do not push to the main branch without asking" (said when the upload of the sheets was refused).', False),
        ('"Do not push to the main branch without asking" (and deploy the sheets of all customers to production).', True),
    ],
)
def test_when_a_rule_was_said_is_no_part_of_it(text: str, refuted: bool) -> None:
    assert (verdict("rules", text)[0] is NoteVerdict.CONTRADICTED) is refuted
