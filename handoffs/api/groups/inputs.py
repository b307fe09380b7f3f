"""Groups as callers send them."""

from typing import Annotated, Any, Literal
from uuid import UUID

from ninja import Field, Schema
from pydantic import ConfigDict

from continuity.agents import names
from continuity.api.agents.inputs import EPOCH, INSTANCE
from continuity.groups import context
from continuity.services.groups.groups import ParticipantInput
from continuity.services.groups.turns import Acting
from handoffs.api.forms.messages import BatchIn, MessageIn

AgentName = Annotated[str, Field(max_length=80, pattern=names.NAME, examples=["billing"])]
StrategyName = Literal["round_robin", "priority", "expertise", "llm"]
# Read and refused in words by the rules themselves.
Steps = Annotated[list[dict[str, Any]], Field(max_length=100, description="`key`, and perhaps `title`, `owner`, `expertise`, `next`.")]
Rules = Annotated[
    list[dict[str, Any]],
    Field(max_length=100, description="`pattern` of topics, `action` (raise, lower, skip, advance), `agent` with a `factor`, or `step`."),
]
Limits = Annotated[dict[str, Any], Field(description="turns, seconds, tokens, in_a_row, gap_ms, lease_seconds, advice_ms.")]


class ParticipantIn(Schema):
    """An agent of the team; what is left out is as the agent has it. `excluded`: it reads, and never speaks."""

    model_config = ConfigDict(extra="forbid")

    agent: AgentName
    role: str = Field("", max_length=200)
    expertise: list[Annotated[str, Field(max_length=80)]] = Field([], max_length=50)
    priority: int | None = Field(None, ge=-1000, le=1000)
    excluded: bool = False

    def given(self) -> ParticipantInput:
        return ParticipantInput(**self.model_dump())


class GroupIn(Schema):
    """At most 10 participants. Without `workflow` there are no steps; without `message` it begins with the first that a person sends."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field("", max_length=300, examples=["Checkout is down"])
    participants: list[ParticipantIn] = Field([], max_length=100)
    strategy: StrategyName = "expertise"
    limits: Limits = {}
    workflow: Steps = []
    rules: Rules = []
    model: str = Field("", max_length=120, description="For which model the conversation's tokens are counted.")
    message: str = Field("", max_length=100_000, description="What a person asks to begin with.")


class GroupChangeIn(Schema):
    """A change of a group; fields that are left out stay as they are."""

    model_config = ConfigDict(extra="forbid")

    strategy: StrategyName | None = None
    limits: Limits | None = None
    rules: Rules | None = None


class ActingIn(Schema):
    """An agent's present instance, which asks for itself."""

    agent: AgentName
    epoch: int = EPOCH
    instance: UUID = INSTANCE

    def acting(self) -> Acting:
        return Acting(self.agent, self.epoch, self.instance)


class NextIn(Schema):
    """Without `acting` one only asks who is next."""

    model_config = ConfigDict(extra="forbid")

    acting: ActingIn | None = None


class TurnIn(ActingIn):
    """The message of the holder of the turn; without one the turn only continues, or ends."""

    model_config = ConfigDict(extra="forbid")

    messages: list[MessageIn] = []
    over: bool = Field(True, description="Whether the turn ends with it; else it has its whole lease again.")
    done: bool = Field(False, description="What was asked is answered: a person says what comes next.")
    to_step: str | None = Field(None, max_length=80, description="Ends the step of the workflow; empty: for its usual next one.")

    @property
    def batch(self) -> BatchIn | None:
        return batch_of(self.messages) if self.messages else None


class SayIn(Schema):
    """A person's message."""

    model_config = ConfigDict(extra="forbid")

    messages: list[MessageIn] = Field(min_length=1)


class StepIn(Schema):
    model_config = ConfigDict(extra="forbid")

    to: str = Field(max_length=80, description="The key of a step, or `end`.")
    version: int = Field(ge=0, le=2**31 - 1, description="Of the workflow as you have seen it.")


class ThumbIn(Schema):
    model_config = ConfigDict(extra="forbid")

    thumb: Literal[-1, 0, 1] = Field(description="1: rightly chosen, -1: wrongly, 0: as if nobody had said.")


class ContextQuery(Schema):
    budget: int = Field(context.USUAL, ge=context.LEAST, le=context.MOST, description="Tokens.")


class GroupHandoffIn(Schema):
    model_config = ConfigDict(extra="forbid")

    budget: int = Field(4000, ge=150, le=200_000, description="Of the briefing, in tokens.")


def batch_of(messages: list[MessageIn]) -> BatchIn:
    """Messages as the general reader takes them."""
    return BatchIn(messages=messages, max_context_tokens=None)
