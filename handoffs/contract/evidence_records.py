"""Evidence from results as JSON objects, and back; decisions in tools' dialogs are in `decision_records`."""

from __future__ import annotations

from typing import Any

from continuity.knowledge.evidence import (
    ChangedFile,
    CodeEdit,
    Failure,
    Keeping,
    MadeOutside,
    PartState,
    WorkPart,
)
from handoffs.contract.fields import Fields


def changed_record(file: ChangedFile) -> dict[str, Any]:
    return {"path": file.path, "keeping": file.keeping.value, "seq": file.seq, "commit": file.commit, "shown": file.shown}


def read_changed(fields: Fields) -> ChangedFile:
    return ChangedFile(
        fields.text("path"),
        fields.choice("keeping", Keeping),
        fields.integer("seq", 0),
        fields.text("commit", ""),
        bool(fields.optional_flag("shown")),
    )


def edit_record(edit: CodeEdit) -> dict[str, Any]:
    return {
        "path": edit.path,
        "seq": edit.seq,
        "body": edit.body,
        "names": list(edit.names),
        "created": edit.created,
        "line": edit.line,
    }


def read_edit(fields: Fields) -> CodeEdit:
    return CodeEdit(
        fields.text("path"),
        fields.integer("seq", 0),
        fields.text("body", ""),
        fields.texts("names"),
        bool(fields.optional_flag("created")),
        fields.integer("line", 0),
    )


def failure_record(failure: Failure) -> dict[str, Any]:
    return {
        "check": failure.check,
        "seq": failure.seq,
        "test": failure.test,
        "at": failure.at,
        "expected": failure.expected,
        "got": failure.got,
        "cause": failure.cause,
        "stale": failure.stale,
    }


def read_failure(fields: Fields) -> Failure:
    return Failure(
        fields.text("check", ""),
        fields.integer("seq", 0),
        test=fields.text("test", ""),
        at=fields.text("at", ""),
        expected=fields.text("expected", ""),
        got=fields.text("got", ""),
        cause=fields.text("cause", ""),
        stale=bool(fields.optional_flag("stale")),
    )


def part_record(part: WorkPart) -> dict[str, Any]:
    return {
        "title": part.title,
        "state": part.state.value,
        "firstSeq": part.seq,
        "lastSeq": part.last_seq,
        "id": part.id,
        "wanted": part.wanted,
        "files": list(part.files),
        "commits": list(part.commits),
        "check": part.check,
        "closing": part.closing,
    }


def read_part(fields: Fields) -> WorkPart:
    return WorkPart(
        fields.text("title", ""),
        fields.choice("state", PartState),
        fields.integer("firstSeq", 0),
        fields.integer("lastSeq", 0),
        fields.text("id", ""),
        fields.text("wanted", ""),
        fields.texts("files"),
        fields.texts("commits"),
        fields.text("check", ""),
        fields.text("closing", ""),
    )


def made_record(made: MadeOutside) -> dict[str, Any]:
    return {"kind": made.kind, "id": made.id, "seq": made.seq, "url": made.url}


def read_made(fields: Fields) -> MadeOutside:
    return MadeOutside(fields.text("kind", ""), fields.text("id", ""), fields.integer("seq", 0), fields.text("url", ""))
