"""Who publishes does not wait until it is noted that other processes were told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID, uuid5

import pytest
from django.db import InterfaceError

from continuity.api.plain import bus as plain_bus
from continuity.models import Event, Team
from continuity.services.events import relay
from tests.api.caller import Caller
from tests.api.plain.beside import Beside, let_go, let_mark
from tests.api.plain.test_bus import EVENTS, event

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site() -> Iterator[Beside]:
    yield Beside(plain_bus.with_plain_bus)
    let_go(plain_bus._threads)
    let_mark()


def unmarked(team: Team) -> int:
    return Event.objects.filter(team=team, relayed_at=None).count()


def test_it_works(site: Beside, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a moment are marked together, soon after their answers."""
    caller = Caller.of(team)
    at_once: list[int] = []
    mark = relay._mark_sent

    def counted(ids: Sequence[UUID]) -> None:
        at_once.append(len(ids))
        mark(ids)

    monkeypatch.setattr(relay, "_mark_sent", counted)
    monkeypatch.setattr(relay, "MARKED_AFTER", 2.0)
    for n in range(3):
        assert site.post(caller.key, EVENTS, {"events": [event(str(uuid5(team.id, str(n))))]})[0] == 201
    assert unmarked(team) == 3
    let_mark()
    assert unmarked(team) == 0 and at_once == [3]


def test_what_could_not_be_marked_the_sweep_sends_again(site: Beside, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    caller = Caller.of(team)

    def away(ids: object) -> None:
        raise InterfaceError("the store is away")

    with monkeypatch.context() as broken:
        broken.setattr(relay, "_mark_sent", away)
        assert site.post(caller.key, EVENTS, {"events": [event(str(uuid5(team.id, "once")))]})[0] == 201
        let_mark()
    assert unmarked(team) == 1
    relay.relay_pending()
    assert unmarked(team) == 0
