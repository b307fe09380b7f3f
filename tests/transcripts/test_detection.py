import os
from pathlib import Path

import pytest

from continuity.transcripts import (
    FORMATS,
    BinaryFile,
    EmptyFile,
    MissingFile,
    NotAFile,
    TranscriptError,
    UnknownFormat,
    UnreadableFile,
    detect,
    open_transcript,
    read_lines,
)
from tests.transcripts.records import SHARED, answer, claude, codex, line, messages, needs_shared, said, write, write_lines

CLAUDE = [claude("u1", None, "Hello"), answer("a1", "u1")]
CODEX = [codex("session_meta", {"id": "s", "timestamp": "t"}), said("user", "Hello")]
CHAT = [{"role": "system", "content": "x"}, {"role": "user", "content": "Hello"}]
BLOCKS = [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "x"}]}]


@pytest.mark.parametrize(("data", "expected"), [
    (CLAUDE, "claude-code"), (CODEX, "codex"), (CHAT, "openai-chat"), (BLOCKS, "anthropic-messages"),
])  # fmt: skip
def test_it_works(tmp_path, data, expected):
    assert detect(write_lines(tmp_path, *data)) == expected


@pytest.mark.parametrize(("data", "expected"), [
    ([{"type": "summary", "summary": "x", "leafUuid": "y"}], "claude-code"),
    ([{"type": "file-history-snapshot", "messageId": "m", "snapshot": {}}, claude("u1", None, "x")], "claude-code"),
    ([{"type": "queue-operation", "operation": "dequeue", "timestamp": "t", "sessionId": "s"}], "claude-code"),
    ([{"id": "s", "timestamp": "t", "instructions": None}, {"type": "message", "role": "user", "content": []}], "codex"),
    ([{"type": "last-prompt", "lastPrompt": "x", "sessionId": "s"}, {"type": "mode", "sessionId": "s"}, claude("u1", None, "x")],
     "claude-code"),
    ([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}], "openai-chat"),
    ([{"role": "user", "content": [{"type": "text", "text": "a"}]}, {"role": "assistant", "content": [{"type": "text", "text": "b"}]}],
     "anthropic-messages"),
    ([{"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f"}}]}], "openai-chat"),
    ([b"not json", b"{broken", *CLAUDE], "claude-code"),
    ([b"[oops", *CLAUDE], "claude-code"),
    ([b'{"type": "user", "message": {"content": "torn', *CODEX, *CODEX], "codex"),
])  # fmt: skip
def test_formats_are_recognised_by_what_they_hold(tmp_path, data, expected):
    assert detect(write_lines(tmp_path, *data)) == expected


@pytest.mark.parametrize(("data", "error", "words"), [
    (b"", EmptyFile, "is empty"),
    (b" \n\t\n" * 200_000, EmptyFile, "is empty"),
    (b"\x00" * 10_000, EmptyFile, "is empty"),
    (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), BinaryFile, "a PNG image"),
    (b"\x1f\x8b\x08" + bytes(range(256)), BinaryFile, "compressed with gzip"),
    (bytes(range(256)) * 50, BinaryFile, "a binary file"),
    (b"\xfe\xed" * 5000, BinaryFile, "a binary file"),
    (b"name,age\nann,7\n", UnknownFormat, "is text, but no transcript"),
    (b"# Notes\n\nSome markdown.", UnknownFormat, "is text, but no transcript"),
    (b'{"name": "x", "version": "1.0"}', UnknownFormat, "is JSON, but no transcript"),
    (b'{"messages": [{"type": "gemini", "content": "x"}]}', UnknownFormat, "is JSON, but no transcript"),
    (b"[1, 2, 3]", UnknownFormat, "is JSON, but no transcript"),
    (b"[" * 100_000, UnknownFormat, "is JSON, but no transcript"),
    (b'{"a":' * 20_000, UnknownFormat, "is JSON, but no transcript"),
    (b"[]", UnknownFormat, "is JSON, but no transcript"),
    (b'{"type": "click", "sessionId": "s"}', UnknownFormat, "is JSON, but no transcript"),
])  # fmt: skip
def test_what_is_no_transcript_is_named(tmp_path, data, error, words):
    path = write(tmp_path, data)
    with pytest.raises(error) as caught:
        open_transcript(path)
    assert type(caught.value) is error
    assert words in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    if issubclass(error, UnknownFormat):
        assert all(name in str(caught.value) for name in FORMATS)


