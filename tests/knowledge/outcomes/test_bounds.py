"""The evidence from results keeps the bounds of the whole state, and is the same however the messages were divided."""

from __future__ import annotations

import json

from continuity.knowledge import FoldState, fold
from continuity.knowledge.inheritance import inherited
from continuity.knowledge.state.situation import situation
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import agent, call, person, ran, result
from tests.knowledge.test_bounds import LIMIT, ODD, evidence, size


def shown(i: int) -> list[Message]:
    """Messages that fill every map of evidence from results."""
    code = f"{ODD}\n" * 90
    edits = [call("Edit", f"e{i}.{n}", file_path=f"{ODD}/{i}/{n}.py", old_string="a", new_string=code) for n in range(4)]
    plan = "".join(f"{n}. {ODD} step {i} of {n}\n" for n in range(40))
    failing = "".join(f"--- FAIL: Test{ODD[:20]}{n} (0s)\n    a_test.go:{n}: got {ODD * 3}, want {ODD * 3}\n" for n in range(9))
    refused = f"The user doesn't want to proceed with this tool use. The user said: {ODD * 9}"
    options = [{"label": f"{ODD}{n}"} for n in range(6)]
    return [
        call("TaskCreate", f"t{i}", subject=f"{ODD} {i}", description=ODD * 9),
        result(f"Task #{i} created", f"t{i}"),
        call("TaskUpdate", f"u{i}", taskId=str(i), status="in_progress"),
        *edits,
        *(result("ok", f"e{i}.{n}") for n in range(4)),
        *ran(f"go test ./{ODD}/{i}", failing, 1, call_id=f"g{i}"),
        *ran(f"git commit -m '{ODD}'", f"hook failed: {ODD * 4}", 1, call_id=f"h{i}"),
        call("Bash", f"r{i}", command=f"deploy {ODD}"),
        result(refused, f"r{i}", failed=True),
        call("AskUserQuestion", f"q{i}", questions=[{"question": f"{ODD}?", "options": options}]),
        result("x", f"q{i}", data={"answers": {f"{ODD}?": f"{ODD}0"}}),
        call("ExitPlanMode", f"p{i}", plan=plan * 3),
        *ran(f"gh pr create {i}", f"https://github.com/ada/shop/pull/{i}", call_id=f"m{i}"),
        *ran(f"wc {ODD}", f"{i}77 {ODD}", call_id=f"w{i}"),
        agent(f"The part {i} of {ODD} is done now, and the checks of it pass as well."),
    ]


def talk(count: int) -> list[Message]:
    return [person(f"Do {ODD}."), *ran("git status -sb", "## main\n"), *(message for i in range(count) for message in shown(i))]


def test_it_works() -> None:
    now = situation(fold(FoldState(), enumerate(talk(3), 1)).state)
    assert all((now.changed, now.blocked, now.parts, now.edits, now.failures, now.refusals, now.choices, now.plan, now.made, now.results))


def test_a_prefix_and_then_the_rest_is_all() -> None:
    messages = list(enumerate(talk(3), 1))
    whole = fold(FoldState(), messages).state
    for cut in range(1, len(messages), 7):
        first = fold(FoldState(), messages[:cut]).state
        stored = FoldState.from_json(json.loads(json.dumps(first.to_json())))
        assert fold(stored, messages[cut:]).state.to_json() == whole.to_json()


def test_the_state_keeps_its_bound() -> None:
    state = FoldState()
    for start in range(0, 600, 100):
        messages = [message for i in range(start, start + 100) for message in (*evidence(i), *(shown(i) if i % 4 == 0 else ()))]
        state = fold(state, enumerate(messages, state.through_seq + 1)).state
        assert size(state) <= LIMIT
    now = situation(state)
    assert len(json.dumps([[part.title, part.wanted, part.files, part.check, part.closing] for part in now.parts])) <= 12_000
    assert len(now.failures) <= 8
    assert len(now.edits) <= 6


def test_an_heir_knows_where_things_stand() -> None:
    before = fold(FoldState(), enumerate(talk(1), 1)).state
    heir = situation(inherited(before))
    assert [each.path for each in heir.changed] == [each.path for each in situation(before).changed]
    assert all(edit.seq <= 0 for edit in heir.edits)
    assert all(failure.seq <= 0 for failure in heir.failures)
    assert all(part.last_seq <= 0 for part in heir.parts)
