"""How often an agent beats whose runner is gone: as the server says, whoever told it what before."""

import pytest

from continuity.client.agents import channel
from continuity.client.agents.link import USUAL_INTERVAL, AgentLink
from continuity.client.credentials import AGENT, Credentials
from tests.client.agents.pretended_agent import INTERVAL_MS, PretendedAgent
from tests.platform.running import eventually


@pytest.fixture
def left(server, monkeypatch):
    """A link of an agent whose runner was told another interval, or none, and is gone."""
    made = []

    def leave(told):
        with server.lock:
            instance = server.agents.setdefault("billing", PretendedAgent("billing")).begin()
        monkeypatch.setenv(AGENT, f"billing/{instance['epoch']}")
        monkeypatch.setenv(channel.INSTANCE, instance["instance"])
        monkeypatch.setenv(channel.INTERVAL, told)
        monkeypatch.setattr(channel, "inherited", lambda heard: _Gone())
        link = AgentLink("billing", Credentials(server.url, "k"), obey=lambda order: None, ended=lambda why: None)
        made.append(link)
        link.begin({})
        link._told(None)
        return link

    yield leave
    for link in made:
        link.end()


class _Gone:
    def start(self):
        pass

    def tell(self, line):
        return False

    def close(self):
        pass


@pytest.mark.parametrize(("told", "seconds"), [("500", 0.5), ("", USUAL_INTERVAL), ("0", USUAL_INTERVAL), ("-1", USUAL_INTERVAL)])
def test_it_works(left, told, seconds):
    assert left(told).instance.interval == seconds


def test_what_the_server_says_now_holds(server, left):
    """Also where the runner was told otherwise, or an earlier one told nothing."""
    left("60000")
    found = server.agent("billing")
    assert eventually(lambda: len(found.beats) > 5, 10)
    assert (found.beats[5]["at"] - found.beats[0]["at"]) / 5 < 3 * INTERVAL_MS / 1000
