"""Short ways to write and read shared states in tests."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from continuity.models import StateEntry, Team
from continuity.services.shared_state import state_queries, states
from continuity.services.shared_state.state_writes import WrittenState
from continuity.services.shared_state.states import StateWriter


class Shared:
    """The team's own state under one key, written by anybody."""

    def __init__(self, team: Team, key: str = "plan", *, scope: str = "team", owner: str = "own") -> None:
        self.team = team
        self.where: dict[str, Any] = {"team": team, "scope": scope, "owner": owner, "key": key}

    def put(
        self, value: Any, base: int | None = None, by: str = "anna", *, strict: bool = False, id: Any = None, **how: Any
    ) -> WrittenState:
        return states.put(**self.where, value=value, writer=self.writer(by, base, strict, id), **how)

    def patch(self, patch: Any, base: int | None = None, by: str = "anna", *, id: Any = None) -> WrittenState:
        return states.patch(**self.where, patch=patch, writer=self.writer(by, base, id=id))

    def remove(self, base: int | None = None) -> WrittenState:
        return states.remove(**self.where, writer=self.writer("anna", base))

    def restore(self, number: int, base: int | None = None) -> WrittenState:
        return states.restore(team=self.team, state_id=self.row.id, number=number, writer=self.writer("anna", base))

    def resolve(self, **how: Any) -> WrittenState:
        told = {"take": None, "base": None, **how}
        return states.resolve(team=self.team, state_id=self.row.id, author="otto", now=timezone.now(), **told)

    @property
    def row(self) -> StateEntry:
        return state_queries.get(**self.where)

    @property
    def value(self) -> Any:
        return self.row.value

    def at(self, number: int) -> Any:
        return state_queries.value_at(self.row, number)

    @staticmethod
    def writer(by: str, base: int | None, strict: bool = False, id: Any = None) -> StateWriter:
        return StateWriter(author=by, now=timezone.now(), base=base, strict=strict, id=id)
