"""Joins Codex's token counts to the messages they count.

A count follows the items of the answer that it is about and the results of the calls in it, so messages are held back
from the first item of an answer until its count comes, or something shows that none will.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from continuity.transcripts.base.fields import count, identifier, mapping
from continuity.transcripts.base.format import Event
from continuity.transcripts.base.model import Message, Report, Role, Usage

MAX_HELD = 200


class Metering:
    def __init__(self, report: Report) -> None:
        self._report = report
        self._held: list[Message] = []
        self._total: object = None

    def add(self, message: Message) -> Iterator[Event]:
        """Takes a message; gives those that need no count, or wait for none any more."""
        follows = message.role is Role.TOOL and self._held
        if message.role is not Role.ASSISTANT and not follows:
            yield from self.release()
            yield message
            return
        self._held.append(message)
        if len(self._held) >= MAX_HELD:
            yield from self.release()

    def count(self, timestamp: Any, info: Mapping[str, Any]) -> Iterator[Event]:
        """Takes a `token_count`; gives the messages held with its usage on the assistant's."""
        window = count(info.get("model_context_window"))
        if window:
            self._report.max_context_tokens = window
        total = info.get("total_token_usage")
        usage = _usage(mapping(info.get("last_token_usage")))
        if not self._held or usage is None or (total is not None and total == self._total):
            return
        self._total = total
        usage_id = f"tokens:{identifier(timestamp) or count(mapping(total).get('total_tokens'))}"
        held, self._held = self._held, []
        for message in held:
            metered = message.role is Role.ASSISTANT
            yield replace(message, usage=usage, usage_id=usage_id) if metered else message

    def release(self) -> Iterator[Event]:
        """Gives what is held, without usage."""
        held, self._held = self._held, []
        yield from held


def _usage(raw: Mapping[str, Any]) -> Usage | None:
    """Codex counts the cached tokens within the input and the reasoning within the output."""
    cached = min(count(raw.get("cached_input_tokens")), count(raw.get("input_tokens")))
    usage = Usage(input=count(raw.get("input_tokens")) - cached, output=count(raw.get("output_tokens")), cache_read=cached)
    return usage if usage.context else None
