import pytest

from continuity.transcripts import PartKind, Role, Usage, Voice, open_transcript
from tests.transcripts.records import line, messages, read, texts, write

CONVERSATION = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Fix it"},
    {"role": "assistant", "content": None, "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}},
        {"id": "c2", "type": "custom", "custom": {"name": "run", "input": "x"}},
    ]},
    {"role": "tool", "tool_call_id": "c1", "content": "<returncode>1</returncode>\n<output>no</output>"},
    {"role": "tool", "tool_call_id": "c2", "content": [{"type": "text", "text": "fine"}]},
    {"role": "assistant", "content": [{"type": "text", "text": "Fixed."}], "reasoning_content": "Hm."},
]  # fmt: skip


def test_it_works():
    system, question, made, first, second, reply = messages(read("openai-chat", *CONVERSATION))
    assert (system.role, system.parts[0].voice) == (Role.SYSTEM, Voice.HARNESS)
    assert (question.role, question.parts[0].voice) == (Role.USER, Voice.PERSON)
    assert [(part.kind, part.name, part.call_id, part.input) for part in made.parts] == [
        (PartKind.TOOL_CALL, "bash", "c1", {"command": "ls"}),
        (PartKind.TOOL_CALL, "run", "c2", {"input": "x"}),
    ]
    assert (first.role, first.parts[0].name, first.parts[0].exit_code, first.parts[0].failed) == (Role.TOOL, "bash", 1, True)
    assert (second.parts[0].text, second.parts[0].failed) == ("fine", None)
    assert [(part.kind, part.text) for part in reply.parts] == [(PartKind.REASONING, "Hm."), (PartKind.TEXT, "Fixed.")]


@pytest.mark.parametrize("data", [
    CONVERSATION,
    {"messages": CONVERSATION, "model": "gpt-test", "session_id": "s9", "title": "T"},
    {"model": "gpt-test", "id": "other", "session_id": "s9", "title": "T", "nested": {"messages": [1]}, "messages": CONVERSATION},
    b"".join(line(message) + b"\n" for message in CONVERSATION),
])  # fmt: skip
def test_lists_objects_and_lines_read_the_same(tmp_path, data):
    with open_transcript(write(tmp_path, data)) as transcript:
        found = messages(transcript)
    assert [message.external_id for message in found] == [message.external_id for message in messages(read("openai-chat", *CONVERSATION))]
    assert [message.line for message in found] == [0, 1, 2, 3, 4, 5]
    assert transcript.report.format == "openai-chat"
    if isinstance(data, dict):
        assert (transcript.report.session_id, transcript.report.title, transcript.report.model) == ("s9", "T", "gpt-test")


def test_fields_of_a_document_name_the_session_wherever_they_stand(tmp_path):
    data = {"id": "weak", "provider": "acme", "messages": CONVERSATION, "session_id": "strong", "thread_id": "late", "cwd": "/r"}
    with open_transcript(write(tmp_path, data)) as transcript:
        assert len(messages(transcript)) == 6
    assert (transcript.report.session_id, transcript.report.provider, transcript.report.cwd) == ("strong", "acme", "/r")


def test_a_broken_field_beside_the_messages_costs_only_itself(tmp_path):
    data = b'{"title": nonsense, "id": "s1", "messages": [' + line(CONVERSATION[1]) + b"]}"
    with open_transcript(write(tmp_path, data)) as transcript:
        assert len(messages(transcript)) == 1
    assert (transcript.report.title, transcript.report.session_id) == ("", "s1")


def test_a_second_conversation_in_one_file_is_told(tmp_path):
    data = line({"messages": CONVERSATION}) + b"\n" + line({"messages": CONVERSATION})
    with open_transcript(write(tmp_path, data)) as transcript:
        assert len(messages(transcript)) == 6
    assert [skipped.reason for skipped in transcript.report.skipped] == ["follows the end of the document and was not read"]


def test_a_longer_file_repeats_the_ids_of_the_shorter():
    again = [*CONVERSATION, CONVERSATION[1], CONVERSATION[1]]
    short = [message.external_id for message in messages(read("openai-chat", *CONVERSATION))]
    long = [message.external_id for message in messages(read("openai-chat", *again))]
    assert long[:6] == short
    assert len(set(long)) == 8
    assert [long[1], *long[6:]] == [f"{long[1][:-2]}:{number}" for number in range(3)]


def test_own_ids_are_kept_and_made_unique():
    records = [{"role": "user", "id": "m1", "content": "a"}, {"role": "user", "id": "m1", "content": "b"}]
    assert [message.external_id for message in messages(read("openai-chat", *records))] == ["m1", "m1:1"]


@pytest.mark.parametrize("record", [
    {"role": "function", "name": "f", "content": "x"},
    {"role": "developer", "content": "x"},
    {"role": "assistant", "content": None, "refusal": "x"},
    {"role": "assistant", "content": "", "function_call": {"name": "f", "arguments": "{}"}},
    {"role": "user", "content": [{"type": "input_text", "text": "x"}]},
    {"role": "user", "content": ["x"]},
])  # fmt: skip
def test_the_less_usual_forms_are_read(record):
    (message,) = messages(read("openai-chat", record))
    assert message.parts[0].text == "x" or message.parts[0].name == "f"


def test_images_are_kept_without_their_bytes():
    content = [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "data:image/webp;base64,QUJDRA=="}},
               {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}]  # fmt: skip
    (message,) = messages(read("openai-chat", {"role": "user", "content": content}))
    assert [part.data for part in message.parts[1:]] == [{"media_type": "image/webp", "bytes": 6}, {"url": "https://example.org/a.png"}]


def test_reported_usage_counts_cached_tokens_once():
    usage = {"prompt_tokens": 2182, "completion_tokens": 89, "prompt_tokens_details": {"cached_tokens": 320}}
    extra = {"response": {"id": "r1", "model": "deepseek-chat", "usage": usage}, "timestamp": 1775786369.5}
    (message,) = messages(read("openai-chat", {"role": "assistant", "content": "x", "extra": extra}))
    assert message.usage == Usage(input=1862, output=89, cache_read=320)
    assert (message.usage_id, message.model) == ("r1", "deepseek-chat")
    assert message.at is not None
    assert message.at.year == 2026


def test_a_persons_words_are_cut_from_injected_ones():
    record = {"role": "user", "content": "Fix it\n<system-reminder>be kind</system-reminder>"}
    assert texts(messages(read("openai-chat", record)), Voice.PERSON) == ["Fix it"]


@pytest.mark.parametrize(("record", "reason"), [
    ({"role": "wizard", "content": "x"}, "has the role 'wizard', which is not known"),
    ({"content": "x"}, "has no role"),
    ({"role": "user", "content": 7}, "has content that is a number, neither a text nor a list"),
    ({"role": "user", "content": [{"type": "text"}]}, "part 1 is of no known kind"),
    ({"role": "assistant", "content": "x", "tool_calls": [{}]}, "tool call 1 has no name"),
    ([1], "is a list, not an object"),
])  # fmt: skip
def test_what_cannot_be_read_is_reported(record, reason):
    transcript = read("openai-chat", record)
    messages(transcript)
    assert [skipped.reason for skipped in transcript.report.skipped] == [reason]
