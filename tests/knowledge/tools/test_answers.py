"""What the person decides through tools: chosen answers, plans, refusals."""

from __future__ import annotations

import json
from typing import Any

from continuity.knowledge.model import AnchorType, Truth
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from tests.knowledge.talk import CWD, agent, call, distil, person, result

ASKED: dict[str, Any] = {
    "questions": [
        {
            "question": "Which store should the sessions use?",
            "header": "Store",
            "options": [{"label": "Redis"}, {"label": "Postgres"}, {"label": "Memory"}],
        }
    ]
}
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
    "the new_string was NOT written to the file)."
)


def test_it_works() -> None:
    reported = result("User has answered your questions.", data={"answers": {"Which store should the sessions use?": "Postgres"}})
    (decision,) = distil(call("AskUserQuestion", **ASKED), reported).current(AnchorType.DECISION)
    assert (decision.text, decision.rationale, decision.rejected) == ("Postgres", "Which store should the sessions use?", "Redis; Memory")
    assert (decision.truth, decision.critical) == (Truth.STATED, True)


def test_an_answer_in_own_words_turns_no_option_down() -> None:
    reported = result("ok", data={"answers": {"Which store should the sessions use?": "Redis for now, and write down why"}})
    (decision,) = distil(call("AskUserQuestion", **ASKED), reported).current(AnchorType.DECISION)
    assert decision.rejected == ""


def test_answers_are_read_from_the_text_where_nothing_is_reported() -> None:
    text = 'User has answered your questions: "Which store should the sessions use?"="Redis". You can now continue.'
    (decision,) = distil(call("AskUserQuestion", **ASKED), result(text)).current(AnchorType.DECISION)
    assert (decision.text, decision.rejected) == ("Redis", "Postgres; Memory")
    assert text[decision.ref.start : decision.ref.end] == "Redis"


def test_codex_answers_by_id() -> None:
    asked: dict[str, Any] = {"questions": [{"id": "store", "question": "Which store?", "options": [{"label": "Redis"}, {"label": "Disk"}]}]}
    text = json.dumps({"answers": {"store": {"answers": ["Disk"]}}})
    (decision,) = distil(call("request_user_input", **asked), result(text)).current(AnchorType.DECISION)
    assert (decision.text, decision.rationale, decision.rejected) == ("Disk", "Which store?", "Redis")


def test_several_labels_may_be_chosen() -> None:
    reported = result("ok", data={"answers": {"Which store should the sessions use?": "Redis, Memory"}})
    (decision,) = distil(call("AskUserQuestion", **ASKED), reported).current(AnchorType.DECISION)
    assert decision.rejected == "Postgres"


def test_an_open_question_answered_in_a_tool_is_resolved() -> None:
    reported = result("ok", data={"answers": {"Which store should the sessions use?": "Redis"}})
    done = distil(agent("Which store should the sessions use, then?"), call("AskUserQuestion", **ASKED), reported)
    assert done.current(AnchorType.QUESTION) == []


def test_an_approved_plan_is_decided_with_what_it_lists() -> None:
    plan = "# Inline the helper\n\n## Decisions\n- **Storage**: keep it in Postgres, not Redis\n- **Rollout**: behind a flag"
    text = f"User has approved your plan. You can now start coding.\n\n## Approved Plan:\n{plan}"
    decisions = distil(call("ExitPlanMode", plan=plan), result(text)).current(AnchorType.DECISION)
    assert [d.text for d in decisions] == ["Inline the helper", "**Storage**: keep it in Postgres, not Redis", "**Rollout**: behind a flag"]
    assert (decisions[0].truth, decisions[0].method) == (Truth.STATED, "decision.plan")


def test_a_plan_reported_beside_the_text_counts() -> None:
    done = distil(call("ExitPlanMode"), result("User has approved your plan.", data={"plan": "# Split the importer\n\nText."}))
    assert done.texts(AnchorType.DECISION) == ["Split the importer"]


def test_a_rejected_plan_decides_nothing() -> None:
    done = distil(call("ExitPlanMode", plan="# Split the importer"), result(REFUSED, failed=True))
    assert done.current() == []


def test_feedback_in_a_refusal_is_the_persons_word() -> None:
    text = f"{REFUSED} To tell you how to proceed, the user said:\nnever use the admin key here"
    (rule,) = distil(call("Bash", command="curl"), result(text, failed=True)).current()
    assert (rule.type, rule.text, rule.truth) == (AnchorType.CONSTRAINT, "never use the admin key here", Truth.STATED)
    assert text[rule.ref.start : rule.ref.end] == rule.text


def test_any_feedback_in_a_refusal_corrects() -> None:
    text = f"{REFUSED} To tell you how to proceed, the user said:\nlook at ticket ENT-250 first"
    done = distil(person("Post the comment"), call("Bash", command="gh"), result(text, failed=True))
    assert done.texts(AnchorType.CORRECTION) == ["look at ticket ENT-250 first"]
    assert done.state.latest_request is not None
    assert done.state.latest_request.text == "look at ticket ENT-250 first"


def test_feedback_as_a_part_of_its_own_corrects_too() -> None:
    parts = (
        Part(PartKind.TOOL_RESULT, Voice.TOOL, REFUSED, call_id="c1", failed=True, data={"rejected": True}),
        Part(PartKind.TEXT, Voice.PERSON, "look at ticket ENT-250 first"),
    )
    done = distil(person("Post the comment"), call("Bash", command="gh"), Message(Role.TOOL, parts, "", cwd=CWD))
    assert done.texts(AnchorType.CORRECTION) == ["look at ticket ENT-250 first"]
    assert done.state.turn_count == 1


def test_a_result_that_only_looks_like_a_refusal_is_a_result() -> None:
    done = distil(call("Bash", command="cat log"), result("the user said: never do this", failed=False, exit_code=0))
    assert done.current() == []
