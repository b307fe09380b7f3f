"""Workflows of groups as callers get them."""

from ninja import Field, Schema
from pydantic import AwareDatetime

from continuity.api.masks import MaskedJson


class TransitionOut(Schema):
    version: int
    before: str
    after: str
    by: str
    seq: int = Field(description="The last message by then.")
    events: list[str]
    created_at: AwareDatetime


class WorkflowOut(Schema):
    step: str = Field(description="`end` where all is done; empty where the group has no workflow.")
    version: int
    steps: list[MaskedJson]
    transitions: list[TransitionOut]
