"""Anthropic content blocks to parts; both Anthropic messages and Claude Code records carry them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from continuity.transcripts.base.exit_codes import stated_exit_code
from continuity.transcripts.base.fields import count, identifier, kind_of, label, listing, mapping, pieces, string
from continuity.transcripts.base.model import Usage, Voice
from continuity.transcripts.base.parts import Parts
from continuity.transcripts.user_words import split_reminder

Speak = Callable[[str], None]


def read_content(content: Any, parts: Parts, speak: Speak, on_result: Callable[[Mapping[str, Any]], None]) -> None:
    """Adds the parts of a message's content: a text, or a list of blocks.

    `speak` takes the texts, `on_result` the tool results. Blocks that are malformed are noted as problems. Raises
    BadRecord where the content is neither.
    """
    for number, block in enumerate(pieces(content), 1):
        if isinstance(block, str):
            speak(block)
        elif not isinstance(block, dict):
            parts.problem(f"part {number} is {kind_of(block)}, not an object")
        elif reason := _read_block(block, parts, speak, on_result):
            parts.problem(f"part {number} {reason}")


def _read_block(block: Mapping[str, Any], parts: Parts, speak: Speak, on_result: Callable[[Mapping[str, Any]], None]) -> str:
    """Adds one block; returns why it could not, or nothing."""
    kind = block.get("type")
    if not isinstance(kind, str):
        return "has no type"
    if kind == "text":
        if not isinstance(block.get("text"), str):
            return "is a text without text"
        speak(block["text"])
    elif kind == "thinking":
        parts.reasoning(string(block.get("thinking")))
    elif kind.endswith("tool_use"):
        return _read_call(block, parts)
    elif kind.endswith("tool_result"):
        on_result(block)
    elif kind in ("image", "document"):
        _read_attachment(block, parts, Voice.PERSON)
    return ""


def _read_call(block: Mapping[str, Any], parts: Parts) -> str:
    if not isinstance(block.get("name"), str):
        return "is a tool call without a name"
    arguments = block.get("input") or {}
    parts.call(block["name"], identifier(block.get("id")), arguments if isinstance(arguments, dict) else {"input": arguments})
    return ""


def _read_attachment(block: Mapping[str, Any], parts: Parts, voice: Voice, call_id: str = "") -> None:
    source = mapping(block.get("source"))
    if source.get("type") == "text":
        parts.text(string(source.get("data")), Voice.HARNESS, {"document": label(block.get("title"))})
    else:
        parts.image(source, voice, call_id)


def result_text(content: Any) -> str:
    """The text of a tool result, whose content is a text, a list of blocks, or missing."""
    if isinstance(content, str):
        return content
    texts = []
    for block in listing(content):
        if isinstance(block, str):
            texts.append(block)
        elif isinstance(text := mapping(block).get("text"), str):
            texts.append(text)
        elif isinstance(tool := mapping(block).get("tool_name"), str):
            texts.append(f"[{tool}]")
    return "\n".join(texts)


def read_result(
    block: Mapping[str, Any],
    parts: Parts,
    *,
    text: str | None = None,
    failed: bool | None = None,
    exit_code: int | None = None,
    data: Mapping[str, Any] | None = None,
) -> None:
    """Adds a tool result and the images in it; what the caller knows goes before what the text states."""
    call_id = identifier(block.get("tool_use_id"))
    stated = block.get("is_error")
    if text is None:
        text = result_text(block.get("content"))
    if exit_code is None:
        exit_code = stated_exit_code(text)
    text, reminder = split_reminder(text)
    parts.result(text, call_id, failed=stated if isinstance(stated, bool) else failed, exit_code=exit_code, data=data)
    for inner in listing(block.get("content")):
        if mapping(inner).get("type") in ("image", "document"):
            _read_attachment(inner, parts, Voice.TOOL, call_id)
    parts.text(reminder, Voice.HARNESS)


def read_usage(raw: Any) -> Usage | None:
    """Anthropic's token counts, in which the cached tokens stand beside the input; None where there are none."""
    fields = mapping(raw)
    usage = Usage(
        input=count(fields.get("input_tokens")),
        output=count(fields.get("output_tokens")),
        cache_read=count(fields.get("cache_read_input_tokens")),
        cache_write=count(fields.get("cache_creation_input_tokens")),
    )
    return usage if usage.context else None