def test_every_error_is_a_transcript_error_and_a_value_error():
    errors = (MissingFile, NotAFile, EmptyFile, UnreadableFile, UnknownFormat, BinaryFile)
    assert all(issubclass(error, TranscriptError) for error in errors)
    assert issubclass(TranscriptError, ValueError)


@pytest.mark.parametrize("read", [detect, open_transcript])
def test_missing_files_and_folders_are_named(tmp_path, read):
    with pytest.raises(MissingFile, match=r"There is no file .*nowhere"):
        read(tmp_path / "nowhere")
    with pytest.raises(NotAFile, match="is a directory"):
        read(tmp_path)
    with pytest.raises(NotAFile, match="not a regular file"):
        read("/dev/zero")
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read("a\x00b")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_named(tmp_path):
    path = write_lines(tmp_path, *CLAUDE)
    path.chmod(0)
    with pytest.raises(UnreadableFile, match="permission denied"):
        open_transcript(path)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that opens and cannot be read")
@pytest.mark.parametrize("read", [detect, open_transcript])
def test_a_file_that_fails_while_it_is_read_is_named(read):
    with pytest.raises(UnreadableFile, match="/proc/self/mem cannot be read"):
        read("/proc/self/mem")


def test_an_unknown_format_name_lists_the_known_ones(tmp_path):
    path = write_lines(tmp_path, *CLAUDE)
    with pytest.raises(UnknownFormat, match="no transcript format named 'cobol'; the known formats are claude-code, codex"):
        open_transcript(path, format="cobol")
    with pytest.raises(UnknownFormat, match="cobol"):
        read_lines("cobol", [])


def test_a_format_that_is_named_is_taken_even_where_nothing_fits(tmp_path):
    transcript = open_transcript(write(tmp_path, b"nothing here\nfits\n"), format="codex")
    assert messages(transcript) == []
    assert (transcript.report.format, transcript.report.skipped_count) == ("codex", 2)
    with pytest.raises(BinaryFile):
        open_transcript(write(tmp_path, b"\x89PNG\r\n\x1a\n\x00"), format="codex")


@pytest.mark.parametrize(("cut", "count"), [(0, 0), (1, 1), (2, 2), (99, 2), (None, 2)])
def test_a_cut_reads_only_the_first_lines_or_elements(tmp_path, cut, count):
    for path in (write_lines(tmp_path, *CHAT), write(tmp_path, CHAT), write(tmp_path, {"messages": CHAT})):
        assert len(messages(open_transcript(path, cut=cut))) == count


def test_blank_lines_count_for_a_cut_but_are_no_faults(tmp_path):
    transcript = open_transcript(write(tmp_path, b"\n" + line(CHAT[0]) + b"\n \n" + line(CHAT[1])), cut=3)
    assert [message.line for message in messages(transcript)] == [1]
    assert transcript.report.skipped == []


def test_leaving_a_transcript_early_closes_its_file(tmp_path):
    with open_transcript(write_lines(tmp_path, *CLAUDE)) as transcript:
        next(transcript)
    assert list(transcript) == []


@needs_shared
@pytest.mark.parametrize("folder", ["specstory", "aider", "gemini-cli", "copilot-cli", "swe-agent", "claude-code", "codex"])
def test_each_tools_files_are_recognised(folder):
    assert {detect(path) for path in sorted((SHARED / folder).iterdir())} == {folder}
