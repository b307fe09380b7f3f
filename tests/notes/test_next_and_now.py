"""What a note says of the present and of what comes next, beside what the conversation tells."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.evidence import ChangedFile, Keeping
from continuity.knowledge.model import Anchor, AnchorType, FileAction, FileTouch, Quote, Ref, Request, RequestKind, Truth
from tests.notes.test_lines import known, made, noted

STEPS = {
    "now": ["The importer is written; nothing is committed."],
    "next": [f"Read {'the very long module of the importer and ' * 6}its tests.", "Run the importer."],
}


def test_it_works() -> None:
    """The first of the next actions is never left out before the others."""
    for budget in (150, 200, 300, 4000):
        text = made(noted(STEPS), budget=budget).text
        assert "very long module" in text or "Run the importer." not in text


@pytest.mark.parametrize(
    ("waiting", "step", "lead"),
    [
        (True, "Run the importer.", "Next, once the user has spoken: Run"),
        (True, "Get the user's answer, then run it.", "Next: Get"),
        (False, "Run the importer.", "Next: Run"),
    ],
)
def test_a_next_action_does_not_say_to_go_on_where_the_user_is_to_speak_first(waiting: bool, step: str, lead: str) -> None:
    situation = replace(known().situation, waiting=waiting)
    knowledge = noted({"now": ["The importer is written."], "next": [step]}, replace(known(), situation=situation))
    assert lead in made(knowledge).text


@pytest.mark.parametrize(
    ("now", "told"),
    [
        ("All my changes are uncommitted.", True),
        ("importer.py has the tabs now, not committed.", True),
        ("All tests pass; the README is uncommitted.", False),
        ("The importer is written.", False),
    ],
)
def test_what_the_agent_says_is_not_committed_is_not_told_once_more(now: str, told: bool) -> None:
    file = FileTouch("importer.py", FileAction.MODIFIED, 20, 20)
    base = known(files=(file,))
    changed = (ChangedFile("importer.py", Keeping.UNKNOWN, 20),)
    knowledge = replace(base, situation=replace(base.situation, changed=changed))
    text = made(noted({"now": [now], "next": ["Run it."]}, knowledge)).text
    assert ("ot committed, as no commit of it was seen: importer.py" in text) is not told


def test_questions_that_were_answered_are_not_told_beside_a_note_that_tells_how_the_work_came_here() -> None:
    rows = (
        Request(1, RequestKind.REQUEST, Quote("Keep tabs in the importer.", Ref(1)), 9, files=("importer.py",)),
        Request(10, RequestKind.QUESTION, Quote("Which archive do the sheets of last spring come from?", Ref(10)), 19),
        Request(
            20,
            RequestKind.CORRECTION,
            Quote("No, store the header of each sheet in a column of its own.", Ref(20)),
            29,
            files=("exporter.py",),
        ),
        Request(30, RequestKind.REQUEST, Quote("Now write the changelog.", Ref(30)), 50),
    )
    told = {
        "now": ["The importer keeps tabs."],
        "next": ["Write it."],
        "history": ["Wrote it.", "Asked about it.", "Went on.", "Then more."],
    }
    knowledge = replace(known(), requests=rows)
    assert "Which archive do the sheets" in made(knowledge).text
    text = made(noted(told, knowledge)).text
    assert "store the header of each sheet" in text
    assert "Which archive do the sheets" not in text


def test_a_rule_of_the_users_that_binds_is_not_told_again_in_the_notes_words() -> None:
    rule = Anchor("a1", AnchorType.CONSTRAINT, "keep each commit with working code please", Ref(5), 1.0, Truth.STATED, "", critical=True)
    knowledge = noted({"rules": ["User: “keep each commit with working code please”."]}, replace(known(), anchors=(rule,)))
    assert made(knowledge).text.count("keep each commit with working code") == 1


def test_the_next_action_stands_right_after_what_is_wanted() -> None:
    base = known(files=(FileTouch("importer.py", FileAction.MODIFIED, 20, 20),))
    knowledge = replace(base, situation=replace(base.situation, changed=(ChangedFile("importer.py", Keeping.UNCOMMITTED, 20),)))
    text = made(noted({"now": ["The importer is written."], "next": ["Run it.", "Tell the user."]}, knowledge)).text
    lines = ["The user asked: ", "• Next: Run it.", "• Next: Tell the user.", "• The importer is written.", "- Not committed: importer.py"]
    places = [text.index(line) for line in lines]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("request_", "told"),
    [('"Keep tabs in the importer."', False), ("Keep tabs in the importer, i.e. write its fixtures with them too.", True)],
)
def test_the_request_is_told_again_only_where_the_note_adds_to_it(request_: str, told: bool) -> None:
    text = made(noted({"request": [request_], "now": ["All is written."], "next": ["Run it."]})).text
    assert (f"• {request_}" in text) is told


def test_how_things_are_stands_under_its_own_heading_after_what_comes_next() -> None:
    now = [f"Part {number} of the importer is written and was not checked." for number in range(4)]
    text = made(noted({"now": now, "next": ["Run it."], "remaining": ["Tell the user."]})).text
    assert text.index("## Now") < text.index("• Next: Run it.") < text.index("## How it stands") < text.index("• Part 0")
    assert "## What is left\n• Tell the user." in text
    few = made(noted({"now": now[:1], "next": ["Run it."]})).text
    assert "## How it stands" not in few


def test_only_signs_that_stand_somewhere_are_explained() -> None:
    alone, beside = made(known()).text, made(noted(STEPS)).text
    assert "• are the agent’s own note" in beside and "the agent’s own note" not in alone
    assert "[a12?]" not in alone and "[a12!]" not in alone and "[a12] names a source" in alone
