"""What a command or a skill that the person called tells the agent to do, how far calls have come, and what a plan asks to be tried."""

from __future__ import annotations

import pytest

from continuity.knowledge.evidence import CalledInstructions
from continuity.knowledge.extractors.called_instructions import filled, own_words
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from tests.knowledge.requests.test_ordered_steps import SKILL
from tests.knowledge.talk import CWD, agent, call, distil, harness, person, ran, result

BASE = "Base directory for this skill: /home/ada/.tool/skills/pr-review\n"
FETCH = "app api repos/ada/shop/pulls/7/comments --paginate | jq '.[]'"


def command(name: str) -> Message:
    text = f"<command-name>{name}</command-name>"
    return Message(Role.USER, (Part(PartKind.TEXT, Voice.HARNESS, text, data={"command": name}),), "", cwd=CWD)


def called(*messages: Message | tuple[Message, ...]) -> CalledInstructions | None:
    return distil(*messages).knowledge.situation.called


def test_it_works() -> None:
    found = called(command("/pr-review"), harness(BASE + SKILL), agent("Let me fetch them."), *ran(FETCH))
    assert found is not None
    assert [step.number for step in found.steps] == [1, 2, 3]
    assert (found.name, found.begun) == ("pr-review", 1)
    assert dict(found.values) == {"owner": "ada", "repo": "shop", "pr": "7"}
    assert filled("app reply {owner}/{repo}#{pr} {id}", found.values) == "app reply ada/shop#7 {id}"
    assert found.binding == ("Never reply twice.",) or found.binding == ()


def test_later_calls_bring_it_on_and_those_of_a_step_before_do_not_bring_it_back() -> None:
    talk = (command("/pr-review"), harness(BASE + SKILL), *ran(FETCH), *ran("git commit -qm 'Fix it' && git push", call_id="c2"))
    found = called(*talk)
    assert found is not None and found.begun == 2
    again = called(*talk, *ran(FETCH, call_id="c3"))
    assert again is not None and again.begun == 2


def test_values_that_do_not_agree_are_none() -> None:
    other = ran(FETCH.replace("/7/", "/8/"), call_id="c2")
    found = called(command("/pr-review"), harness(BASE + SKILL), *ran(FETCH), *other)
    assert found is not None
    assert dict(found.values)["pr"] == ""
    assert filled("{owner} {pr}", found.values) == "ada {pr}"


@pytest.mark.parametrize("words", ["Use the pr-review skill on my branch", "please run /pr-review for 7"])
def test_a_skill_that_the_persons_words_name_counts(words: str) -> None:
    assert called(person(words), agent("Sure."), harness(BASE + SKILL)) is not None


def test_a_skill_that_the_agent_called_by_itself_does_not() -> None:
    assert called(person("Fix the total of the cart"), agent("Sure."), harness(BASE + SKILL)) is None


ROUND = """# Try it

#### 1. Set up

```bash
./try.sh setup
```

#### 2. Look

```bash
./try.sh look
```

#### 3. Clean up

```bash
./try.sh cleanup
```

When all is done, report:

| Step | Result |
|------|--------|
| Set up | PASS/FAIL |
"""
TRY = "Base directory for this skill: /home/ada/.tool/skills/try-it\n"


@pytest.mark.parametrize("words", ["can you use the try it skill", "use the trying skill", "use the try-it skill"])
def test_a_skill_counts_as_the_person_spells_it(words: str) -> None:
    assert (called(person(words), harness(TRY + ROUND)) is not None) == ("try" in words.split() or "try-it" in words)
    review = "Base directory for this skill: /home/ada/.tool/skills/requesting-code-review\n"
    assert called(person("use the reviewer skill on it"), harness(review + ROUND)) is not None
    assert called(person("review it"), harness(review + ROUND)) is None


