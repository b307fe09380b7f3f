"""Sessions as the tools wrote them, with counts that were checked by hand against the files."""

from collections import Counter

import pytest

from continuity.transcripts import PartKind, Role, Voice
from tests.transcripts.records import abandoned, messages, needs_shared, shared, texts

pytestmark = needs_shared

DEV1 = ("claude-code", "entireio__cli__0e3fdc072c53-0.full.jsonl")
DEV1_LATER = ("claude-code", "entireio__cli__432b48f6b6e6-0.full.jsonl")
DEV2 = ("claude-code", "PackmindHub__context-evaluator__c8946606a339-0.full.jsonl")
ENTIRE = ("claude-code", "entireio__cli__c8b6cdd373a2-0.full.jsonl")
DEV4 = ("claude-code", "thedotmack__claude-mem__sample-transcript.jsonl")
DEV3 = ("codex", "EntityProcess__agentv__888ba8f699fb-1.full.jsonl")
CODEX = ("codex", "EntityProcess__agentv__a57b22d8d4bd-0.full.jsonl")
MINI = ("mini-swe-agent", "SWE-agent__mini-swe-agent__deepseek_chat_dev__pvlib__pvlib-python-1072.traj.json")
ROO = ("roo", "RooCodeInc__Roo-Code__natural-mini-uncondensed__api_conversation_history.json")

COUNTS = {
    # file: messages, assistant's, calls, results, failed, prompts, boundaries, summaries, side chain, abandoned
    DEV1: (485, 284, 158, 158, 9, 33, 1, 1, 0, 2),
    DEV1_LATER: (757, 455, 248, 248, 15, 43, 2, 2, 0, 2),
    DEV2: (294, 177, 107, 107, 3, 5, 1, 1, 0, 0),
    ENTIRE: (276, 165, 105, 104, 4, 5, 1, 1, 0, 0),
    DEV4: (122, 78, 38, 38, 1, 5, 0, 0, 2, 0),
    DEV3: (684, 397, 280, 266, 3, 16, 1, 0, 0, 0),
    CODEX: (267, 157, 105, 101, 2, 6, 0, 0, 0, 0),
    MINI: (150, 74, 74, 73, 6, 1, 0, 0, 0, 0),
    ROO: (20, 10, 8, 8, 1, 2, 0, 0, 0, 0),
}


@pytest.mark.parametrize("name", COUNTS, ids="/".join)
def test_it_works(name):
    with shared(*name) as transcript:
        found = list(transcript)
    said = messages(found)
    parts = [part for message in said for part in message.parts]
    kinds = Counter(part.kind for part in parts)
    assert COUNTS[name] == (
        len(said),
        sum(message.role is Role.ASSISTANT for message in said),
        kinds[PartKind.TOOL_CALL],
        kinds[PartKind.TOOL_RESULT],
        sum(part.failed is True for part in parts),
        sum(part.voice is Voice.PERSON for part in parts),
        kinds[PartKind.BOUNDARY],
        sum(part.voice is Voice.SUMMARY for part in parts),
        sum(bool(message.agent) for message in said),
        len(abandoned(found)),
    )
    assert transcript.report.skipped == []
    assert len({message.external_id for message in said}) == len(said)
    assert [message.line for message in said] == sorted(message.line for message in said)
    results = [part for part in parts if part.kind is PartKind.TOOL_RESULT]
    assert all(part.name for part in results)


@pytest.mark.parametrize(("name", "records", "session", "model", "cwd", "branch"), [
    (DEV1, 992, "1284c080-f9cd-45f8-9942-ff58f5c517e5", "claude-opus-4-6", "/Users/alex/workspace/cli/.worktrees/1",
     "alex/ent-221-cleanup-and-sessions-fix"),
    (DEV4, 133, "4efb0f66-3379-4c3c-86af-76ef91e0d59d", "claude-sonnet-4-5-20250929", "/Users/alexnewman/Scripts/clean-kit",
     "themes/patient-qa"),
    (DEV3, 1146, "019eecb9-cc3a-73c2-814a-dd4f8ced7545", "gpt-5.5", "/home/entity/projects/EntityProcess/agentv", "main"),
    (MINI, 150, "pvlib__pvlib-python-1072", "deepseek-chat", "/testbed", ""),
    (ROO, 20, "", "", "", ""),
])  # fmt: skip
def test_reports_name_the_session(name, records, session, model, cwd, branch):
    with shared(*name) as transcript:
        messages(transcript)
    report = transcript.report
    assert (report.records, report.session_id, report.model, report.cwd, report.branch) == (records, session, model, cwd, branch)
    assert report.lineage == []


def test_the_prompts_of_a_session_are_the_persons_alone():
    with shared(*DEV2) as transcript:
        prompts = texts(messages(transcript), Voice.PERSON)
    assert [prompt[:40].strip() for prompt in prompts] == [
        "Implement the following plan:\n\n# Plan: P",
        "Review your changes to find potential is",
        "Can you ensure that somewhere in the pro",
        "commit",
        "I've run a remediation and now got these",
    ]


def test_words_typed_while_the_agent_worked_or_to_reject_a_call_are_heard():
    with shared(*DEV1_LATER) as transcript:
        said = messages(transcript)
    heard = {message.line: text[:40] for message in said for text in texts([message], Voice.PERSON)}
    assert heard[60].startswith("or something descriptive?")
    assert heard[1329].startswith("also...we have two condensations")
    assert heard[1380].startswith("does it even make sense")
    assert heard[1418].startswith("and concurrent sessions")
    assert heard[1431] == "let's do this as a separate PR"
    # taken back to be edited before the agent saw them
    assert not {1116, 1120, 1429, 1430} & set(heard)


def test_a_later_file_of_a_session_begins_with_the_earlier_one():
    with shared(*DEV1) as earlier, shared(*DEV1_LATER) as later:
        first, second = messages(earlier), messages(later)
    assert second[: len(first)] == first
    assert len(second) - len(first) == 272


@pytest.mark.parametrize("name", [DEV3, MINI, ROO], ids="/".join)
def test_a_cut_file_has_the_ids_of_the_whole_one(name):
    with shared(*name) as whole:
        ids = [message.external_id for message in messages(whole)]
    with shared(*name, cut=12) as part:
        cut = [message.external_id for message in messages(part)]
    assert 0 < len(cut) < len(ids)
    assert ids[: len(cut)] == cut


@pytest.mark.parametrize(
    ("name", "once", "naive"), [(DEV1, 175 - 1, 283), (DEV2, 101, 177), (DEV4, 78 - 51 + 0, 78)], ids=["dev1", "dev2", "dev4"]
)
def test_usage_is_repeated_on_the_records_of_one_answer(name, once, naive):
    with shared(*name) as transcript:
        said = [message for message in messages(transcript) if message.usage]
    assert len(said) == naive
    assert len({message.usage_id for message in said}) == once


def test_codex_usage_is_within_the_window_that_codex_names():
    with shared(*DEV3) as transcript:
        said = [message for message in messages(transcript) if message.usage]
    assert transcript.report.max_context_tokens == 258_400
    assert said[0].usage is not None
    assert said[0].usage.context == 18_728
    assert max(message.usage.context for message in said if message.usage) < 258_400


def test_exit_codes_come_from_headers_texts_and_fields():
    for name, codes in ((DEV1, {1: 4, 5: 1}), (DEV3, {0: 248, 1: 2, 127: 1}), (MINI, {0: 67, 1: 6})):
        with shared(*name) as transcript:
            parts = [part for message in messages(transcript) for part in message.parts]
        assert Counter(part.exit_code for part in parts if part.exit_code is not None) == codes
