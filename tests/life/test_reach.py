"""Erasing reaches all that grew beside messages and packages: changes, receipts, segments, symbols, a model's words, figures."""

import pytest

from continuity.core.redaction import REDACTED, Redaction, walk
from continuity.extraction import Checked, ModelWindow, WindowLimits
from continuity.models import (
    Anchor,
    CompressedSegment,
    Conversation,
    FileTouch,
    FoldCheckpoint,
    FoldState,
    ModelPass,
    Segment,
    Task,
)
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from continuity.services.model import proposal_rows
from continuity.services.recording import conversations
from continuity.services.segments import segments
from diagnostics.models import Attempt, Series
from diagnostics.services import measurements
from handoffs.fidelity.staleness import Workspace
from handoffs.models import EditAction, Handoff, HandoffEdit, Receipt
from handoffs.services.chains import receipts, resumption
from handoffs.services.edits import package_edits
from handoffs.services.erasure import erasing
from handoffs.services.packages import preparation
from handoffs.services.packages.authors import Author
from tests.handoffs.story import story
from tests.life.everywhere import rows_holding, tables_holding
from tests.words import answered, called, resulted, said

NAME = "Marzipanov"
RULE = f"Never change the {NAME} export of the client."
PATH = f"/srv/app/{NAME}/export.py"
OWN = "Always write a changelog line for the importer."
KEPT = "Never restart the worker without asking me."


@pytest.fixture
def by(owner):
    return erasing.By(owner.email, owner)


def append(conversation, *messages):
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages)
    fold_runner.catch_up(conversation_id=conversation.id)
    conversation.refresh_from_db()


def prepare(conversation):
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=preparation.options_of())


def change(handoff, action, words, text=""):
    key = Anchor.objects.get(conversation=handoff.conversation, text=words).key
    package_edits.edit(team=handoff.team, handoff_id=handoff.id, action=action, author=Author(), key=key, text=text)
    handoff.refresh_from_db()


@pytest.fixture
def first(team):
    """Says the words, writes a file of that name with a symbol of that name, and is told in levels."""
    made = story(team)
    append(made, said(RULE), called("Write", {"file_path": PATH, "content": f"def {NAME}():\n    pass\n"}, call_id="w1"))
    append(made, resulted(f"File created successfully at: {PATH}", call_id="w1"))
    edit = {"file_path": PATH, "old_string": f"def {NAME}():", "new_string": f"def {NAME}(x):"}
    append(made, called("Edit", edit, call_id="w2"), resulted(f"The file {PATH} has been updated.", call_id="w2"))
    append(made, *[answered(f"Step {number} of the export is done; nothing else was changed.") for number in range(24)])
    append(made, called("Read", {"file_path": PATH}, call_id="w3"), resulted("x = 1", call_id="w3"))
    segments.summarise_pending(conversation_id=made.id)
    Segment.objects.filter(conversation=made, closed=True).update(topic=f"{NAME} export")
    return made


@pytest.fixture
def second(first):
    """Goes on from the first one's package, sends a receipt and notes its work place, and has a package that was changed by hand."""
    handoff = prepare(first)
    receipts.note_workspace(team=first.team, handoff_id=handoff.id, workspace=Workspace("ab12cd34", {f"{NAME}/export.py": "1"}))
    heir = resumption.resume(team=first.team, handoff_id=handoff.id).conversation
    append(heir, said(f"{handoff.text}\nGo on."), said(OWN), said(KEPT), answered("I will keep to that."))
    found = Workspace("ab12cd34", {f"{NAME}/export.py": "2"})
    receipts.give(team=first.team, handoff_id=handoff.id, author=Author(), acknowledged=["a1"], workspace=found)
    # What only a bug could put there is reached all the same.
    Receipt.objects.update(acknowledged=["a1", NAME])
    CompressedSegment.objects.update(markers=[{"start": 0, "words": NAME}])
    package = prepare(heir)
    receipts.note_workspace(team=first.team, handoff_id=package.id, workspace=found)
    package.refresh_from_db()
    change(package, EditAction.EDIT, RULE, "Never touch that export.")
    change(package, EditAction.EDIT, OWN, RULE)
    change(package, EditAction.EDIT, KEPT, f"{KEPT} Also at night.")
    ModelPass.objects.create(conversation=heir, team=heir.team, first_seq=1, last_seq=1, summary=f"They spoke of {NAME}.")
    of_model = {"conversation": heir, "team": heir.team, "method": "model", "importance": 0.9, "found_seq": 1, "source_seq": 1}
    Anchor.objects.create(**of_model, key="m1", type="Fact", text=f"There is a {NAME} export.", truth="stated")
    Task.objects.create(
        conversation=heir, team=heir.team, method="model", key="m2", description=f"Look at {NAME}", status=1, first_seq=1, last_seq=1
    )
    return heir


