"""The use of agents' processes, as their runners told it last (FR-048): kept in Valkey, for figures only."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from continuity.services.jobs import broker

KEY = "continuity:agents:usage"
# What was told before that is no longer so.
FRESH_MS = 60_000


@dataclass(frozen=True, slots=True)
class ResourceUsage:
    """Cores of the processor, bytes of memory, bytes a second to and from disks."""

    cpu_cores: float
    memory_bytes: int
    disk_bytes_per_second: float


def stored_usage(used: ResourceUsage, *, now_ms: int) -> str:
    """The text that is kept for an agent."""
    told = {
        "at": now_ms,
        "cpu_cores": used.cpu_cores,
        "memory_bytes": used.memory_bytes,
        "disk_bytes_per_second": used.disk_bytes_per_second,
    }
    return json.dumps(told)


def of(agents: Sequence[UUID], *, now_ms: int) -> Mapping[UUID, ResourceUsage]:
    """The resource use of those agents that reported it within a minute; nothing where Valkey is away. One command."""
    found: dict[UUID, ResourceUsage] = {}

    def work(client: broker.Client) -> None:
        told: Any = client.hmget(KEY, [agent.hex for agent in agents])
        for agent, row in zip(agents, told, strict=True):
            if row is not None:
                used = json.loads(row)
                if now_ms - used.pop("at") <= FRESH_MS:
                    found[agent] = ResourceUsage(**used)

    if agents:
        broker.try_call(work)
    return found


def forget(client: Any, agents: Sequence[str]) -> None:
    """Within a pipeline: nobody asks for these any more."""
    client.hdel(KEY, *agents)
