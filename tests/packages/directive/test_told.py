"""Lines that say the same in fewer words, or that later ones say already."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from continuity.knowledge.model import AnchorType, CommandRun, Knowledge, Situation, Truth, Turn
from handoffs.contract.model import SectionKind
from tests.packages.samples import KNOWLEDGE, anchor, prepared, quote

SHOP = "/home/ada/shop"


def lines(knowledge: Knowledge, kind: SectionKind, budget: int = 4000) -> list[str]:
    made = prepared(knowledge, budget=budget)
    return [item.text for section in made.package.sections if section.kind is kind for item in section.items]


def at(**situation: Any) -> Knowledge:
    return replace(KNOWLEDGE, situation=Situation(cwd=SHOP, branch="fix", **situation))


def test_it_works() -> None:
    run = CommandRun(f"cd {SHOP} && ./total.py 2>/dev/null | head -20", 18, 0, True, "total 12")
    assert "`./total.py` passed (exit 0): “total 12”" in lines(at(recent_commands=(run,)), SectionKind.STATE)


def test_a_commit_is_told_by_hash_and_subject_and_by_its_branch_where_that_is_another() -> None:
    commits = (quote("[main abc1234] Round totals", 3), quote("[fix abc1235] Split totals", 4), quote("Commit abc1236 test: totals", 5))
    told = lines(at(commits=commits), SectionKind.STATE)
    assert {"abc1234 (on main) Round totals", "abc1235 Split totals"} <= set(told)
    assert "abc1236 test: totals" in lines(at(commits=commits), SectionKind.NEXT), "the last one stands among what is so now"


def test_a_check_that_a_later_run_did_among_others_is_not_told_again() -> None:
    lint = CommandRun("make lint", 5, 0, True, "0 issues")
    both = CommandRun("make fmt && make lint", 9, 0, True, "0 issues")
    assert [text for text in lines(at(checks=(lint, both)), SectionKind.STATE) if text.startswith("`make lint`")] == []
    assert [text for text in lines(at(checks=(lint,)), SectionKind.STATE) if text.startswith("`make lint`")]


def test_an_answered_question_gives_way_to_what_a_person_laid_down() -> None:
    told, asked = quote("the total of an order includes the tax", 2), quote("where is the total of an order computed?", 3)
    turns = tuple(Turn(q.ref.seq, q, quote(f"Answer {q.ref.seq}", q.ref.seq)) for q in (told, asked, quote("go on", 9)))
    package = prepared(replace(KNOWLEDGE, turns=turns)).package
    worth = {item.text: item.importance for section in package.sections for item in section.items}
    assert worth[asked.text] < worth[told.text]  # Though it was asked later.


def test_a_command_that_only_wrote_a_file_is_left_to_the_files() -> None:
    wrote = CommandRun("cat > probe.py << 'EOF'\nEOF", 17, 0, True, "")
    failed = CommandRun("cat > other.py << 'EOF'\nEOF", 18, 1, False, "no space left")
    ran = CommandRun("cat > run.py << 'EOF'\nEOF\npython run.py", 18, 0, True, "done")
    told = " ".join(lines(at(recent_commands=(wrote, failed, ran)), SectionKind.STATE))
    assert "probe.py" not in told
    assert "other.py" in told
    assert "python run.py" in told


def test_what_an_agent_claimed_some_turns_ago_is_told_as_said_then() -> None:
    claimed = [anchor(AnchorType.FACT, f"The crane of yard {n} is idle.", n, truth=Truth.CLAIMED) for n in (5, 25)]
    stated = anchor(AnchorType.FACT, "The winch of yard 6 is loud.", 6)
    turns = tuple(Turn(seq, quote(f"Request {seq}", seq), None) for seq in (2, 20, 24, 27))
    knowledge = replace(KNOWLEDGE, anchors=(*claimed, stated), turns=turns, through_seq=30)
    assert lines(knowledge, SectionKind.FACTS) == [stated.text, claimed[1].text]
    text = prepared(knowledge, budget=4000).text
    assert "- → said earlier: “The crane of yard 5 is idle.” [m5?]" in text
    assert "- The crane of yard 25 is idle. [a" in text
    assert "- The winch of yard 6 is loud. [a" in text