def finish(erasure):
    jobs.run(job_id=erasure.job_id)
    for each in Conversation.objects.all():
        fold_runner.catch_up(conversation_id=each.id)
        segments.summarise_pending(conversation_id=each.id)
    erasure.refresh_from_db()
    assert erasure.completed_at is not None


def erase(conversation, by, whole):
    of = {"team": conversation.team, "conversation_id": conversation.id, "by": by}
    return erasing.erase_conversation(**of) if whole else erasing.erase_words(words=NAME, **of)


def held(name):
    return tables_holding(name) | tables_holding(name.lower())


PLACES = [
    (HandoffEdit, "before"),
    (HandoffEdit, "after"),
    (Handoff, "references"),
    (Handoff, "workspace"),
    (Receipt, "workspace"),
    (Receipt, "acknowledged"),
    (CompressedSegment, "markers"),
    (ModelPass, "summary"),
    (Anchor, "text"),
    (Task, "description"),
    (CompressedSegment, "content"),
    (FileTouch, "path"),
    (FileTouch, "symbols"),
    (FoldState, "state"),
    (FoldCheckpoint, "state"),
    (FoldState, "segment"),
    (Segment, "topic"),
]
each_way = pytest.mark.parametrize("whole", [True, False], ids=["conversation", "words"])


@each_way
def test_it_works(first, second, by, whole):
    for model, column in PLACES:
        assert rows_holding(model, column, NAME), f"the test puts nothing into {model.__name__}.{column}"
    erasure = erase(first, by, whole)
    assert held(NAME) == set()
    finish(erasure)
    assert held(NAME) == set()


@each_way
def test_other_changes_of_a_package_stay_and_references_keep_their_meaning(first, second, by, whole):
    before = Handoff.objects.get(conversation=second)
    finish(erase(first, by, whole))
    after = Handoff.objects.get(conversation=second)
    assert f"{KEPT} Also at night." in after.text
    assert f"{KEPT} Also at night." in {edit.after.get("text") for edit in HandoffEdit.objects.filter(handoff=after)}
    known = {reference: key for reference, key in before.references.items() if reference[0] in "at"}
    assert known.items() <= after.references.items()
    assert after.workspace["head_commit"] == "ab12cd34"


def test_levels_are_told_again(first, second, by):
    finish(erase(first, by, whole=False))
    told = CompressedSegment.objects.filter(segment__conversation=first)
    assert told.exists()
    assert not Segment.objects.filter(conversation=first, closed=True, told_at=None).exists()


def test_what_a_model_was_shown_before_is_not_stored_after(first, by, settings):
    window = ModelWindow(1, first.last_seq)
    erase(first, by, whole=False)
    assert proposal_rows.store(conversation=first, window=window, checked=Checked(), limits=WindowLimits()) is None
    assert not ModelPass.objects.exists()


def test_figures_hold_ids_and_numbers_and_stay(first, second, by):
    measurements.catch_up()
    counted = list(Attempt.objects.order_by("id").values()), list(Series.objects.order_by("id").values())
    assert all(counted)
    erase(first, by, whole=True)
    assert (list(Attempt.objects.order_by("id").values()), list(Series.objects.order_by("id").values())) == counted


def test_keys_that_are_text_go_and_names_of_fields_stay():
    value = {"files": {f"{NAME}/a.py": "1"}, "file_path": NAME}
    assert walk(value, Redaction(NAME).in_copies) == {"files": {f"{REDACTED * len(NAME)}/a.py": "1"}, "file_path": REDACTED * len(NAME)}
