"""The raw evidence: read in parts it is the same, it is bounded, and hostile text costs no more than other text."""

from __future__ import annotations

import json
import time

import pytest

from handoffs.fidelity.agreement import RawEvidence, claimed_lines, disagreements
from handoffs.fidelity.probes.timeline import Timeline
from tests.fidelity.test_agreement import EXPORT, SESSION, course_of, ran
from tests.words import answered, called, resulted, said


def test_it_works() -> None:
    course = course_of(SESSION)

    assert [(turn.seq, turn.edits, turn.commits) for turn in course.turns] == [(1, 1, 1), (9, 0, 0)]
    assert [commit.words for commit in course.commits.values()] == ["1a2b3c4 Stop the flicker"]
    assert list(course.edited) == ["/srv/login.py"]
    assert course.last == "call"


@pytest.mark.parametrize("cut", range(len(SESSION) + 1))
def test_reading_in_two_sittings_is_reading_at_once(cut: int) -> None:
    course = Timeline.from_json(json.loads(json.dumps(course_of(SESSION[:cut]).to_json())))
    for seq, message in enumerate(SESSION[cut:], cut + 1):
        course.read(seq, message)

    assert course.to_json() == course_of(SESSION).to_json()


def test_reading_on_leaves_the_course_before_as_it_was() -> None:
    before = course_of(SESSION)
    kept = before.to_json()
    twin = before.copy()
    twin.read(99, said("Now something else altogether, please."))

    assert before.to_json() == kept != twin.to_json()


def test_it_is_bounded_however_long_the_conversation() -> None:
    def size(count: int) -> int:
        messages = []
        for n in range(count):
            messages += [said(f"Please change the module part_{n} of service_{n} now."), answered(f"It turns out that part_{n} is fine.")]
            messages += [called("Write", {"file_path": f"/srv/part_{n}.py", "content": "x"}, call_id=f"w{n}")]
            messages += ran(f"tool{n} check part_{n}", f"r{n}", passed=False)
        return len(json.dumps(course_of(messages).to_json()))

    assert size(900) <= size(400) * 1.05 < 160 * 1024


def test_records_and_interruptions_are_nobodys_words() -> None:
    course = course_of([said(EXPORT), said('{"task_id": "b1", "status": "completed"}'), said("[Request interrupted by user]")])

    assert [turn.seq for turn in course.turns] == [1]
    assert course.turns[0].stopped


def test_an_edit_that_was_refused_was_not_made() -> None:
    call = called("Edit", {"file_path": "/srv/a.py", "new_string": "x"}, call_id="e")
    refused = resulted("The user doesn't want to proceed with this tool use.", call_id="e", failed=True)

    assert course_of([said(EXPORT), call]).latest_edit is None
    assert course_of([said(EXPORT), call, refused]).edited == {}
    made = course_of([said(EXPORT), call, resulted("ok", call_id="e")]).latest_edit
    assert made is not None and made.words == "/srv/a.py"


def test_points_of_a_tracker_are_done_by_their_number() -> None:
    course = course_of(
        [
            said(EXPORT),
            called("TaskCreate", {"subject": "Write the worker", "description": "all of it"}, call_id="t"),
            resulted("Task #7 created successfully", call_id="t"),
            called("TaskUpdate", {"taskId": "7", "status": "completed"}, call_id="u"),
        ]
    )

    assert [(point.words, point.good) for point in course.items.values()] == [("Write the worker", True)]


@pytest.mark.parametrize("piece", ["a ", "(", "git ", "-m ", "let me now ", "tests ", "never ", "expected ", "[", "`", '"', "no, ", "E: "])
def test_hostile_text_is_linear(piece: str) -> None:
    def seconds(count: int) -> float:
        text = piece * count
        begun = time.process_time()
        course = course_of(
            [said(text), answered(text), called("Bash", {"command": text}, call_id="c"), *ran(text[:4000], "r", printed=text)]
        )
        lines = claimed_lines(
            f"## Request in work\n- The user asked: “{text[:6000]}”\n## Facts\n- {text}\n## Rules and preferences\n- {text}\n"
        )
        disagreements(lines, RawEvidence(course))
        return time.process_time() - begun

    seconds(1000)
    assert seconds(160_000) < 20 * seconds(10_000) + 0.2
