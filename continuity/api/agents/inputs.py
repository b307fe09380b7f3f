"""Agents as callers send them."""

from typing import Annotated, Any, Literal
from uuid import UUID

from ninja import Field, Schema

from continuity.agents import names, strategies
from continuity.agents.names import OrderKind, OrderStatus
from continuity.agents.strategies import FailureCause, Strategy
from continuity.events import agents_file
from continuity.events.policies import ReplayPolicy
from continuity.services.agents import heartbeats

EPOCH = Field(ge=0, le=2**31 - 1, description="Of this instance, as registering or claiming gave it.")
INSTANCE = Field(description="Of this instance, as registering or claiming gave it.")
RUNNER = Field("", max_length=120, description="Who owns the process: one for each machine and user. Empty: the agent runs by itself.")
# What a runner can see of a process; the rest is found out by the monitor, or ordered.
Seen = Literal[FailureCause.EXITED, FailureCause.KILLED, FailureCause.ZOMBIE, FailureCause.START_FAILED]
_COLUMNS = {"timeout": "timeout_seconds", "window": "window_seconds", "probe": "probes"}


class AboutIn(Schema):
    """The description of an agent; fields that are left out are as they were, or a default."""

    role: str | None = Field(None, max_length=200)
    expertise: list[Annotated[str, Field(max_length=80)]] | None = Field(None, max_length=50)
    priority: int | None = Field(None, ge=-1000, le=1000)
    config: dict[str, Any] | None = Field(None, description="At most 64 KB; secrets in it are masked.")
    topics: list[Annotated[str, Field(max_length=200)]] | None = Field(
        None, max_length=20, description="Patterns that it subscribes to, under its name."
    )
    replay: ReplayPolicy | None = None
    strategy: Strategy | None = None
    backup: str | None = Field(None, max_length=80, description="Who takes over where the strategy is `replace`.")
    threshold: int | None = Field(None, ge=0, le=strategies.MOST_FAILURES, description="Failures in a row before a person is asked.")
    timeout: int | None = Field(None, ge=1, le=strategies.LONGEST_TIMEOUT, description="Seconds for a restoration in all.")
    window: int | None = Field(None, ge=1, le=strategies.LONGEST_WINDOW, description="Seconds ready after which failures count anew.")
    probe: bool | None = Field(None, description="Whether it answers probes.")

    def columns(self) -> dict[str, Any]:
        """The columns of an agent that somebody gave."""
        said = self.model_dump(include=set(AboutIn.model_fields), exclude_none=True)
        return {_COLUMNS.get(name, name): value for name, value in said.items()}


class AgentIn(AboutIn):
    """Only the name is needed; what is left out comes from `file`, the operators' file, what is known, or a default."""

    name: str = Field(max_length=80, pattern=names.NAME, examples=["billing"])
    runner: str = RUNNER
    conversation_id: UUID | None = None
    file: str = Field("", max_length=agents_file.LARGEST, description="The text of an agents.yaml.")


class InstanceIn(Schema):
    epoch: int = EPOCH
    instance: UUID = INSTANCE


class DescribeIn(AboutIn, InstanceIn):
    """The description of an agent by its own code, for its present instance."""


class ReadyIn(InstanceIn):
    state_digest: str = Field(
        "",
        max_length=80,
        pattern=r"^[A-Za-z0-9:+/=_-]*$",
        description="Of the state that it restored, counted by itself; 409 `state_differs` where another one is stored.",
    )
    replayed: int = Field(0, ge=0, le=2**31 - 1)
    replay_failed: int = Field(0, ge=0, le=2**31 - 1)


class StopIn(InstanceIn):
    reason: str = Field("by itself", max_length=40, pattern=r"^[A-Za-z0-9 _.-]*$")


class WorkIn(InstanceIn):
    conversation_id: UUID | None = None


class EndedIn(InstanceIn):
    cause: Seen = FailureCause.EXITED
    exit_code: int | None = Field(None, ge=-1000, le=2**31 - 1)
    signal: int | None = Field(None, ge=0, le=128)


class ClaimIn(Schema):
    attempt: UUID
    runner: str = RUNNER


class OpenIn(InstanceIn):
    title: str = Field("", max_length=300)
    model: str = Field("", max_length=120)
    cwd: str = Field("", max_length=4096)
    source_tool: str = Field("", max_length=40)


class ProbeIn(Schema):
    id: str = Field(max_length=32, pattern=r"^[0-9a-f]{32}$")
    ok: bool = True


class UsedIn(Schema):
    """The use of an agent's processes now, all together."""

    cpu_cores: float = Field(ge=0, le=100_000)
    memory_bytes: int = Field(ge=0, le=2**60)
    disk_bytes_per_second: float = Field(ge=0, le=2**60)


class BeatIn(InstanceIn):
    agent: str = Field(max_length=80)
    working: bool | None = Field(None, description="Whether it has work; left out: as before.")
    conversation_id: UUID | None = Field(None, description="What it works on; left out: as before.")
    probe: ProbeIn | None = Field(None, description="The answer to a probe.")
    used: UsedIn | None = Field(None, description="What its processes use, for figures; left out: nothing new is known.")


class BeatsIn(Schema):
    runner: str = RUNNER
    beats: list[BeatIn] = Field(min_length=1, max_length=heartbeats.AT_ONCE)


class OrderedQuery(Schema):
    runner: str = Field("", max_length=120, description="For all agents of this runner.")
    agent: str = Field("", max_length=80, description="For this agent alone, where no runner is named.")
    wait: float = Field(0, ge=0, le=55, description="Seconds to wait for an order.")


class OrderIn(Schema):
    kind: OrderKind
    backup: str = Field("", max_length=80, description="Who takes over, where the kind is `replace`.")


class AckOrderIn(InstanceIn):
    outcome: Literal[OrderStatus.DONE, OrderStatus.FAILED] = OrderStatus.DONE
    error: str = Field("", max_length=80, pattern=r"^[A-Za-z0-9_.]*$", description="The kind of a failure, such as ValueError.")
