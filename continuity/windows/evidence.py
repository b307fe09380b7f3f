"""Chooses the context window that holds from all that is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from continuity.windows.sizes import next_size, size_of

LARGEST = 100_000_000
EVERY_MODEL = "*"


class WindowSource(StrEnum):
    """From where a window is known, the best first."""

    SETTING = "setting"  # somebody set it for the conversation
    TEAM = "team"  # the team set it for the model
    CLIENT = "client"  # the client that records was told it
    STATUSLINE = "statusline"  # the tool told it its status line
    TRANSCRIPT = "transcript"  # the tool wrote it into its session
    USAGE = "usage"  # more was used than the model was thought to have
    MODEL = "model"  # the table of models
    UNKNOWN = ""


# What somebody says outright, and so may be taken back.
TOLD = (WindowSource.SETTING, WindowSource.CLIENT, WindowSource.STATUSLINE, WindowSource.TRANSCRIPT)


@dataclass(frozen=True, slots=True)
class ContextWindow:
    """Tokens, None where the window is not known."""

    tokens: int | None = None
    source: WindowSource = WindowSource.UNKNOWN


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a conversation's window: what each source told, in tokens (0: nothing), and the largest usage that the
    provider reported for `model`, which holds for that model only."""

    setting: int = 0
    client: int = 0
    statusline: int = 0
    transcript: int = 0
    used: int = 0
    model: str = ""

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Evidence:
        return cls(**{name: stored[name] for name in cls.__dataclass_fields__ if name in stored})

    def to_json(self) -> dict[str, Any]:
        """Without what is empty."""
        return {name: value for name, value in asdict(self).items() if value}

    def told(self, source: WindowSource, tokens: int) -> Evidence:
        """With what one of the sources in `TOLD` says; 0 takes it back."""
        return Evidence.from_json({**asdict(self), source.value: tokens})

    def seen(self, model: str, used: int) -> Evidence:
        """After an answer of `model` with `used` tokens in the window. What another model used says nothing about this one."""
        model = self.model if not model or model.startswith("<") else model  # <synthetic> is what a tool says itself
        return replace(self, model=model, used=max(used, self.used if model == self.model else 0))


def resolve(evidence: Evidence, team: Mapping[str, int]) -> ContextWindow:
    """The window of the best source. `team` holds tokens by the beginning of a model's name, or by `*` for every other model."""
    set_by_team = _of_team(evidence.model, team)
    if evidence.setting:
        return ContextWindow(evidence.setting, WindowSource.SETTING)
    if set_by_team:
        return ContextWindow(set_by_team, WindowSource.TEAM)
    for source in (WindowSource.CLIENT, WindowSource.STATUSLINE, WindowSource.TRANSCRIPT):
        if tokens := getattr(evidence, source.value):
            return ContextWindow(tokens, source)
    tokens = size_of(evidence.model)
    if evidence.used > (tokens or 0) and (more := next_size(evidence.model, evidence.used)):
        return ContextWindow(more, WindowSource.USAGE)
    return ContextWindow(tokens, WindowSource.MODEL) if tokens else ContextWindow()


def _of_team(model: str, team: Mapping[str, int]) -> int | None:
    fitting = [beginning for beginning in team if beginning != EVERY_MODEL and model.lower().startswith(beginning.lower())]
    return team[max(fitting, key=len)] if fitting else team.get(EVERY_MODEL)
