"""Files as crashes, exports and attackers leave them; each of them really is written and read."""

import json
import tracemalloc

import pytest

from continuity.transcripts import MAX_LINE, PART_LIMIT, PartKind, Voice, open_transcript
from tests.transcripts.records import answer, claude, line, messages, read, texts, write, write_lines

U0, U1, U2 = (line(claude(f"u{number}", None, f"word {number}")) for number in range(3))


def opened(folder, *lines):
    with open_transcript(write_lines(folder, *lines)) as transcript:
        return messages(transcript), [(skipped.line, skipped.reason) for skipped in transcript.report.skipped]


def test_it_works(tmp_path):
    found, skipped = opened(tmp_path, U0, b"{not json", U1)
    assert texts(found, Voice.PERSON) == ["word 0", "word 1"]
    assert skipped == [(1, "is not valid JSON (expecting property name enclosed in double quotes at character 2)")]


@pytest.mark.parametrize(("bad", "reason"), [
    (b"nonsense", "is not valid JSON"),
    (b"\x00" * 4096, "holds nothing but NUL bytes"),
    (b"[" * 100_000, "nests far too deep to be read"),
    (b'{"a":' * 100_000, "nests far too deep to be read"),
    (b"null", "is null, not an object"),
    (b"42", "is a number, not an object"),
    (b'"text"', "is a text, not an object"),
    (b"[]", "is a list, not an object"),
    (b"{}", "has no type"),
    (b'{"type": 7}', "has no type"),
    (b'{"type": "user", "uuid": "x"}', "has no message"),
    (b'{"type": "user", "uuid": "x", "message": null}', "has no message"),
    (b'{"type": "user", "uuid": "x", "message": "hi"}', "has a message that is a text"),
    (b'{"type": "user", "uuid": "x", "message": {"content": 7}}', "has content that is a number, neither a text nor a list"),
    (b'{"type": "user", "uuid": "x", "message": {}}', "has content that is null, neither a text nor a list"),
    (U0 + U0, "is not valid JSON (extra data"),
])  # fmt: skip
def test_a_bad_line_is_reported_with_its_number_and_the_rest_is_read(tmp_path, bad, reason):
    found, skipped = opened(tmp_path, U0, bad, U1)
    assert texts(found, Voice.PERSON) == ["word 0", "word 1"]
    assert [number for number, _ in skipped] == [1]
    assert skipped[0][1].startswith(reason)


def test_the_first_thousand_faults_are_kept_and_all_are_counted(tmp_path):
    with open_transcript(write_lines(tmp_path, U0, *[b"bad"] * 1500)) as transcript:
        messages(transcript)
    assert (len(transcript.report.skipped), transcript.report.skipped_count) == (1000, 1500)


def test_a_last_line_that_is_cut_off_is_told_from_a_bad_one(tmp_path):
    with open_transcript(write(tmp_path, U0 + b"\n" + U1[:-30])) as transcript:
        assert texts(messages(transcript), Voice.PERSON) == ["word 0"]
    assert [(skipped.line, skipped.reason) for skipped in transcript.report.skipped] == [(1, "is cut off: the file ends within it")]


def test_a_whole_last_line_needs_no_newline(tmp_path):
    with open_transcript(write(tmp_path, U0 + b"\n" + U1)) as transcript:
        assert len(messages(transcript)) == 2
    assert transcript.report.skipped == []


def test_a_document_that_is_cut_off_is_read_up_to_the_break(tmp_path):
    data = json.dumps({"messages": [{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}]}).encode()
    with open_transcript(write(tmp_path, data[:-12])) as transcript:
        assert texts(messages(transcript), Voice.PERSON) == ["one"]
    assert [(skipped.line, skipped.reason) for skipped in transcript.report.skipped] == [(1, "is cut off: the file ends within it")]


@pytest.mark.parametrize("data", [
    b"\xef\xbb\xbf" + U0 + b"\n" + U1,
    (U0 + b"\n" + U1).decode().encode("utf-16"),
    U0 + b"\r\n" + U1 + b"\r\n",
    b"\x00" * 512 + U0 + b"\n" + U1,
])  # fmt: skip
def test_marks_and_line_ends_of_other_systems_are_read(tmp_path, data):
    with open_transcript(write(tmp_path, data)) as transcript:
        assert texts(messages(transcript), Voice.PERSON) == ["word 0", "word 1"]
    assert transcript.report.skipped == []


@pytest.mark.parametrize(("written", "read_as"), [
    (b"caf\xe9 \xff\xfe", "caf\ufffd \ufffd\ufffd"),
    (b"a\x00b", "a\ufffdb"),
    (b"a\\u0000b", "a\ufffdb"),
    (b"a\\ud83db", "a\ufffdb"),
    (b"a\\ud83e\\udd23b", "a\U0001f923b"),
    (b"a\tb\x1bc", "a\tbc"),
])  # fmt: skip
def test_characters_that_nothing_can_store_are_replaced(tmp_path, written, read_as):
    found, skipped = opened(tmp_path, U0.replace(b"word 0", written))
    assert texts(found, Voice.PERSON) == [read_as]
    assert skipped == []


