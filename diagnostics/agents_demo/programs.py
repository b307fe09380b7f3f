"""The agents of the demo: `python -m diagnostics.agents_demo.programs NAME`."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import Any

from continuity.client.agents import Agent, ReceivedEvent

RULE = "Never send an invoice twice."
REQUEST = f"Please write the invoices of November, one for each customer. {RULE}"
DONE = "The invoices for Miller and Smith are written. Next is Jones."


def billing() -> None:
    """Counts tasks; what it counted outlives it."""
    agent = Agent("billing", expertise=["invoices"])

    @agent.on("task:*")
    def handle(event: ReceivedEvent) -> None:
        done = agent.state("done")
        done["count"] = done.get("count", 0) + 1
        say(f"billing: task {event.payload['number']}, the {done['count']}. that I have done")

    agent.run()


def search() -> None:
    """Waits, and goes on for the writer when that is gone."""
    agent = Agent("search", expertise=["finding"])

    @agent.resumed
    def take_over(briefing: str, order: Mapping[str, Any]) -> None:
        say(f"search: I go on for {order['from_agent']}, told {len(briefing.split()):,} words. Among them:")
        for line in briefing.splitlines():
            if RULE in line or "Jones" in line:
                say(f"    {line.strip()}")

    agent.run()


def writer() -> None:
    """Works in a conversation, until it is killed."""
    with Agent("writer", expertise=["writing"], strategy="replace", backup="search") as agent:
        agent.hear(REQUEST)
        agent.say(DONE)
        while not agent.stopped:
            time.sleep(0.2)


def say(line: str) -> None:
    sys.stdout.write(f"  {line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    {"billing": billing, "search": search, "writer": writer}[sys.argv[1]]()
