"""How a message is shown: words in the open, the rest folded under a line that says what it is."""

import pytest

from continuity.displayed_messages import show
from continuity.models import Conversation, Message
from continuity.rendering.call_arguments import arguments
from tests.factories import ConversationFactory, MessageFactory
from tests.web.world import browser


def message(*parts, role="user", secrets=()):
    return Message(seq=1, role=role, parts=list(parts), secrets=list(secrets))


def part(kind, voice, text="", **more):
    return {"kind": kind, "voice": voice, "text": text, **more}


def only(*parts, **more):
    return show(message(*parts, **more)).parts[0]


def test_it_works():
    shown = show(message(part("text", "person", "Hello\n  there")))
    assert shown.speaker == "person"
    assert shown.parts[0].text == "Hello\n  there"
    assert not shown.parts[0].title


@pytest.mark.parametrize(
    ("given", "title"),
    [
        (part("tool_call", "agent", name="Bash", input={"command": "ls\n-la"}), "Bash ls"),
        (part("tool_call", "agent", name="shell", input={"cmd": ["git", "status"]}), "shell git status"),
        (part("tool_call", "agent", name="Odd", input={"level": 3}), "Odd"),
        (part("tool_result", "tool", "\n\nfine\nmore", exit_code=0), "Result: fine"),
        (part("tool_result", "tool", "no", exit_code=2), "Result (exit 2): no"),
        (part("tool_result", "tool", "", failed=True), "Result (failed), no output"),
        (part("reasoning", "agent", "Hm."), "Reasoning: Hm."),
        (part("text", "summary", "All before"), "The tool's own summary of what came before"),
        (part("text", "harness", "<reminder>"), "Added by the tool: <reminder>"),
    ],
)
def test_what_is_not_said_by_someone_is_folded_under_what_it_is(given, title):
    assert only(given).title == title


def test_failures_can_be_seen_without_unfolding():
    assert only(part("tool_result", "tool", "x", exit_code=1)).failed
    assert only(part("tool_result", "tool", "x", failed=True)).failed
    assert not only(part("tool_result", "tool", "x", exit_code=0)).failed


@pytest.mark.parametrize(
    ("role", "parts", "speaker"),
    [
        ("user", [part("tool_result", "tool", "x")], "tool"),
        ("user", [part("text", "harness", "x"), part("text", "person", "y")], "person"),
        ("assistant", [part("text", "agent", "x")], "agent"),
        ("system", [part("text", "harness", "x")], "system"),
        ("tool", [part("tool_result", "tool", "x")], "tool"),
        ("user", [], "tool"),
    ],
)
def test_the_speaker_is_who_spoke_not_the_role_that_the_tool_filed(role, parts, speaker):
    assert show(message(*parts, role=role)).speaker == speaker


ANSWER = part("tool_result", "tool", 'User has answered your questions: "Which?"="this"', call_id="c1")


@pytest.mark.parametrize(
    ("given", "tool", "speaker"),
    [
        (ANSWER, "AskUserQuestion", "person"),
        (part("tool_result", "tool", "that one", name="ask_followup_question"), "", "person"),
        (part("tool_result", "tool", "User has approved your plan. You can now start.", call_id="c1"), "ExitPlanMode", "person"),
        (part("tool_result", "tool", "The user doesn't want to proceed with this tool use.", call_id="c1", failed=True), "Bash", "person"),
        (ANSWER, "Bash", "tool"),
        (part("tool_result", "tool", "InputValidationError", call_id="c1", failed=True), "AskUserQuestion", "tool"),
        (part("tool_result", "tool", "grep: The user doesn't want to proceed", call_id="c1"), "Bash", "tool"),
    ],
    ids=["a choice", "in own words", "a plan", "a refusal", "of another tool", "not asked", "words that a tool read"],
)
def test_what_a_person_answers_through_a_tool_is_the_persons(given, tool, speaker):
    shown = show(message(given), called={"c1": tool})
    assert shown.speaker == speaker
    assert bool(shown.parts[0].asked_by) == (speaker == "person")
    assert bool(shown.parts[0].title) == (speaker == "tool")


