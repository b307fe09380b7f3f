"""What each maker's model server answers: the same words in another dress, whole or as a stream."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

Answer = tuple[str, bytes]
STREAM = "text/event-stream"


def answer(path: str, asked: dict[str, Any], words: str, used: int) -> Answer | None:
    """The type and the body of the answer, to a question of so many tokens; None where no maker has such a path."""
    place = path.partition("?")[0]
    return next((made(path, asked, words, used) for end, made in DIALECTS.items() if place.endswith(end)), None)


def anthropic(path: str, asked: dict[str, Any], words: str, used: int) -> Answer:
    usage = {"input_tokens": used, "output_tokens": 7, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    about = {"id": "msg_01", "type": "message", "role": "assistant", "model": str(asked.get("model", "claude")), "usage": usage}
    if not asked.get("stream"):
        return _whole({**about, "content": [{"type": "text", "text": words}], "stop_reason": "end_turn", "stop_sequence": None})
    begun = {**about, "content": [], "stop_reason": None, "stop_sequence": None}
    return STREAM, b"".join(
        _named(
            [
                {"type": "message_start", "message": begun},
                {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
                {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": words}},
                {"type": "content_block_stop", "index": 0},
                {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 7}},
                {"type": "message_stop"},
            ]
        )
    )


def responses(path: str, asked: dict[str, Any], words: str, used: int) -> Answer:
    """OpenAI's, of which Codex speaks no other."""
    content = [{"type": "output_text", "text": words, "annotations": []}]
    item = {"type": "message", "id": "item_1", "role": "assistant", "status": "completed", "content": content}
    whole = _response(asked, item, used)
    if not asked.get("stream"):
        return _whole(whole)
    begun = {**whole, "status": "in_progress", "output": [], "usage": None}
    empty = {**item, "content": [], "status": "in_progress"}
    place: dict[str, Any] = {"item_id": "item_1", "output_index": 0, "content_index": 0}
    told: list[dict[str, Any]] = [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": empty},
        {"type": "response.content_part.added", **place, "part": {"type": "output_text", "text": "", "annotations": []}},
        {"type": "response.output_text.delta", **place, "delta": words},
        {"type": "response.output_text.done", **place, "text": words},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
    return STREAM, b"".join(_named([{**each, "sequence_number": number} for number, each in enumerate(told)]))


def shell_call(asked: dict[str, Any], command: str, used: int) -> Answer | None:
    """OpenAI's call of the shell, under the name that the asker gives it; None where it gives none, or was just told what came of one."""
    given = asked.get("input")
    if not asked.get("stream") or (isinstance(given, list) and given and given[-1].get("type") == "function_call_output"):
        return None
    known = {str(tool.get("name")) for tool in asked.get("tools", [])}
    name = next((each for each in SHELLS if each in known), "")
    if not name:
        return None
    call = {"type": "function_call", "id": "item_1", "call_id": f"call_{len(given or [])}", "status": "completed", "name": name}
    item = {**call, "arguments": json.dumps(SHELLS[name](command))}
    whole = _response(asked, item, used)
    told: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": [], "usage": None}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
    return STREAM, b"".join(_named([{**each, "sequence_number": number} for number, each in enumerate(told)]))


def chat(path: str, asked: dict[str, Any], words: str, used: int) -> Answer:
    usage = {"prompt_tokens": used, "completion_tokens": 7, "total_tokens": used + 7}
    about = {"id": "chat_1", "created": 1_790_000_000, "model": asked.get("model"), "usage": usage}
    if not asked.get("stream"):
        message = {"index": 0, "message": {"role": "assistant", "content": words}, "finish_reason": "stop"}
        return _whole({**about, "object": "chat.completion", "choices": [message]})
    pieces = [
        {"index": 0, "delta": {"role": "assistant", "content": words}, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": "stop"},
    ]
    return STREAM, b"".join(_data({**about, "object": "chat.completion.chunk", "choices": [each]}) for each in pieces) + b"data: [DONE]\n\n"


def google(path: str, asked: dict[str, Any], words: str, used: int) -> Answer:
    content = {"role": "model", "parts": [{"text": words}]}
    usage = {"promptTokenCount": used, "candidatesTokenCount": 7, "totalTokenCount": used + 7}
    told = {"candidates": [{"index": 0, "content": content, "finishReason": "STOP"}], "usageMetadata": usage, "modelVersion": "gemini"}
    return (STREAM, _data(told)) if "streamGenerateContent" in path else _whole(told)


def count(path: str, asked: dict[str, Any], words: str, used: int) -> Answer:
    return _whole({"input_tokens": 10, "totalTokens": 10})


SHELLS: dict[str, Callable[[str], dict[str, Any]]] = {
    "exec_command": lambda command: {"cmd": command},
    "shell_command": lambda command: {"command": command},
    "shell": lambda command: {"command": ["bash", "-c", command]},
}
DIALECTS: dict[str, Callable[[str, dict[str, Any], str, int], Answer]] = {
    "count_tokens": count,
    ":countTokens": count,
    "/messages": anthropic,
    "/responses": responses,
    "/chat/completions": chat,
    ":generateContent": google,
    ":streamGenerateContent": google,
}


def _response(asked: dict[str, Any], item: dict[str, Any], used: int) -> dict[str, Any]:
    counted = {"input_tokens": used, "output_tokens": 7, "total_tokens": used + 7}
    usage = {**counted, "input_tokens_details": None, "output_tokens_details": None}
    return {"id": "resp_1", "object": "response", "status": "completed", "model": asked.get("model"), "output": [item], "usage": usage}


def _whole(told: dict[str, Any]) -> Answer:
    return "application/json", json.dumps(told).encode()


def _named(told: list[dict[str, Any]]) -> Iterator[bytes]:
    for each in told:
        yield f"event: {each['type']}\n".encode() + _data(each)


def _data(told: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(told)}\n\n".encode()
