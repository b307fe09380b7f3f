"""Agents that the benchmark has kept: `python -m diagnostics.bench.agent_program NAME`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from continuity.client.agents import Agent


def main(name: str) -> None:
    agent = Agent(name)

    @agent.resumed
    def take_over(briefing: str, order: Mapping[str, Any]) -> None:
        agent.state("told")["words"] = len(briefing.split())

    agent.run()


if __name__ == "__main__":
    main(sys.argv[1])
