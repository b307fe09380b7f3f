"""A pretended server, and an agent in a thread of the test."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from continuity.client.agents import Agent
from tests.client.agents.pretended import PretendedServer, pretended


@pytest.fixture
def server() -> Iterator[PretendedServer]:
    with pretended() as made:
        yield made


class Running:
    """An agent that runs in a thread; `error` is what `run` raised."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.agent.run()
        except BaseException as error:
            self.error = error

    def ended(self, seconds: float = 20.0) -> bool:
        self.thread.join(seconds)
        return not self.thread.is_alive()


@pytest.fixture
def made(server: PretendedServer) -> Callable[..., Agent]:
    return lambda name="billing", **about: Agent(name, url=server.url, key="k", **about)


@pytest.fixture
def running() -> Iterator[Callable[[Agent], Running]]:
    started: list[Running] = []

    def run(agent: Agent) -> Running:
        started.append(Running(agent))
        return started[-1]

    yield run
    for each in started:
        each.agent.stop()
        assert each.ended()
