"""An heir starts from its predecessor's fold, with the places of the predecessor's words before its own beginning."""

from continuity.knowledge import FoldState, InMemoryStore, fold, situation
from continuity.knowledge.inheritance import inherited
from continuity.knowledge.model import AnchorFound, TaskChanged
from tests.words import answered, called, said


def folded(*messages):
    return fold(FoldState(), enumerate(messages, start=1))


def test_it_works():
    before = folded(said("Never touch the migrations."), answered("Understood. Which table should I start with?"))
    heir = inherited(before.state)
    assert heir.through_seq == heir.messages == 0
    ours, theirs = situation(heir).objective, situation(before.state).objective
    assert ours and theirs
    assert ours.text == theirs.text
    assert ours.ref.seq == -1
    assert situation(heir).waiting is True


def test_the_predecessor_is_left_as_it_was():
    before = folded(said("Never touch the migrations."), answered("Which table?")).state
    raw = before.to_json()
    inherited(before)
    assert before.to_json() == raw


def test_the_heirs_words_supersede_inherited_ones():
    before = folded(said("Let's use Redis for the job queue."))
    after = fold(inherited(before.state), [(1, said("Actually, let's use Postgres for the job queue instead of Redis."))])
    memory = InMemoryStore()
    memory.apply(before.changes)
    memory.apply(after.changes)
    states = {anchor.text: anchor.state.value for anchor in memory.anchors.values()}
    assert states["Let's use Redis for the job queue."] == "superseded"


def test_a_question_of_the_predecessor_is_answered_in_the_heir():
    before = folded(said("Build the importer."), answered("Should the importer stream the file, or read it whole?"))
    after = fold(inherited(before.state), [(1, said("It should stream the file."))])
    memory = InMemoryStore()
    memory.apply(before.changes)
    memory.apply(after.changes)
    questions = [anchor for anchor in memory.anchors.values() if anchor.type == "UnresolvedQuestion"]
    assert questions
    assert all(anchor.state == "resolved" for anchor in questions)


def test_a_call_without_a_result_stays_behind():
    before = folded(said("Run it."), called("Bash", {"command": "make"}, call_id="c1"))
    assert len(before.state.pending)
    assert not len(inherited(before.state).pending)


def test_places_move_back_with_every_hop():
    state = folded(said("Build the importer for the billing team."), answered("Done. What next?")).state
    for expected in (-1, -2, -3):
        heir = inherited(state)
        objective = situation(heir).objective
        assert objective
        assert objective.ref.seq == expected
        state = fold(heir, [(1, answered("Still here."))]).state


def test_the_state_survives_json():
    heir = inherited(folded(said("Never touch the migrations."), answered("Fine. Which table?")).state)
    assert FoldState.from_json(heir.to_json()) == heir


def test_the_heirs_words_never_take_the_row_of_inherited_ones_said_at_the_same_place():
    before = folded(said("Never touch the migrations."))
    heir = inherited(before.state)
    after = fold(heir, [(1, said("Never log the customer's address."))])
    memory = InMemoryStore()
    memory.apply(before.changes)
    memory.apply(after.changes)
    rules = {anchor.text for anchor in memory.anchors.values() if anchor.type == "Constraint"}
    assert rules == {"Never touch the migrations.", "Never log the customer's address."}
    assert inherited(after.state).generation == 2


def test_a_request_of_the_heir_is_a_task_of_its_own():
    before = folded(said("Please write the importer for the billing team."))
    after = fold(inherited(before.state), [(1, said("Please write the exporter for the billing team."))])
    tasks = [change.task for change in (*before.changes, *after.changes) if hasattr(change, "task")]
    assert len({task.key for task in tasks if "importer" in task.description}) == 1
    assert {t.key for t in tasks if "importer" in t.description}.isdisjoint({t.key for t in tasks if "exporter" in t.description})


def test_what_the_heir_hears_at_the_same_place_is_another_thing():
    """Every conversation numbers its messages from 1: the first words of each of a chain must not pass for the same anchor."""
    words = ["Never drop the invoices table.", "Never touch the archive folder.", "Never rename the tenants."]
    state = FoldState()
    keys: list[str] = []
    tasks: list[str] = []
    for said_first in words:
        folded_here = fold(inherited(state) if keys else state, [(1, said(said_first)), (2, said("Please write the importer now."))])
        keys += [
            change.anchor.key for change in folded_here.changes if isinstance(change, AnchorFound) and change.anchor.text == said_first
        ]
        tasks += [change.task.key for change in folded_here.changes if isinstance(change, TaskChanged)]
        state = folded_here.state
    assert len(set(keys)) == len(words)
    assert len(set(tasks)) >= len(words)