def test_a_long_line_is_read_and_its_part_clipped_in_the_middle(tmp_path):
    found, skipped = opened(tmp_path, line(claude("u0", None, "begin" + "x" * 20_000_000 + "end")), U1)
    (part,) = found[0].parts
    assert skipped == []
    assert part.clipped == 20_000_008
    assert PART_LIMIT - 100 < len(part.text) <= PART_LIMIT
    assert part.text.startswith("beginx")
    assert part.text.endswith("xend")
    assert "of 20,000,008 characters left out" in part.text


@pytest.mark.parametrize("content", [
    [{"type": "tool_use", "id": "c", "name": "Write", "input": {"file": {"content": "x" * 5000}}}],
    [{"type": "thinking", "thinking": "x" * 5000}],
    [{"type": "text", "text": "x" * 5000}],
])  # fmt: skip
def test_parts_of_every_kind_are_clipped(tmp_path, content):
    path = write_lines(tmp_path, claude("a", None, content, "assistant"))
    with open_transcript(path, part_limit=1000) as transcript:
        (part,) = messages(transcript)[0].parts
    assert part.clipped == 5000
    assert "of 5,000 characters left out" in json.dumps(part.as_json())
    assert len(json.dumps(part.as_json())) < 1300


def test_a_line_over_the_limit_is_passed_over_without_being_held(tmp_path):
    path = tmp_path / "long"
    with path.open("wb") as file:
        file.write(U0 + b'\n{"type": "user", "message": {"content": "')
        for _ in range(96):
            file.write(b"x" * 2**20)
        file.write(b'"}}\n' + U1)
    tracemalloc.start()
    with open_transcript(path) as transcript:
        found = messages(transcript)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert texts(found, Voice.PERSON) == ["word 0", "word 1"]
    assert [(skipped.line, skipped.reason) for skipped in transcript.report.skipped] == [
        (1, f"is 100,663,340 bytes long, more than the limit of {MAX_LINE:,}")
    ]
    assert peak < MAX_LINE + 2**22


@pytest.mark.parametrize("as_document", [True, False])
def test_memory_does_not_grow_with_the_file(tmp_path, as_document):
    records = [{"role": "user", "content": f"{number} " + "x" * 20_000} for number in range(1500)]
    path = write(tmp_path, {"messages": records}) if as_document else write_lines(tmp_path, *records)
    del records
    assert path.stat().st_size > 30_000_000
    tracemalloc.start()
    with open_transcript(path) as transcript:
        count = sum(1 for _ in transcript)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 1500
    assert peak < 6_000_000


def nested(levels):
    return b"[" * levels + b'"core"' + b"]" * levels


def test_deep_nesting_is_cut_and_marked():
    content = b'[{"type": "tool_use", "id": "c", "name": "f", "input": {"a": ' + nested(200) + b"}}]"
    transcript = read("claude-code", line(answer("a1", None)).replace(b'[{"type": "text", "text": "Done."}]', content))
    (part,) = messages(transcript)[0].parts
    assert "[nested deeper than 64 levels]" in json.dumps(part.input)
    assert "core" not in json.dumps(part.input)
    assert transcript.report.skipped == []


def test_absurd_numbers_become_text():
    content = b'[{"type": "tool_use", "id": "c", "name": "f", "input": {"a": ' + b"9" * 5000 + b', "b": 1e999, "c": NaN, "d": 7}}]'
    transcript = read("claude-code", line(answer("a1", None)).replace(b'[{"type": "text", "text": "Done."}]', content))
    (part,) = messages(transcript)[0].parts
    assert part.input == {"a": "9" * 5000, "b": "[inf]", "c": "[nan]", "d": 7}


def test_of_two_fields_with_one_name_the_last_counts():
    record = b'{"role": "user", "content": "first", "content": "second"}'
    assert texts(messages(read("openai-chat", record)), Voice.PERSON) == ["second"]


@pytest.mark.parametrize("values", [b"[]," * 2_000_000, b"1," * 3_000_000, b'{"a":{}},' * 700_000])
def test_a_record_of_countless_values_is_passed_over(tmp_path, values):
    found, skipped = opened(tmp_path, U0, b'{"type": "user", "x": [' + values + b"0]}", U1)
    assert texts(found, Voice.PERSON) == ["word 0", "word 1"]
    assert skipped == [(1, "holds more than 1,000,000 values")]


def test_a_long_text_full_of_commas_and_brackets_is_read(tmp_path):
    found, skipped = opened(tmp_path, line(claude("u0", None, '["a\\", {}],' * 500_000)), U1)
    assert (len(found), skipped) == (2, [])


def test_parts_and_faults_of_one_record_are_bounded(tmp_path):
    content = [*[7] * 1000, *[{"type": "text", "text": "x"}] * 12_000]
    found, skipped = opened(tmp_path, claude("u0", None, content))
    assert len(found[0].parts) == 10_000
    assert len(skipped) == 21
    assert skipped[-1] == (0, "what follows part 10,000 was not read")


def test_images_in_results_leave_no_bytes_behind(tmp_path):
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 4_000_000}}
    found, _ = opened(tmp_path, claude("u0", None, [image]))
    assert found[0].parts[0].kind is PartKind.IMAGE
    assert len(json.dumps(found[0].parts[0].as_json())) < 300