def test_the_tool_is_known_from_the_message_before_also_where_a_page_begins_between(team, owner):
    conversation = ConversationFactory.create(team=team, last_seq=2)
    call = part("tool_call", "agent", name="AskUserQuestion", call_id="c1", input={"question": "Which?"})
    for seq, (role, one) in enumerate((("assistant", call), ("user", ANSWER)), start=1):
        MessageFactory.create(conversation=conversation, seq=seq, role=role, parts=[one])
    for address in ("messages?after=1", "messages?at=2", "messages/2"):
        page = browser(owner).get(f"/conversations/{conversation.id}/{address}").content.decode()
        assert "Answered through AskUserQuestion" in page
        assert "<strong>user</strong>" in page, "nobody knows who it was"
    Conversation.objects.filter(id=conversation.id).update(owner=owner)
    assert f"<strong>{owner}</strong>" in browser(owner).get(f"/conversations/{conversation.id}/messages").content.decode()


def test_long_texts_are_cut_and_counted_unless_all_is_asked_for():
    long = message(part("text", "agent", "x" * 7000), role="assistant")
    assert show(long).hidden == 1000
    assert show(long, clip=None).parts[0].text == "x" * 7000


def test_marked_secrets_are_masked_wherever_they_stand():
    call = part("tool_call", "agent", name="Bash", input={"command": "curl -H hunter2 x"})
    spans = [{"part": 0, "path": ["input", "command"], "start": 8, "end": 15, "kind": "password"}]
    shown = show(message(call, role="assistant", secrets=spans)).parts[0]
    assert "hunter2" not in shown.text + shown.title
    assert "[secret: password]" in shown.text


def test_arguments_read_as_lines():
    given = {"path": "a.py", "edits": [{"old": "x", "new": "y"}, "z"], "text": "one\ntwo", "none": {}, "n": 3}
    assert arguments(given) == "path: a.py\nedits:\n  - old: x\n    new: y\n  - z\ntext:\none\ntwo\nnone: {}\nn: 3"


PATCH = "*** Begin Patch\n*** Update File: a.py\n-x\n+y\n*** Add File: b.py\n+z\n*** End Patch"


@pytest.mark.parametrize(
    ("name", "given", "title"),
    [
        ("edit", {"filePath": "src/a.py", "oldString": "x", "newString": "y"}, "edit src/a.py +1 −1"),
        ("read", {"filePath": "src/a.py"}, "read src/a.py"),
        ("apply_patch", {"input": PATCH}, "apply_patch a.py, b.py +2 −1"),
        (
            "apply_patch",
            {"input": "".join(f"--- a/{n}\n+++ b/{n}\n@@ -1 +1 @@\n-x\n+y\n" for n in "abcd")},
            "apply_patch a, b, c and 1 more +4 −4",
        ),
    ],
    ids=["an edit", "reading", "a patch", "a patch of many"],
)
def test_a_change_names_its_files_whichever_tool_made_it(name, given, title):
    assert show(message(part("tool_call", "agent", name=name, input=given), role="assistant")).parts[0].title == title


def test_the_changes_of_several_files_are_told_apart(team, owner):
    conversation = ConversationFactory.create(team=team, last_seq=2)
    for seq, given in enumerate(({"input": PATCH}, {"filePath": "c.py", "oldString": "x", "newString": "y"}), start=1):
        call = part("tool_call", "agent", name="apply_patch", input=given)
        MessageFactory.create(conversation=conversation, seq=seq, role="assistant", parts=[call])
    page = browser(owner).get(f"/conversations/{conversation.id}/messages").content.decode()
    unfolded = browser(owner).get(f"/conversations/{conversation.id}/messages/1?part=0", headers={"HX-Request": "true"}).content.decode()
    for shown in (page, unfolded):
        assert all(f"<code>{name}</code>" in shown for name in ("a.py", "b.py"))
    assert "<code>c.py</code>" not in page