def test_a_call_that_cleans_up_and_begins_anew_begins_the_steps_anew() -> None:
    talk = (person("use the try-it skill"), harness(TRY + ROUND), *ran("./try.sh setup && ./try.sh look"))
    found = called(*talk)
    assert found is not None and found.begun == 2, "each command of a call counts"
    found = called(*talk, *ran("./try.sh cleanup && ./try.sh setup", call_id="c2"))
    assert found is not None and found.begun == 1
    found = called(*talk, *ran("./try.sh cleanup", call_id="c2"), *ran("./try.sh setup", call_id="c3"))
    assert found is not None and found.begun == 3


def test_the_report_that_ends_the_steps_is_kept() -> None:
    found = called(person("use the try-it skill"), harness(TRY + ROUND))
    assert found is not None and found.binding == ("When all is done, report: Step; Set up",)


def test_what_was_sent_to_a_sub_agent_is_the_step_that_names_it() -> None:
    steps = "Follow these steps:\n1. Get the commits\n2. Dispatch the code-reviewer agent\n3. Act on what it says\n"
    found = called(person("use the try-it skill"), harness(TRY + steps), call("Task", "t1", subagent_type="x:code-reviewer", prompt="Look"))
    assert found is not None and found.begun == 2


def test_the_file_of_a_skill_that_was_named_counts_where_the_agent_reads_it() -> None:
    read = (call("Read", "r1", file_path="/home/ada/skills/pr-review/SKILL.md"), result(SKILL, "r1"))
    found = called(person("Use the pr-review skill"), *read)
    assert found is not None and len(found.steps) == 3


def test_the_text_of_a_command_counts_right_behind_it() -> None:
    found = called(command("/tidy"), harness("Tidy up the imports, then run the tests."))
    assert found is not None
    assert (found.steps, found.said) == ((), "Tidy up the imports, then run the tests.")
    assert called(command("/tidy"), agent("Done."), harness("Tidy up the imports.")) is None
    assert called(command("/tidy"), harness("<system-reminder>Never mind.</system-reminder>")) is None


def test_words_that_a_call_hands_on_run_nothing() -> None:
    body = f'app pr create --title "x" --body "$(cat <<\'EOF\'\n{FETCH}\nEOF\n)"'
    found = called(command("/pr-review"), harness(BASE + SKILL), *ran(body))
    assert found is not None and found.begun == 0


PLAN = f"""Implement the following plan:

# Clean up

## Context
{"The old branches are never removed. " * 20}

## Verification

```bash
make test
```
- [ ] Then try it: run `app clean -f` in a repository with packed refs, and look with `app list`.
- [ ] Run `pytest tests/test_clean.py`

## Notes
Look at `app help me`.
"""


def test_what_a_plan_asks_to_be_tried_is_kept_until_a_call_does_it() -> None:
    to_try = distil(person(PLAN), agent("Sure."), *ran("make test")).knowledge.situation.to_try
    assert to_try is not None
    (line,) = to_try.steps
    assert line.title.startswith("Then try it: run `app clean -f`"), "checks have a ladder of their own"
    assert distil(person(PLAN), *ran("cd /tmp/x && app clean -f")).knowledge.situation.to_try is None
    assert distil(person(PLAN), *ran("git commit -m 'Tell of app clean -f'")).knowledge.situation.to_try is not None
    assert distil(person(PLAN[:300])).knowledge.situation.to_try is None


def test_a_call_with_a_word_of_the_demand_or_of_a_build_of_its_program_may_have_done_it() -> None:
    asked = PLAN.replace("`app clean -f` in a repository with packed refs, and look with `app list`", "`shop unknowncommand`")
    assert distil(person(asked), *ran("make test")).knowledge.situation.to_try is not None
    assert distil(person(asked), *ran("/tmp/other unknowncommand")).knowledge.situation.to_try is None
    assert distil(person(asked), *ran("go build -o /tmp/shop-test . && /tmp/shop-test nothing")).knowledge.situation.to_try is None


@pytest.mark.parametrize("unit", ["\n", "<<a\n", " -m ", '\\"', "'"])
def test_hostile_calls_end(unit: str) -> None:
    assert own_words("cat <<a\n" + unit * (200_000 // len(unit))).startswith("cat ")
