"""The agents of the demo: `python -m diagnostics.groups_demo.programs NAME`."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from continuity.client.agents import Agent, GroupTurn

EXPERTISE = {
    "watch": ["alerts", "metrics", "incidents"],
    "network": ["dns", "firewall", "load balancer"],
    "dba": ["postgres", "locks", "migrations"],
    "backend": ["python", "api", "servers behind the balancers"],
    "writer": ["texts for customers", "documentation"],
    "auditor": ["rules for reporting", "privacy"],
}
# What each says at a step of the workflow; whoever else does the step says OTHERS.
SAID = {
    (
        "watch",
        "notice",
    ): "Checkout answers 500 to every third request since 14:02. Never restart the payment queue: orders get lost.",
    ("network", "network"): "All balancers are well. It is not the network.",
    ("dba", "cause"): "The migration of 14:01 holds a lock on the orders table. That is the cause.",
    ("dba", "fix"): "The migration is cancelled and the lock is gone. We decided to run migrations at night only.",
    ("writer", "tell"): "Text for customers: between 14:02 and 14:20 some orders failed. None was lost.",
}
OTHERS = {
    "network": "network is gone; I took over where it was. From the servers all balancers answer: it is not the network.",
    "cause": "The traces wait for a lock on the orders table.",
    "fix": "I cancelled the migration.",
    "tell": "Some orders failed between 14:02 and 14:20.",
}


def main(name: str) -> None:
    agent = Agent(name, expertise=EXPERTISE[name])

    @agent.on_turn
    def speak(turn: GroupTurn) -> None:
        time.sleep(0.5)
        key = turn.step["key"] if turn.step else ""
        if name == "network" and _first_time():
            turn.say("I look at the balancers, one after the other …")
            os.kill(os.getpid(), signal.SIGKILL)
        if key in OTHERS or (name, key) in SAID:
            turn.advance(SAID.get((name, key)) or OTHERS[key])
        else:
            turn.finish(f"I have read {len(turn.messages)} messages. No personal data left the house: nothing to report.", done=True)

    agent.run()


def _first_time() -> bool:
    """Once for each demo: its home is its own."""
    mark = Path(os.environ["CONTINUITY_HOME"]) / "network-died"
    if mark.exists():
        return False
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    return True


if __name__ == "__main__":
    main(sys.argv[1])
