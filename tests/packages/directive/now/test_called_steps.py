"""The steps of a called skill, and the list of what comes next."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.directive_parser.grammar import CONTINUE, SectionKind
from continuity.knowledge.directive_parser.lines import read_lines
from continuity.knowledge.evidence import ChangedFile, Keeping
from continuity.knowledge.handoff_note import CheckedNote
from continuity.knowledge.model import CommandRun, Quote, Ref
from continuity.transcripts.base.model import Message
from handoffs.budgeting.limits import limits_for
from handoffs.directive.lines.coming.called_steps import called_candidates, never_tried
from handoffs.directive.lines.coming.to_do import nothing_open
from tests.knowledge.extractors.test_called_instructions import BASE, FETCH, PLAN, command
from tests.knowledge.requests.test_ordered_steps import SKILL
from tests.knowledge.talk import agent, call, distil, harness, person, ran
from tests.packages.samples import prepared

TALK = (command("/pr-review"), harness(BASE + SKILL), agent("Let me fetch them."), *ran(FETCH))


def text_of(*messages: Message | tuple[Message, ...]) -> str:
    return prepared(distil(*messages).knowledge, budget=4000).text


def test_it_works() -> None:
    text = text_of(*TALK, call("Edit", "e1", file_path="/home/ada/shop/cart.py", old_string="a = 1", new_string="a = 2"))
    coming = text.partition("## Next\n")[2].partition("\n\n")[0]
    assert coming.startswith("1. No result was seen, so find out whether it was done: `Edit cart.py`")
    assert "2. The steps of the command from here on [m2]:\n" in coming
    assert "  > 2. Commit and push: run the tests; commit the fixes\n  > 3. Reply: After all threads, ask the user" in coming
    assert "Fetch the threads" not in text, "a call matched it"
    assert CONTINUE not in text


def test_it_is_read_again_and_goes_on() -> None:
    read = read_lines(text := text_of(*TALK), 0, len(text))
    assert [entry.kind for entry in read if entry.label == "instructed"] == [SectionKind.NEXT]
    after = distil(person(text)).knowledge
    assert after.situation.waiting is False
    assert after.situation.called is not None
    assert [step.number for step in after.situation.called.steps] == [2, 3]
    later = distil(person(text), *ran("git push")).knowledge.situation.called
    assert later is not None and later.begun == 1


def test_beside_a_note_and_where_the_user_is_waited_for_it_is_left_out() -> None:
    known = distil(*TALK).knowledge
    assert called_candidates(known, limits_for(4000))
    assert not called_candidates(known, limits_for(400))
    assert not called_candidates(replace(known, note=CheckedNote((), 3)), limits_for(4000))
    assert not called_candidates(replace(known, situation=replace(known.situation, waiting=True)), limits_for(4000))


def test_of_many_steps_the_last_ones_are_told_shortly() -> None:
    long = "Follow these steps:\n" + "".join(f"{n}. Do thing {n}\n   {'with care and ' * 14}patience\n" for n in range(1, 11))
    (line,) = called_candidates(distil(command("/long"), harness(long)).knowledge, limits_for(8000))
    assert len(line.item.text) <= 1500
    assert "1. Do thing 1: with care" in line.item.text and line.item.text.endswith("10. Do thing 10")
    assert all(len(each) < len(line.item.text) for each in line.shorter)


def test_what_a_plan_asks_to_be_tried_and_nobody_ran_is_told() -> None:
    def tried(*more: Message | tuple[Message, ...]) -> list[tuple[SectionKind, str]]:
        return [(each.kind, each.item.text[:30]) for each in never_tried(distil(person(PLAN), *more).knowledge)]

    words = "Then try it: run `app clean -f"
    assert tried(agent("Let me begin."), *ran("make test")) == [(SectionKind.NEXT, words)]
    assert tried(agent("Let me begin."), *ran("app clean -f")) == []
    assert tried(agent("All done."), person("Now write the changelog, please")) == [(SectionKind.RECENT, words)]


def test_it_is_told_though_the_request_holds_its_words() -> None:
    plan = PLAN[PLAN.index("##") :] if "##" in PLAN else PLAN
    assert "Asked for, and never run: “Then try it: run `app clean -f" in text_of(person(plan), agent("Let me begin."), *ran("make test"))


def test_where_all_is_done_before_a_question_that_is_told() -> None:
    known = distil(person("Round the totals"), agent("Done."), person("Why is the total rounded up?")).knowledge
    now = replace(
        known.situation,
        commits=(Quote("abc1234 Round", Ref(2)),),
        changed=(ChangedFile("cart.py", Keeping.COMMITTED, 2),),
        verification=CommandRun("make test", 2, 0, passed=True),
    )
    done = replace(known, situation=now, tasks=())
    (line,) = nothing_open(done)
    assert line.item.text == "all that was changed is committed; `make test` has passed since the last change"
    begins = distil(person("Round the totals"), agent("Done."), person("Now round the taxes of the cart")).knowledge
    sent = replace(now, commits=(Quote("[fix abc1234] Round", Ref(2)),), outside=("git push fix at abc1234",))
    (line,) = nothing_open(replace(begins, situation=sent, tasks=()))
    assert line.item.text.startswith("all that was changed is committed and pushed; ")
    for other in (
        replace(now, changed=(ChangedFile("cart.py", Keeping.UNCOMMITTED, 2),)),
        replace(now, verification=replace(now.verification, passed=False)) if now.verification else now,
        replace(now, running=("a server",)),
        replace(now, commits=()),
    ):
        assert nothing_open(replace(done, situation=other)) == []
