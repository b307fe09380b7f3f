"""A caller of the API, as an agent is one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import UUID

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from continuity.models import Team
from continuity.services.accounts import apikeys
from continuity.services.accounts.bootstrap import DEMO_SESSION
from continuity.services.jobs import jobs

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse

    Answer: TypeAlias = _MonkeyPatchedWSGIResponse
else:
    Answer = HttpResponse

ROOT = "/api/v1"


class Caller:
    """Calls with one key. Every method gives the answer; `headers` are written as HTTP names them, with underscores."""

    def __init__(self, key: str = "") -> None:
        self.key = key
        self.client = Client(headers={"Authorization": f"Bearer {key}"} if key else {})

    @classmethod
    def of(cls, team: Team, scopes: Sequence[str] = apikeys.ALL_SCOPES) -> Caller:
        return cls(apikeys.issue(team=team, name="test", scopes=scopes)[1])

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.generic(method, ROOT + path, sent, content_type="application/json", headers=named)

    def get(self, path: str, **query: Any) -> Answer:
        return self.client.get(ROOT + path, query)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.call("POST", path, body, **headers)

    def patch(self, path: str, body: Any, **headers: str) -> Answer:
        return self.call("PATCH", path, body, **headers)

    def upload(self, content: bytes, name: str = "session.jsonl", headers: dict[str, str] | None = None, **form: str) -> Answer:
        file = SimpleUploadedFile(name, content)
        return self.client.post(f"{ROOT}/conversations/import", {"file": file, **form}, headers=headers or {})

    def open(self, **fields: Any) -> str:
        """A new conversation; gives its id."""
        answer = self.post("/conversations", fields)
        assert answer.status_code == 201, answer.content
        return str(answer.json()["id"])

    def say(self, conversation: str, *messages: dict[str, Any], **batch: Any) -> Answer:
        return self.post(f"/conversations/{conversation}/messages", {"messages": list(messages), **batch})

    def import_file(self, path: Path = DEMO_SESSION, **form: str) -> dict[str, Any]:
        """The job of an import, when it is over."""
        return self.finish(self.upload(path.read_bytes(), path.name, None, **form))

    def finish(self, accepted: Answer) -> dict[str, Any]:
        """The job of an answer 202, after a worker did it."""
        assert accepted.status_code == 202, accepted.content
        job = accepted.json()["id"]
        jobs.run(job_id=UUID(job))
        told: dict[str, Any] = self.get(f"/jobs/{job}").json()
        return told


def person(text: str, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **fields}


def agent(text: str, **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **fields}
