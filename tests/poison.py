"""Messages that cannot be read: each reader raises on some words, as a fault of ours would."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from continuity.knowledge.extractors import assistant, user
from continuity.segments.incoming import incoming_message
from handoffs.fidelity.probes import bank

POISON = "Kassandra"  # stands in what cannot be read
QUOTED = f"invalid literal: {POISON} said it"  # an exception quotes what it met


def poisoned(function: Callable[..., Any], texts: Callable[..., str]) -> Callable[..., Any]:
    def read(*given: Any, **named: Any) -> Any:
        if POISON in texts(*given):
            raise ValueError(QUOTED)
        return function(*given, **named)

    return read


def _of_step(step: Any, *_: Any) -> str:
    return " ".join(part.text for part in step.message.parts)


def _of_message(_: Any, message: Any, *__: Any) -> str:
    return " ".join(part.text for part in message.parts)


def poison_knowledge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folding what a person or an agent says raises, after it changed the state."""

    def half(function: Callable[..., Any]) -> Callable[..., Any]:
        raising = poisoned(function, _of_step)

        def read(step: Any, *rest: Any) -> Any:
            if POISON in _of_step(step):
                function(step, *rest)
            return raising(step, *rest)

        return read

    monkeypatch.setattr(user, "hear", half(user.hear))
    monkeypatch.setattr(assistant, "speak", half(assistant.speak))


def poison_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("continuity.segments.segmenting.incoming_message", poisoned(incoming_message, _of_message))


def poison_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bank.Bank, "read", poisoned(bank.Bank.read, lambda _, seq, message: _of_message(seq, message)))
