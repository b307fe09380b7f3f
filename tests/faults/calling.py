"""A caller over HTTP who repeats what was not acknowledged, and writes down what was."""

from __future__ import annotations

import http.client
import json
import time
from dataclasses import dataclass, field
from typing import Any

from tests.platform.running import PATIENCE_SECONDS

# What a server that is away for a moment may answer; anything else must be an answer to the question.
AWAY = (503,)


@dataclass
class Answer:
    status: int
    body: dict[str, Any]
    headers: dict[str, str]
    seconds: float


@dataclass
class Caller:
    """Calls `/api/v1` of a server on `port` with a key. `refused` holds the problems that were answered on the way."""

    port: int
    key: str
    refused: list[Answer] = field(default_factory=list)
    broken: int = 0
    host: str = "127.0.0.1"

    def once(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """One try. Raises OSError or HTTPException where no answer comes."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        began = time.monotonic()
        try:
            sent = None if body is None else json.dumps(body)
            connection.request(
                method,
                f"/api/v1{path}",
                sent,
                {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json", **named},
            )
            response = connection.getresponse()
            text = response.read()
            told = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, json.loads(text) if text else {}, told, time.monotonic() - began)
        finally:
            connection.close()

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Tries until it is answered by more than "away"."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            try:
                answer = self.once(method, path, body, **headers)
            except (OSError, http.client.HTTPException):
                self.broken += 1
            else:
                if answer.status not in AWAY:
                    return answer
                self.refused.append(answer)
            time.sleep(0.1)
        raise AssertionError(f"{method} {path} was not answered in {PATIENCE_SECONDS} s; last {self.refused[-1:]}")

    def get(self, path: str) -> dict[str, Any]:
        answer = self.call("GET", path)
        assert answer.status == 200, answer
        return answer.body

    def conversation(self, title: str) -> str:
        answer = self.call("POST", "/conversations", {"title": title, "source_tool": "faults", "external_id": title, "model": "gpt-5"})
        assert answer.status in (200, 201), answer
        return str(answer.body["id"])

    def append(self, conversation: str, *numbers: int) -> Answer:
        """Messages that are known by their numbers; the odd ones are the person's."""
        said = [
            {"external_id": f"m{number}", "role": "user" if number % 2 else "assistant", "content": words(number)} for number in numbers
        ]
        return self.call("POST", f"/conversations/{conversation}/messages", {"messages": said})

    def stored(self, conversation: str) -> list[str]:
        """The external ids of all its messages, in order."""
        found: list[str] = []
        cursor = ""
        while True:
            page = self.get(f"/conversations/{conversation}/messages?limit=200{cursor}")
            found += [message["external_id"] for message in page["items"]]
            if not page["next_cursor"]:
                return found
            cursor = f"&cursor={page['next_cursor']}"


def words(number: int) -> str:
    if number % 2:
        return f"Never write to the table harbour_{number}, and use port {7000 + number} for the tide service."
    return f"I have set port {6999 + number} in tide_{number}.py and left harbour_{number - 1} alone."
