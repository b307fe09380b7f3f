"""A model server on loopback, for real tools: it answers every message with the same words, and keeps what it was asked.

It speaks as Anthropic's messages do and as OpenAI's responses. While it `hangs`, an answer stops in its middle.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SAID = "The tide page is built."


class _Handler(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        self.server.asked.append(asked)
        if "count_tokens" in self.path:
            self._send("application/json", json.dumps({"input_tokens": 10}).encode())
        elif self.path.endswith("/responses"):
            self._stream(_response_events())
        elif asked.get("stream"):
            self._stream(_events(asked))
        else:
            self._send("application/json", json.dumps(_message(asked, [{"type": "text", "text": SAID}], "end_turn")).encode())

    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""

    def _stream(self, events: Iterator[bytes]) -> None:
        """All of it, or while the model hangs only its first two events, and then nothing until the asker is gone."""
        told = list(events)
        if not self.server.hangs:
            self._send("text/event-stream", b"".join(told))
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(b"".join(told[:2]))
        self.wfile.flush()
        self.server.in_the_middle.set()
        self.server.ended.wait()

    def _send(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Model(ThreadingHTTPServer):
    """`asked` are the bodies of all requests, in order."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, Any]] = []
        self.hangs = False
        self.in_the_middle, self.ended = threading.Event(), threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def running() -> Iterator[Model]:
    model = Model()
    thread = threading.Thread(target=model.serve_forever)
    thread.start()
    try:
        yield model
    finally:
        model.ended.set()
        model.shutdown()
        thread.join()
        model.server_close()


def _message(asked: dict[str, Any], content: list[dict[str, Any]], stop: str | None) -> dict[str, Any]:
    usage = {"input_tokens": 1000, "output_tokens": 7, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    about = {"id": "msg_01", "type": "message", "role": "assistant", "model": str(asked.get("model", "claude"))}
    return {**about, "content": content, "stop_reason": stop, "stop_sequence": None, "usage": usage}


def _events(asked: dict[str, Any]) -> Iterator[bytes]:
    told: list[dict[str, Any]] = [
        {"type": "message_start", "message": _message(asked, [], None)},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": SAID}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 7}},
        {"type": "message_stop"},
    ]
    for each in told:
        yield f"event: {each['type']}\ndata: {json.dumps(each)}\n\n".encode()


def _response_events() -> Iterator[bytes]:
    said = {"type": "message", "role": "assistant", "id": "msg_1", "content": [{"type": "output_text", "text": SAID}]}
    usage = {"input_tokens": 1000, "input_tokens_details": None, "output_tokens": 7, "output_tokens_details": None, "total_tokens": 1007}
    told: list[dict[str, Any]] = [
        {"type": "response.created", "response": {"id": "resp_1"}},
        {"type": "response.output_item.added", "output_index": 0, "item": {**said, "content": []}},
        {"type": "response.output_item.done", "output_index": 0, "item": said},
        {"type": "response.completed", "response": {"id": "resp_1", "output": [said], "usage": usage}},
    ]
    for each in told:
        yield f"event: {each['type']}\ndata: {json.dumps(each)}\n\n".encode()
