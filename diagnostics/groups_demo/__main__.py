"""Starts a Continuity of its own with five agents in a group, and tells it: turns, a death in mid-turn, a conflict, a late joiner.

`--once` ends after the story; else it stays, so that one can look at the page and say something.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from continuity.client.connection import Connection
from continuity.client.credentials import Credentials
from diagnostics.agents_demo.__main__ import Stage, say, staged
from diagnostics.groups_demo.programs import EXPERTISE
from diagnostics.screenshots import Unable

PATIENCE_SECONDS = 120.0
LATE = "auditor"
WORKFLOW = [
    {"key": "notice", "title": "Say what is wrong", "owner": "watch"},
    {"key": "network", "title": "Is it the network?", "owner": "network"},
    {"key": "cause", "title": "Find the cause", "expertise": ["postgres", "locks"]},
    {"key": "fix", "title": "Repair it", "owner": "dba"},
    {"key": "tell", "title": "Tell the customers", "owner": "writer"},
]

# What two agents take for the cause.
CAUSES = {"dba": "a lock on the orders table", "backend": "exceptions in the payment API"}


class Play:
    """The group, and what the server tells of it."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self._calls, self.id = stage, Connection(Credentials(stage.address, stage.key)), ""
        self._told, self._said = set[str](), 0

    def post(self, path: str, body: Any) -> dict[str, Any]:
        return dict(self._calls.call("POST", path, body))

    def get(self, path: str = "") -> dict[str, Any]:
        return dict(self._calls.call("GET", f"/groups/{self.id}{path}"))

    def start(self, *names: str) -> None:
        for name in names:
            self.stage.start(name, sys.executable, "-m", "diagnostics.groups_demo.programs", name)
        for name in names:
            self.stage.follow(name, "ready")

    def follow(self, until: Callable[[dict[str, Any]], bool]) -> None:
        """Tells each turn and each message, until the group is as it should be. Raises Unable where it never is."""
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE_SECONDS:
            group = self.get()
            self._tell()
            if until(group):
                return
            time.sleep(0.3)
        raise Unable(f"the group is {group['status']} at {group['step']}")

    def disagree(self) -> None:
        """Two write the same shared state, both having read the same version; a person ends it as Home asks."""
        say("\nTwo write the shared state “cause”, both having read version 1:")
        path = f"/states/group/{self.id}/cause"
        self._put(path, {"value": "not known yet", "strategy": "manual"})
        for who, value in CAUSES.items():
            told = self._put(path, {"value": value, "base": 1}, agent=who)
            say(f"  {who} writes “{value}”: version {told['number']}, conflict {told['conflict']}")
        found = self._calls.call("GET", "/states", query={"unresolved": "true"})["items"][0]
        say(f"  Home asks for a choice: {self.stage.address}/states/{found['id']}; readers still see “{found['value']}”.")
        ended = self.post(f"{path}/resolve", {"take": 2, "base": found["latest"]})
        say(f"  A person takes version 2: “{ended['state']['value']}”, version {ended['number']}")

    def _put(self, path: str, body: Any, agent: str = "") -> dict[str, Any]:
        """As a person, or as the present instance of an agent."""
        acting = f"{agent}/{self.stage.told(agent)['epoch']}" if agent else ""
        return dict(Connection(Credentials(self.stage.address, self.stage.key, acting=acting)).call("PUT", path, body))

    def _tell(self) -> None:
        for turn in reversed(self.get("/turns")["items"]):
            for mark, line in (
                (f"{turn['id']} chosen", f"  → {turn['agent'] or turn['outcome']}: {turn['reason']} ({turn['took_ms']:.1f} ms)"),
                (f"{turn['id']} {turn['status']}", f"  ✗ the turn of {turn['agent']} is {turn['status'].replace('_', ' ')}"),
            ):
                if mark not in self._told and not mark.endswith((" open", " done", " ")):
                    self._told.add(mark)
                    say(line)
        for message in self.get("/context")["messages"]:
            if message["seq"] > self._said:
                self._said = message["seq"]
                say(f"    {message['speaker'] or 'A person'}: {message['text']}")


def tell(stage: Stage) -> None:
    """The story."""
    play = Play(stage)
    say("\nFive agents, each kept by `continuity agent run`:")
    play.start(*(name for name in EXPERTISE if name != LATE))
    about = {"title": "Checkout is down", "workflow": WORKFLOW, "limits": {"lease_seconds": 10}}
    participants = [{"agent": name} for name in EXPERTISE if name != LATE]
    play.id = play.post("/groups", {**about, "participants": participants, "message": "Customers can't pay. What is it?"})["id"]
    say(f"\nThe group: {stage.address}/groups/{play.id}\nnetwork will die in the middle of its turn (kill -9):\n")
    play.follow(lambda group: group["status"] == "waiting")

    play.disagree()

    say("\nA sixth joins late; it is briefed on what was said, then it is asked by name:")
    play.start(LATE)
    play.post(f"/groups/{play.id}/participants", {"agent": LATE})
    play.follow(lambda group: any(each["agent"] == LATE and each["handoff_id"] for each in group["participants"]))
    handoff = next(each["handoff_id"] for each in play.get()["participants"] if each["agent"] == LATE)
    briefing = str(Connection(Credentials(stage.address, stage.key)).call("GET", f"/handoffs/{handoff}/directive")["text"])
    say(f"  its briefing has {len(briefing.split()):,} words. Among them:")
    for line in briefing.splitlines():
        if "payment queue" in line or "at night" in line:
            say(f"    {line.strip()[:150]}")
    question = {"messages": [{"role": "user", "content": f"@{LATE} do we have to report it?"}]}
    play.post(f"/groups/{play.id}/messages", question)
    play.follow(lambda group: group["status"] == "waiting")
    say(f"\nIt waits for a person: {play.get()['reason']}.")
    if "--once" not in sys.argv:
        say(f"{stage.address}/groups/{play.id} shows all of it; say something there. Ctrl-C ends it all.")
        while True:
            time.sleep(3600)


def main() -> int:
    try:
        with staged("/groups") as stage:
            tell(stage)
    except Unable as error:
        say(f"continuity: {error}")
        return 1
    except KeyboardInterrupt:
        say("")
    return 0


if __name__ == "__main__":
    sys.exit(main())
