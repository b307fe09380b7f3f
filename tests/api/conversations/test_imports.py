"""Importing files as background jobs: what is right arrives once, what is wrong is said clearly."""

import json
from collections.abc import Iterator

import pytest
from pytest_django import Settings

from continuity.models import Message, Task, Team
from continuity.services.accounts.bootstrap import DEMO_SESSION
from continuity.services.recording import imports
from continuity.services.recording.imports import path_of
from continuity.transcripts import Event
from continuity.transcripts.base.lines import Raw
from continuity.transcripts.base.reading import Transcript
from tests.api.caller import Caller, person


def test_it_works(api: Caller) -> None:
    accepted = api.upload(DEMO_SESSION.read_bytes())
    assert (accepted.status_code, accepted.json()["status"], accepted.json()["kind"]) == (202, "queued", "import")
    job = api.finish(accepted)
    assert (job["status"], job["done"], job["total"], job["error"]) == ("done", 85, 85, "")
    assert (job["result"]["format"], job["result"]["added"], job["result"]["skipped_count"]) == ("claude-code", 85, 0)
    conversation = api.get(f"/conversations/{job['conversation_id']}").json()
    assert (conversation["title"], conversation["source_tool"], conversation["branch"]) == (
        "Quiet hours for SMS alerts",
        "claude-code",
        "feature/quiet-hours",
    )
    assert (conversation["message_count"], conversation["folded_seq"]) == (85, 85)


def test_a_large_file_is_read_twice_and_gives_the_same(api: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "KEPT_BYTES", 0)
    job = api.import_file()
    assert (job["result"]["messages"], job["result"]["added"]) == (85, 85)


def test_importing_twice_changes_nothing(api: Caller) -> None:
    first = api.import_file()
    before = api.get(f"/conversations/{first['conversation_id']}").json()
    second = api.import_file()
    assert (second["conversation_id"], second["result"]["added"]) == (first["conversation_id"], 0)
    assert api.get(f"/conversations/{first['conversation_id']}").json() == before


def test_a_later_state_of_the_file_adds_only_the_rest(api: Caller) -> None:
    lines = DEMO_SESSION.read_bytes().splitlines(keepends=True)
    first = api.finish(api.upload(b"".join(lines[:40])))
    rest = api.import_file()
    assert rest["conversation_id"] == first["conversation_id"]
    assert first["result"]["added"] + rest["result"]["added"] == 85
    assert Message.objects.count() == 85


def test_a_prompt_that_waited_at_the_end_stands_once_when_the_file_goes_on(api: Caller) -> None:
    *lines, last = DEMO_SESSION.read_bytes().splitlines(keepends=True)
    session = json.loads(last)["sessionId"]
    waits = {"type": "queue-operation", "operation": "enqueue", "content": "Update the docs as well.", "sessionId": session}
    lines += [last, json.dumps(waits).encode() + b"\n"]
    first = api.finish(api.upload(b"".join(lines)))
    assert first["result"]["added"] == 86
    said = {"type": "user", "uuid": "later", "parentUuid": json.loads(last)["uuid"], "sessionId": session}
    goes_on = [
        {**waits, "operation": "dequeue", "content": ""},
        {**said, "message": {"role": "user", "content": "Update the docs as well."}},
    ]
    second = api.finish(api.upload(b"".join([*lines, *(json.dumps(record).encode() + b"\n" for record in goes_on)])))
    assert second["conversation_id"] == first["conversation_id"]
    told = [row for row in Message.objects.filter(abandoned=False).order_by("seq") if "Update the docs as well." in str(row.parts)]
    assert [row.external_id for row in told] == ["later"]
    requests = Task.objects.filter(conversation=first["conversation_id"], description__contains="Update the docs as well.")
    assert requests.count() == 1


def test_into_a_conversation_that_is_named(api: Caller) -> None:
    conversation = api.open(title="Mine")
    job = api.import_file(conversation_id=conversation)
    assert job["result"]["conversation_id"] == conversation
    assert api.get(f"/conversations/{conversation}").json()["message_count"] == 85


