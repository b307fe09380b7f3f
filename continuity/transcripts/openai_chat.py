"""OpenAI's chat form: a list, an object with `messages` (a trajectory, for one), or one message a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from continuity.transcripts.base.call_arguments import read_arguments
from continuity.transcripts.base.exit_codes import stated_exit_code
from continuity.transcripts.base.fields import count, identifier, label, listing, mapping, moment, pieces, string, whole
from continuity.transcripts.base.format import Event, Format, Parser, Sample, share
from continuity.transcripts.base.identity import ToolNames
from continuity.transcripts.base.model import Report, Role, Usage, Voice
from continuity.transcripts.base.parts import Parts
from continuity.transcripts.chat import ChatSession, is_message, role_of

NAME = "openai-chat"

_OWN_ROLES = frozenset({"system", "developer", "tool", "function", "exit"})
_TEXTS = ("text", "input_text", "output_text")
_IMAGES = {"image_url": "image_url", "input_image": "image_url", "input_audio": "input_audio", "file": "file"}


class OpenAIChatParser(Parser):
    def __init__(self, report: Report, part_limit: int) -> None:
        self._report = report
        self._limit = part_limit
        self._session = ChatSession(report)
        self._tools = ToolNames()

    def field(self, name: str, value: Any) -> Iterator[Event]:
        self._session.field(name, value)
        if name == "info":
            # a mini-swe-agent trajectory tells its folder and model here
            config = mapping(mapping(value).get("config"))
            self._report.cwd = label(mapping(config.get("environment")).get("cwd")) or self._report.cwd
            self._report.model = label(mapping(config.get("model")).get("model_name")) or self._report.model
        return iter(())

    def record(self, line: int, record: Any) -> Iterator[Event]:
        role = role_of(record)
        parts = Parts(self._limit, self._tools)
        extra = mapping(record.get("extra"))
        response = mapping(extra.get("response"))
        if role is Role.TOOL:
            self._read_result(record, extra, parts)
        else:
            self._read_message(record, role, parts)
        assistant = role is Role.ASSISTANT
        message = self._session.message(
            line,
            record,
            role,
            parts,
            at=moment(extra.get("timestamp")),
            model=(label(record.get("model")) or label(response.get("model"))) if assistant else "",
            usage=_usage(mapping(record.get("usage")) or mapping(response.get("usage"))) if assistant else None,
            usage_id=identifier(response.get("id")) or identifier(record.get("id")),
        )
        if message.parts:
            yield message

    def _read_message(self, record: Mapping[str, Any], role: Role, parts: Parts) -> None:
        if role is Role.ASSISTANT:
            parts.reasoning(string(record.get("reasoning_content")) or string(record.get("reasoning")))
        _read_content(record.get("content"), role, parts, partial(parts.said, role))
        parts.text(string(record.get("refusal")), Voice.AGENT)
        for number, call in enumerate(listing(record.get("tool_calls")), 1):
            self._read_call(call, number, parts)
        function = mapping(record.get("function_call"))
        if string(function.get("name")):
            parts.call(string(function.get("name")), "", read_arguments(function.get("arguments")))

    def _read_call(self, call: Any, number: int, parts: Parts) -> None:
        fields = mapping(call)
        function, custom = mapping(fields.get("function")), mapping(fields.get("custom"))
        name = string(function.get("name")) or string(custom.get("name"))
        if not name:
            parts.problem(f"tool call {number} has no name")
            return
        arguments = read_arguments(function.get("arguments")) if function else {"input": custom.get("input")}
        parts.call(name, identifier(fields.get("id")), arguments)

    def _read_result(self, record: Mapping[str, Any], extra: Mapping[str, Any], parts: Parts) -> None:
        texts: list[str] = []
        _read_content(record.get("content"), Role.TOOL, parts, texts.append)
        text = "\n".join(texts)
        code = whole(extra.get("returncode"))
        parts.result(
            text,
            identifier(record.get("tool_call_id")),
            name=label(record.get("name")),
            exit_code=code if code is not None else stated_exit_code(text),
        )


def _read_content(content: Any, role: Role, parts: Parts, speak: Callable[[str], None]) -> None:
    """Gives the texts of a message's content to `speak`, and adds its images, in order."""
    if content is None:
        return
    for number, piece in enumerate(pieces(content), 1):
        kind = mapping(piece).get("type")
        if isinstance(piece, str):
            speak(piece)
        elif kind in _TEXTS and isinstance(piece.get("text"), str):
            speak(piece["text"])
        elif kind == "refusal":
            speak(string(piece.get("refusal")))
        elif isinstance(kind, str) and kind in _IMAGES:
            parts.image(piece.get(_IMAGES[kind]), Voice.PERSON if role is Role.USER else Voice.TOOL)
        else:
            parts.problem(f"part {number} is of no known kind")


def _usage(raw: Mapping[str, Any]) -> Usage | None:
    """OpenAI counts the cached tokens within the prompt and the reasoning within the completion."""
    details = mapping(raw.get("prompt_tokens_details")) or mapping(raw.get("input_tokens_details"))
    prompt = count(raw.get("prompt_tokens")) or count(raw.get("input_tokens"))
    cached = min(count(details.get("cached_tokens")), prompt)
    completion = count(raw.get("completion_tokens")) or count(raw.get("output_tokens"))
    usage = Usage(input=prompt - cached, output=completion, cache_read=cached)
    return usage if usage.context else None


def sniff(sample: Sample) -> int:
    """Chat messages; those without anything that is OpenAI's own count for less."""
    messages = [record for record in sample.records if is_message(record)]
    score = share(len(messages), len(sample.records))
    return score if any(_is_own(message) for message in messages) else score * 3 // 5


def _is_own(message: Mapping[str, Any]) -> bool:
    kinds = [mapping(piece).get("type") for piece in listing(message.get("content"))]
    return (
        message["role"] in _OWN_ROLES
        or any(key in message for key in ("tool_calls", "tool_call_id", "function_call"))
        or any(isinstance(kind, str) and (kind in _IMAGES or kind in ("input_text", "output_text")) for kind in kinds)
    )


FORMAT = Format(NAME, sniff, OpenAIChatParser)
