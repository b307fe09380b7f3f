"""Drafts by rules: at most three a session, each sentence with its message, no subject twice."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from continuity.knowledge.model import (
    Anchor,
    AnchorState,
    AnchorType,
    FileAction,
    FileTouch,
    Quote,
    Ref,
    Request,
    RequestKind,
    RequestStep,
    Truth,
)
from handoffs.capture import CapturePolicy, DraftKind, SessionEvidence, TakenSubject, Trigger, drafts, subject_of

NOW = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)


def failed(number, text="Caching the parser in a global broke the tests.", **other):
    fields = {"type": AnchorType.FAILED_APPROACH, "truth": Truth.CLAIMED, **other}
    return Anchor(f"k{number}", text=text, ref=Ref(number), importance=0.9, method="rule", **fields)


def found(policy=None, **evidence):
    return drafts(SessionEvidence(**evidence), policy or CapturePolicy(), now=NOW)


def worked(steps=(), **fields):
    return Request(5, RequestKind.REQUEST, Quote("Please mend the header parser now", Ref(5)), 20, steps=steps, **fields)


def test_it_works():
    touched = FileTouch("src/parser.py", FileAction.MODIFIED, 8, 8)
    (draft,) = found(anchors=[failed(7)], files=[touched])
    assert (draft.kind, draft.trigger) == (DraftKind.LANDMINE, Trigger.DIRECTION)
    assert [(each.text, each.seq) for each in draft.sentences] == [("Caching the parser in a global broke the tests.", 7)]
    assert draft.files == ("src/parser.py",)


def test_at_most_three_a_session_the_latest_first():
    made = found(anchors=[failed(number, f"Way number {number} broke the build.") for number in range(9)])
    assert [draft.sentences[0].seq for draft in made] == [8, 7, 6]
    taken = [TakenSubject(draft.subject, NOW - timedelta(days=9)) for draft in made[:2]]
    again = drafts(
        SessionEvidence([failed(number, f"Way number {number} broke the build.") for number in range(9)]),
        CapturePolicy(),
        taken=taken,
        now=NOW,
    )
    assert [draft.sentences[0].seq for draft in again] == [6]


def test_a_subject_of_another_session_waits_for_the_window():
    for minutes, number in ((29, 0), (31, 1)):
        taken = [TakenSubject(subject_of(failed(7)), NOW - timedelta(minutes=minutes), ours=False)]
        assert len(drafts(SessionEvidence([failed(7)]), CapturePolicy(), taken=taken, now=NOW)) == number


def test_the_day_has_its_cap():
    assert len(drafts(SessionEvidence([failed(7)]), CapturePolicy(of_day=5), today=5, now=NOW)) == 0


def test_a_correction_counts_when_a_person_said_it():
    said = failed(7, "No, the header ends at the empty line.", type=AnchorType.CORRECTION, truth=Truth.STATED)
    assert len(found(anchors=[said])) == 1
    assert found(anchors=[replace(said, truth=Truth.CLAIMED)]) == ()
    assert found(anchors=[replace(said, text="No, wrong.")]) == ()


def test_a_decision_that_replaced_another_becomes_a_record():
    new = Anchor(
        "n", AnchorType.DECISION, "We use Postgres for the store.", Ref(9), 0.9, Truth.STATED, "rule", rationale="It has transactions."
    )
    old = replace(
        new, key="o", text="We use SQLite for the store.", ref=Ref(2), state=AnchorState.SUPERSEDED, superseded_by="n", settled_seq=9
    )
    (draft,) = found(anchors=[new], superseded=[old])
    assert draft.kind is DraftKind.ADR
    assert [(each.text, each.seq) for each in draft.sentences] == [
        ("We use Postgres for the store.", 9),
        ("It has transactions.", 9),
        ("We use SQLite for the store.", 2),
    ]


def test_checks_that_pass_again_tell_why_they_failed():
    steps = (
        RequestStep("Run the tests", 6, check="`pytest` failed", cause="parser.py:3: the header was cut"),
        RequestStep("Keep the last line of the header", 9, files=("src/parser.py",), check="`pytest` passed"),
    )
    (draft,) = found(requests=[worked(steps)])
    assert draft.trigger is Trigger.TESTS
    assert [each.seq for each in draft.sentences] == [6, 9]
    assert found(requests=[worked(steps[:1])]) == found(requests=[worked(steps[::-1])]) == ()


def test_a_boundary_and_a_large_commit_tell_what_was_asked():
    outcome = Quote("The header parser keeps all its lines.", Ref(19))
    request = worked(files=("src/api/forms.py",), commits=("Keep lines",), outcome=outcome)
    touched = [FileTouch("src/api/forms.py", FileAction.MODIFIED, 8, 8)]
    (draft,) = found(CapturePolicy(boundaries=("src/api/*",)), requests=[request], files=touched)
    assert draft.trigger is Trigger.BOUNDARY
    assert found(CapturePolicy(boundaries=("lib/*",)), requests=[request], files=touched) == ()
    assert found(requests=[request], diff_lines=199) == ()
    assert found(requests=[request], diff_lines=200)[0].trigger is Trigger.DIFF
