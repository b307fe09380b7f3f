"""`continuity search`: what it found, and what it says of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from continuity.client.main import DONE, FAILED, main
from continuity.services.search import searching
from tests.search.test_searching import record
from tests.words import said

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

    from continuity.models import Team

NOTE = "more hold these words than the latest 500 messages and 500 anchors"


def harbours(team: Team, count: int) -> None:
    record(team, *[said(f"The harbour report number {number}") for number in range(count)], title="Tides")


def test_it_works(server: LiveServer, team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    harbours(team, 2)
    assert main(["search", "harbour", "--kind", "message"]) == DONE
    out, err = capsys.readouterr()
    assert "Tides · message 2, user" in out and "report number 1" in out
    assert NOTE not in err
    assert main(["search", "lighthouse"]) == FAILED
    assert "nothing holds all of these words" in capsys.readouterr().err


@pytest.mark.parametrize(("count", "noted"), [(4, False), (5, True)])
def test_it_notes_where_the_latest_alone_were_ranked(
    count: int, noted: bool, server: LiveServer, team: Team, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "CANDIDATES", 4)
    harbours(team, count)
    assert main(["search", "harbour", "--kind", "message"]) == DONE
    out, err = capsys.readouterr()
    assert (NOTE in err) is noted
    assert NOTE not in out
    assert main(["search", "harbour", "--kind", "message", "--json"]) == DONE
    out, err = capsys.readouterr()
    assert json.loads(out)["only_latest"] is noted
    assert NOTE not in err
