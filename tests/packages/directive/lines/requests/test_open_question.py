"""What was found for a question that is not answered yet."""

from __future__ import annotations

from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from tests.knowledge.outcomes.test_searches import sought
from tests.knowledge.talk import CWD, agent, call, distil, person, result
from tests.packages.samples import prepared

ASKED = person("This should be main/v1 now: where is `old/branch` still referenced?")
MANY = "\n".join(("Found 8 files", *(f"{CWD}/cmd/f{n}.go" for n in range(6)), f"{CWD}/lib/a.go", f"{CWD}/lib/b.go"))
HITS = "/lib/b.go:12: // on old/branch\n".join((CWD, CWD)) + "/lib/c.go:3: // reads old/branch"


def told(*messages: Message | tuple[Message, ...], asked: Message = ASKED) -> str:
    return prepared(distil(asked, *messages).knowledge, budget=4000).text


def thought(words: str) -> Message:
    return Message(Role.ASSISTANT, (Part(PartKind.REASONING, Voice.AGENT, words),), "", cwd=CWD)


def edit(name: str, old: str) -> tuple[Message, Message]:
    return call("Edit", f"e{name}", file_path=f"{CWD}/{name}", old_string=old, new_string="// on main/v1"), result("ok", f"e{name}")


def test_it_works() -> None:
    text = told(agent("I look for it."), sought("old/branch", MANY, "cmd"))
    assert (
        "- Found for the question [m4]:\n"
        "  > old/branch in cmd: Found 8 files\n"
        "  > cmd/: f0.go, f1.go, f2.go, f3.go, f4.go, f5.go\n"
        "  > lib/: a.go, b.go\n"
    ) in text
    assert "Found by a search" not in text


def test_what_was_changed_since_is_named_apart() -> None:
    text = told(agent("I look for it."), sought("old/branch", MANY, "cmd"), edit("lib/a.go", "// on old/branch"))
    assert "  > lib/: b.go\n  > changed since: a.go\n" in text


def test_hits_that_were_replaced_since_are_not_told() -> None:
    text = told(agent("I look for it."), sought("old/branch", HITS), edit("lib/b.go", "// on old/branch"))
    assert "- Found for the question: “old/branch" in text or "- Found for the question [m4]:\n  > old/branch\n" in text
    assert "lib/c.go:3: // reads old/branch" in text
    assert "lib/b.go:12" not in text


def test_an_answered_question_or_another_search_is_not_told_so() -> None:
    answer = agent("It is referenced in eight files. Six of them are commands. Two of them are of the library.")
    assert "Found for the question" not in told(agent("I look."), sought("old/branch", MANY), edit("lib/a.go", "x"), answer)
    assert "Found for the question" not in told(agent("I look."), sought("otherName", "a.go:3: otherName"))


def test_many_hits_that_nobody_asked_about_are_told_by_their_number() -> None:
    assert "8 files / " not in told(agent("I look."), sought("another", MANY))


def test_searches_are_told_until_a_file_is_changed_and_no_more_than_two() -> None:
    looked = (agent("I look."), *(each for name in ("oneName", "twoName", "threeName") for each in sought(name, f"a.go:3: {name}")))
    assert told(*looked).count("Found by a search") == 2
    assert "Found by a search" not in told(*looked, edit("lib/other.go", "// x"))


def test_what_the_agent_weighed_about_it_is_told_as_thoughts() -> None:
    why = person("Why is the figure of changed lines in the list so high?")
    weighed = (
        thought("The figure of changed lines might be counted against an empty tree, since the parent is missing."),
        thought("Unless the shadow branch was reset, the parent of the commit is the one before it."),
    )
    asked = person("Couldn't the changed lines be counted against the parent commit of the shadow branch?")
    text = told(*weighed, agent("I took the figure out. All tests pass."), asked, asked=why)
    assert "- The agent’s thoughts on it, not confirmed [m3]:\n  > 1. The figure of changed lines might be counted" in text
    assert "thoughts on it" not in told(*weighed, agent("Done. All of it."), person("What is the weather like in Bonn today?"), asked=why)