def test_what_people_send_in_other_forms_is_found_by_its_content(api: Caller) -> None:
    chat = b'{"messages": [{"role": "user", "content": "Use Postgres."}, {"role": "assistant", "content": "I will."}]}'
    assert api.finish(api.upload(chat, "chat.json"))["result"]["messages"] == 2


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [
        (b"\n \n", "blank.jsonl", "is empty"),
        (b"\x00\x01\x02\xff" * 500, "core", "binary"),
        (b"Dear diary, nothing happened.\n" * 20, "diary.txt", "no transcript"),
        (b'{"a": 1}\n' * 5, "rows.jsonl", "no transcript"),
        (b"[" * 100_000, "deep.json", "transcript"),
        (b'{"type":"summary","summary":"x","leafUuid":"y"}\n', "summary.jsonl", "no messages"),
    ],
)
def test_a_file_that_is_no_transcript_fails_with_a_reason(api: Caller, content: bytes, name: str, says: str) -> None:
    job = api.finish(api.upload(content, name))
    assert job["status"] == "failed"
    assert says in job["error"]
    assert "Traceback" not in job["error"]
    assert str(path_of("")) not in job["error"]


def test_an_image_is_refused_at_once(api: Caller) -> None:
    refused = api.upload(b"\x89PNG\r\n\x1a\n" + b"\x00" * 200, "shot.png")
    assert (refused.status_code, refused.json()["field"]) == (422, "file")
    assert "image" in refused.json()["detail"]


def test_bad_lines_are_reported_by_number_and_skipped(api: Caller) -> None:
    lines = DEMO_SESSION.read_bytes().splitlines(keepends=True)
    job = api.finish(api.upload(b"".join([*lines[:10], b"{broken\n", b"\x00\x00\n", *lines[10:20], lines[20][:50]])))
    assert job["status"] == "done"
    assert {skipped["line"] for skipped in job["result"]["skipped"]} >= {11, 12, 23}


def test_an_empty_upload_and_a_missing_file_are_refused(api: Caller) -> None:
    missing = api.client.post("/api/v1/conversations/import", {"format": "auto"})
    assert (missing.status_code, missing.json()["field"]) == (422, "file")
    assert api.finish(api.upload(b""))["status"] == "failed"


def test_an_unknown_format_is_refused_at_once(api: Caller) -> None:
    refused = api.upload(b"x", format="wordperfect")
    assert (refused.status_code, refused.json()["field"]) == (422, "format")
    assert "claude-code" in refused.json()["detail"]


def test_a_file_over_the_limit_is_refused_and_not_kept(api: Caller, settings: Settings) -> None:
    settings.CONTINUITY_MAX_UPLOAD_BYTES = 1000
    refused = api.upload(b"x" * 1001)
    assert (refused.status_code, refused.json()["limit"]) == (413, "1,000 bytes")


def test_the_file_is_deleted_when_it_was_read(api: Caller, team: Team) -> None:
    accepted = api.upload(DEMO_SESSION.read_bytes())
    name = team.jobs.get(id=accepted.json()["id"]).arguments["file"]
    assert path_of(name).stat().st_mode & 0o777 == 0o600
    api.finish(accepted)
    assert not path_of(name).exists()


def test_importing_into_a_conversation_that_ended_fails_with_that_reason(api: Caller) -> None:
    conversation = api.open()
    api.say(conversation, person("Hello"))
    api.post(f"/conversations/{conversation}/invalidate")
    job = api.import_file(conversation_id=conversation)
    assert (job["status"], job["error"]) == ("failed", "Session invalidated")


def test_a_reader_that_fails_is_told_at_once_with_its_line(api: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not after five attempts: another one would read the same line."""

    def broken(transcript: Transcript, raw: Raw) -> Iterator[Event]:
        if raw.line == 40:
            raise ValueError("inner detail")
        return read_record(transcript, raw)

    read_record = Transcript._record
    monkeypatch.setattr(Transcript, "_record", broken)
    accepted = api.upload(DEMO_SESSION.read_bytes())
    job = api.finish(accepted)
    assert job["status"] == "failed"
    assert job["error"].startswith("Line 41 of the file: ValueError in tests/api/conversations/test_imports.py, line ")
    assert "inner detail" not in job["error"]
