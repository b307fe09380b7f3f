"""Code that was read as lines of a directive: what the latest words name."""

from __future__ import annotations

from continuity.transcripts.base.model import Message
from handoffs.budgeting.limits import limits_for
from handoffs.building.note_overlap import RETOLD
from handoffs.contract.model import SectionKind
from handoffs.directive.past.read_code import excerpt_candidates
from tests.knowledge.outcomes.test_code_excerpts import ASKED, SOURCE, shown
from tests.knowledge.talk import CWD, agent, call, distil, person, result
from tests.packages.samples import prepared

LOOK = agent("Let me look at discardSession.")
TOLD = "- Code that was read [m4]:\n  > fix.go:283\n  > // discardSession removes a session and cleans up its branch.\n"


def told(*messages: Message | tuple[Message, ...]) -> str:
    return prepared(distil(ASKED, *messages).knowledge, budget=4000).text


def test_it_works() -> None:
    assert TOLD in told(LOOK, shown("fix.go", SOURCE))
    assert "Code that was read" not in told(agent("Let me look."), shown("fix.go", SOURCE)), "nothing names it"


def test_what_is_named_last_comes_first_and_no_more_than_three() -> None:
    names = ("first_one", "other_one", "third_one", "fourth_one")
    looks = [shown(f"{name}.py", f"def {name}():\n    return 1\n\n\nx = 1", f"r{name}") for name in names]
    text = told(*looks, agent("It is in first_one, other_one, third_one or fourth_one?"), person("Look at other_one and fourth_one first."))
    assert [name for name in names if f"> def {name}():" in text] == ["other_one", "fourth_one"]


def test_a_request_that_names_a_function_is_told_with_it() -> None:
    assert "> func discardSession(s session) error {" in told(
        shown("fix.go", SOURCE), agent("Done."), person("What does discardSession do?")
    )


def test_what_is_edited_or_deleted_since_is_not_told_as_read() -> None:
    edit = call("Edit", "e1", file_path=f"{CWD}/fix.go", old_string="\treturn deleteBranch(s.branch)", new_string="\treturn nil")
    assert "Code that was read" not in told(LOOK, shown("fix.go", SOURCE), edit, result("ok", "e1"))
    gone = (call("Bash", "b1", command="rm fix.go"), result("", "b1"))
    assert "Code that was read" not in told(LOOK, shown("fix.go", SOURCE), gone)


def test_code_of_a_file_that_was_changed_since_is_not_told() -> None:
    edit = call("Edit", "e1", file_path=f"{CWD}/fix.go", old_string="var count int", new_string="var count = 3")
    looked, changed = (LOOK, shown("fix.go", SOURCE)), (edit, result("ok", "e1"))
    assert "Code that was read" in told(*looked, agent("Now discardSession."))
    assert "Code that was read" not in told(*looked, *changed, agent("Now discardSession."))


def test_a_small_directive_has_no_room_for_it() -> None:
    known = distil(ASKED, LOOK, *shown("fix.go", SOURCE)).knowledge
    assert [len(excerpt_candidates(known, limits_for(budget))) for budget in (2000, 4000)] == [0, 1]


def test_the_agents_note_tells_it_better() -> None:
    assert "excerpt" in RETOLD[SectionKind.LAST]


LONG = "\n".join(
    ("func latestId(e env) string {", *(f"\tstep{n}(e)" for n in range(30)), '\te.T.Fatalf("no id found")', '\treturn ""', "}", "var x = 1")
)


def test_a_long_definition_is_told_around_what_the_last_words_name() -> None:
    named = told(shown("env.go", LONG), agent("latestId calls t.Fatalf when it finds none. Let me write one that does not:"))
    assert "> func latestId(e env) string {\n  > …\n" in named and '  e.T.Fatalf("no id found")\n' in named and "step0(e)" not in named
    begun = told(shown("env.go", LONG), agent("Let me look at latestId."))
    assert "step0(e)" in begun and "no id found" not in begun


def test_code_of_a_question_that_is_over_is_not_told() -> None:
    asked = (LOOK, shown("fix.go", SOURCE), agent("discardSession removes it."), person("Now review the whole change with a sub-agent."))
    assert "Code that was read" not in told(*asked, agent("Let me see which commits it has."))
    assert "Code that was read" in told(*asked, agent("Let me see who calls discardSession."))


def test_an_excerpt_begins_and_ends_with_a_statement() -> None:
    body = [
        "\tif a {",
        "\t\tb()",
        "\t}",
        "",
        "\tsecretName := take(e)",
        *(f"\tstep{n}(e)" for n in range(12)),
        "\tif longName > 12 {",
        "\t\tc()",
    ]
    code = "\n".join(("func latestId(e env) string {", *(f"\tfirst{n}(e)" for n in range(20)), *body, "\t}", "}", "var x = 1"))
    text = told(shown("env.go", code), agent("latestId takes secretName and has a step11."))
    assert "secretName := take(e)" in text and "  > …\n  >   }\n" not in text and "longName > 12 {\n  > …" not in text
