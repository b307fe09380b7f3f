"""Beside the agent's own note the record keeps to what only it can say."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.coverage.carried import Carried, KeptUnit, TermWeight
from continuity.knowledge.coverage.terms import terms_in
from continuity.knowledge.evidence import ChangedFile, CodeEdit, Keeping
from continuity.knowledge.model import (
    Anchor,
    AnchorType,
    CommandRun,
    FileAction,
    FileTouch,
    Quote,
    Ref,
    Request,
    RequestKind,
    Situation,
    Truth,
    Turn,
)
from handoffs.notes import form
from handoffs.notes.check import check, check_again
from tests.notes.test_lines import WHOLE, known, made, noted


def test_it_works() -> None:
    changed = (FileTouch("src/parser.py", FileAction.MODIFIED, 20, 20), FileTouch("src/lexer.py", FileAction.MODIFIED, 21, 21))
    raw = {**WHOLE, "files": ["src/parser.py: reads tabs now; tests are missing."]}
    text = made(noted(raw, known(files=changed))).text
    files = text.partition("## Files")[2].partition("## ")[0]
    assert "• src/parser.py: reads tabs now; tests are missing.\n" in files
    assert "Modified: src/lexer.py" in files and "parser.py (" not in files


def test_what_is_wanted_stands_with_what_is_so_now_while_that_holds() -> None:
    fresh = noted({**WHOLE, "request": ["Keep tabs, and only in the importer of bank statements."]})
    assert "only in the importer of bank" in made(fresh).text.partition("## Now")[2].partition("\n## ")[0]
    assert fresh.note is not None
    later = known(90, files=(FileTouch("src/parser.py", FileAction.MODIFIED, 70, 70),))
    text = made(replace(later, note=check_again(fresh.note, later))).text
    assert "only in the importer of bank" not in text.partition("## Now")[2].partition("\n## ")[0]
    assert "only in the importer of bank" in text


def test_beside_a_fresh_note_what_it_retells_is_left_out_and_what_binds_stays() -> None:
    anchors = (
        Anchor("k1", AnchorType.FACT, "The importer needs a lock on the queue of bank files.", Ref(20), 0.8, Truth.CLAIMED, "fact.told"),
        Anchor(
            "k2",
            AnchorType.CONSTRAINT,
            "Never write to the bank's own table.",
            Ref(21),
            1.0,
            Truth.STATED,
            "constraint.never",
            critical=True,
        ),
        Anchor(
            "k3",
            AnchorType.DECISION,
            "Use sqlite for the queue, not redis, since the bank forbids servers.",
            Ref(22),
            0.9,
            Truth.STATED,
            "decision.use",
        ),
    )
    raw = {**WHOLE, "decisions": ["sqlite for the queue, not redis, since the bank forbids servers."]}
    alone, beside = made(known(anchors=anchors)).text, made(noted(raw, known(anchors=anchors))).text
    assert "needs a lock" in alone and "needs a lock" not in beside
    assert "Never write to the bank's own table." in beside
    assert beside.count("not redis") == 1


def test_beside_a_fresh_note_last_words_and_thoughts_give_way() -> None:
    thought, closing = "The importer may lose the last row.", "The importer reads tabs now. Let me look at the failing test."
    row = Request(1, RequestKind.REQUEST, Quote("Keep tabs in the importer.", Ref(1)), 40, outcome=Quote(closing, Ref(40)))
    turn = Turn(1, row.text, Quote(closing, Ref(40)), thought=Quote(thought, Ref(39)))
    knowledge = replace(known(), requests=(row,), turns=(turn,))
    alone, beside = made(knowledge).text, made(noted(WHOLE, knowledge)).text
    assert thought in alone and thought not in beside
    announced = replace(row, outcome=Quote("Let me look at the failing test:", Ref(40)))
    said = made(noted(WHOLE, replace(knowledge, requests=(announced,), turns=()))).text
    assert "Let me look" not in said


def test_beside_a_note_nothing_is_filled_in_that_the_agent_said_before() -> None:
    said = "The refund_ledger of the exporter is written by job_17 each hour."
    units = (KeptUnit(said, 20, 0, 0, len(said)),)
    knowledge = known(carried=Carried(units, tuple(TermWeight(term, 2.0) for term in terms_in(said))))
    assert said in made(knowledge).text
    assert said not in made(noted(WHOLE, knowledge)).text
    assert said in made(noted({"next": ["Run the export."]}, knowledge)).text  # it does not tell how the work came here
    older = check(form.read(WHOLE), knowledge, through_seq=10)
    assert said in made(replace(knowledge, note=older)).text


def test_beside_a_fresh_note_nothing_of_the_record_says_the_same_once_more() -> None:
    plan = "Implement this plan.\n\n" + "## Step\n\nThe exporter must keep its invoices in one folder for each customer.\n" * 30
    row = Request(1, RequestKind.REQUEST, Quote(plan, Ref(1)), 40)
    torn = Anchor("k9", AnchorType.FACT, "One folder for each customer is what the exporter keeps.", Ref(1), 0.9, Truth.STATED, "fact.told")
    run = CommandRun("mise run test 2>&1 | tail -20", 42, 0, True)
    edit = CodeEdit("importer.py", 41, "+    rows = [row for row in rows if row.customer]")
    situation = Situation(branch="main", verification=run, checks=(run,), edits=(edit,), waiting=False)
    knowledge = replace(known(), requests=(row,), anchors=(torn,), situation=situation)
    raw = {**WHOLE, "now": ["The importer is written; `mise run test` passed."]}
    alone, beside = made(knowledge).text, made(noted(raw, knowledge)).text
    for words in ("One folder for each customer is what", "Last check: `mise run test", "Go on: it is your turn.", "rows = [row"):
        assert words in alone and words not in beside, words


def test_what_the_note_says_is_committed_is_not_told_as_uncommitted() -> None:
    changed = tuple(ChangedFile(path, Keeping.STAGED, 20) for path in ("src/hooks.go", "src/state.go"))
    knowledge = replace(known(), situation=Situation(branch="main", changed=changed))
    raw = {**WHOLE, "files": ["src/hooks.go: passes 0 to the reader. Committed.", "src/state.go: new field, not committed."]}
    text = made(noted(raw, knowledge)).text
    assert "- Not committed: src/state.go (staged)" in text


def test_what_is_named_alike_is_not_taken_for_what_the_note_tells() -> None:
    """Another file of the same name, and a branch whose name is part of a word."""
    files = tuple(FileTouch(path, FileAction.MODIFIED, 20, 20) for path in ("session/state.go", "strategy/state.go", "cli/setup.go"))
    raw = {**WHOLE, "now": ["The remaining tests are not written."], "files": ["session/state.go: new field.", "setup.go: reads it."]}
    text = made(noted(raw, known(files=files))).text
    assert "Modified: strategy/state.go" in text
    assert "Modified: session/state.go" not in text and "cli/setup.go" not in text
    assert "- Branch: main" in text
    beside = made(noted({**raw, "now": ["The work is on branch main."]}, known(files=files))).text
    assert "- Branch: main" not in beside


def test_a_file_below_a_hidden_folder_is_known_again() -> None:
    files = (FileTouch(".github/actions/sync/action.yml", FileAction.MODIFIED, 20, 20),)
    raw = {**WHOLE, "files": [".github/actions/sync/action.yml: pushes with a retry."]}
    assert "Modified: " not in made(noted(raw, known(files=files))).text
