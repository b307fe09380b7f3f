"""A server on loopback that speaks both protocols, and misbehaves as it is told."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[["Call"], None]


@dataclass
class Asked:
    """One question as the server got it."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages of the window."""
        return list(json.loads(self.body["messages"][-1]["content"])["messages"])

    @property
    def known(self) -> dict[str, list[dict[str, Any]]]:
        given = json.loads(self.body["messages"][-1]["content"])
        return {"anchors": given["known_anchors"], "tasks": given["known_tasks"]}


@dataclass
class ModelServer:
    """`answers` are used up in order, the last one for ever; `asked` is what came in."""

    url: str = ""
    answers: list[Answer] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    def next_answer(self) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class Call(BaseHTTPRequestHandler):
    """One request; `model` is the server's memory, `asked` the question."""

    model: ModelServer
    asked: Asked

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        self.model.asked.append(self.asked)
        self.model.next_answer()(self)

    def send(self, body: bytes, *, status: int = 200, content_type: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def say(self, text: str) -> None:
        """The text as the answer of a model, in the protocol that was asked in."""
        if self.path.endswith("/chat/completions"):
            document: dict[str, Any] = {"choices": [{"message": {"role": "assistant", "content": text}}]}
            document["usage"] = {"prompt_tokens": 900, "completion_tokens": 70}
        else:
            document = {"content": [{"type": "text", "text": text}], "usage": {"input_tokens": 900, "output_tokens": 70}}
        self.send(json.dumps(document).encode())

    def hang_up(self) -> None:
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the terminal."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up first is what some tests are about."""


@contextmanager
def serving() -> Iterator[ModelServer]:
    model = ModelServer()
    server = _Server(("127.0.0.1", 0), type("OurCall", (Call,), {"model": model}))
    model.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield model
    model.released.set()
    server.shutdown()
    server.server_close()
    thread.join()


def proposal(**answer: Any) -> Answer:
    """An orderly answer with these lists."""
    return lambda call: call.say(json.dumps({"anchors": [], "tasks": [], "settled": [], "summary": "", **answer}))


def anchor(quote: str, message: int, type: str = "Constraint", importance: float = 0.9) -> dict[str, Any]:
    return {"type": type, "message": message, "quote": quote, "importance": importance}


def says(text: str) -> Answer:
    return lambda call: call.say(text)


def sends(body: bytes, **more: Any) -> Answer:
    return lambda call: call.send(body, **more)
