"""What a short yes agrees to, and which questions still stand beside the request."""

from __future__ import annotations

import pytest

from continuity.transcripts.base.model import Message
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.goal import ending
from tests.knowledge.talk import agent, call, distil, person, result
from tests.packages.samples import prepared

ASKED = person("Why do we export these names again in config.py?")
ANSWER = "They are left from an older layout, and nothing outside uses them. You can safely delete lines 18 to 25 of it."


def edited(name: str) -> tuple[Message, ...]:
    return call("Edit", name, file_path="/home/ada/shop/config.py", old_string=name, new_string="x"), result("ok", name)


def now(*messages: Message | tuple[Message, ...]) -> list[tuple[str, str]]:
    package = prepared(distil(*messages).knowledge, budget=4000).package
    return [(item.label, item.text) for part in package.sections if part.kind is SectionKind.NEXT for item in part.items]


@pytest.mark.parametrize("yes", ["Do it.", "Yes, do it", "go ahead"])
def test_it_works(yes: str) -> None:
    told = now(ASKED, agent(ANSWER), person(yes), *edited("e1"))
    agreed = [text for label, text in told if label.startswith("taken")]
    assert agreed == ["You can safely delete lines 18 to 25 of it."]


def test_a_proposal_within_the_work_stands_behind_the_request() -> None:
    labels = [label for label, _ in now(ASKED, agent(ANSWER), person("Do it."), *edited("e1"))]
    assert labels.index("goal") < labels.index("taken then") < min(labels.index(each) for each in ("further", "added") if each in labels)


@pytest.mark.parametrize("words", ["thanks", "ok", "Now rename the module, please", "continue"])
def test_other_words_agree_to_nothing(words: str) -> None:
    assert not [label for label, _ in now(ASKED, agent(ANSWER), person(words), *edited("e1")) if label.startswith("taken")]


def test_a_question_that_was_answered_is_no_longer_beside_the_request() -> None:
    work = person("Implement the shim for the status call in strategy/status.py, with tests for each kind of entry it may list.")
    asks = person("is the one that we have for the shadow files reusable?")
    said = agent("It is, in part: it parses the same format. It returns another type, so we still need the shim.\n\nShall I go on with it?")
    talk = (
        work,
        agent("Let me read it."),
        asks,
        said,
        person("yes, continue then"),
        *edited("e1"),
        person("could we put it in a package?"),
    )
    assert not [text for _, text in now(*talk, *edited("e2")) if "shadow files" in text]


def test_a_drawing_does_not_run_into_the_question_behind_it() -> None:
    said = "**Option 3:** Show the place\n```\nBranch   Text\n------   ----\nmain     (was x)\n```\nWhich would you prefer?"
    assert ending(said, 300) == "**Option 3:** Show the place Which would you prefer?"
    assert ending("```\n" + "a = 1  # as it is now\n" * 9 + f"```\n{said}", 180) == "**Option 3:** Show the place Which would you prefer?"


def test_what_was_asked_after_a_report_heads_what_is_so_now() -> None:
    talk = (
        *(person("I just merged main: why does the build fail?"), agent("Two types have moved. Let me mend the calls:"), *edited("e1")),
        person("can't we change those functions to take the new type instead?"),
        *edited("e2"),
        agent("Done: both functions take the new type now, the build passes, and so do the tests. You can complete the merge."),
        person("no, we should be using the strong types instead of strings wherever we can"),
        *(agent("Let me search for them:"), call("Grep", "g1", pattern="string"), result("a.go:1: string", "g1")),
    )
    told = now(*talk)
    assert [text[:22] for label, text in told if label in ("goal", "belongs to")] == ["no, we should be using", "I just merged main: wh"]
    assert not [label for label, _ in told if label in ("added", "further")]
