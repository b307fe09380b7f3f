"""A group as the API shows it, its agents, and the monitor's watch; time is made to pass by moving what is stored."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone

from continuity.models import Group, GroupSelection, Team
from continuity.services.groups import group_watch
from tests.agents.runner import Runner
from tests.api.caller import Answer, Caller

EXPERTISE = {
    "dba": ["postgres", "sql queries", "indexes"],
    "network": ["dns", "firewall", "tls certificates"],
    "backend": ["python", "api", "exceptions"],
    "writer": ["documentation", "texts"],
    "chief": ["planning"],
}


class Table:
    def __init__(self, team: Team) -> None:
        self.team = team
        self.runner = Runner(team)
        self.caller = Caller.of(team)
        self.id = ""

    def seat(self, *names: str, **about: Any) -> dict[str, Any]:
        """Makes a group of these agents, which are started where they are not."""
        for name in names:
            if name not in self.runner.known:
                self.runner.start(name, expertise=EXPERTISE.get(name, []))
        given = {"participants": [{"agent": name} for name in names], **about}
        answer = self.caller.post("/groups", given)
        assert answer.status_code == 201, answer.content
        self.id = answer.json()["id"]
        return dict(answer.json())

    @property
    def group(self) -> Group:
        return Group.objects.get(id=self.id)

    def passes(self, seconds: float) -> None:
        """All that was noted is so much longer ago."""
        ago = timedelta(seconds=seconds)
        moved = {name: F(name) - ago for name in ("selected_at", "asked_at", "due_at", "status_at")}
        Group.objects.filter(id=self.id).update(**moved)
        rows = GroupSelection.objects.filter(group=self.group)
        rows.update(created_at=F("created_at") - ago, lease_until=F("lease_until") - ago)

    def post(self, what: str, body: Any = None) -> Answer:
        return self.caller.post(f"/groups/{self.id}/{what}", body or {})

    def get(self, what: str = "", **query: Any) -> Any:
        answer = self.caller.get(f"/groups/{self.id}{what}", **query)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def ask(self, text: str) -> Answer:
        answer = self.post("messages", {"messages": [{"role": "user", "content": text}]})
        assert answer.status_code == 201, answer.content
        return answer

    def next(self) -> dict[str, Any]:
        """Who is next, a second after the last choice."""
        self.passes(1.1)
        answer = self.post("next")
        assert answer.status_code == 200, answer.content
        return dict(answer.json())

    def acting(self, name: str) -> dict[str, Any]:
        return {"agent": name, **self.runner.known[name]}

    def claim(self, name: str) -> Answer:
        return self.post("next", {"acting": self.acting(name)})

    def says(self, name: str, text: str = "", *, turn: str = "", **how: Any) -> Answer:
        """In the turn that is open."""
        turn = turn or str(GroupSelection.objects.filter(group=self.group, status="open").values_list("id", flat=True).first())
        messages = [{"role": "assistant", "content": text}] if text else []
        return self.post(f"turns/{turn}/messages", {**self.acting(name), "messages": messages, **how})

    def watch(self) -> datetime | None:
        return group_watch.watch(timezone.now())
