"""The MCP server over both transports, asked by the official client: over HTTP on loopback, and as a process of its own."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
import uvicorn
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.distribution.bare import environment

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

    from continuity.models import Team

PROGRAM = Path(__file__).parents[2] / "continuity" / "client" / "__main__.py"
CWD = "/srv/tides"


class Asking:
    """Asks an MCP server with a key, and as the instance `acting` of an agent (NAME/EPOCH) where one is named; there is one connection for
    each of both, kept until the end of the test."""

    def __init__(self, connect: Callable[[str, str], Any], stack: ExitStack) -> None:
        self.acting = ""
        self._connect = connect
        self._stack = stack
        self._portal = stack.enter_context(start_blocking_portal())
        self._clients: dict[tuple[str, str], Client] = {}

    def __call__(self, key: str, asked: Callable[[Client], Awaitable[Any]]) -> Any:
        who = key, self.acting
        if who not in self._clients:
            connection = self._portal.wrap_async_context_manager(self._connect(*who))
            self._clients[who] = self._stack.enter_context(connection)
        return self._portal.call(asked, self._clients[who])

    def tool(self, key: str, name: str, **arguments: Any) -> Any:
        """What a tool answers; AssertionError with its words where it fails."""
        result = self(key, lambda client: client.call_tool(name, arguments))
        assert not result.is_error, result.content[0].text
        return result.structured_content or result.content[0].text

    def failure(self, key: str, name: str, **arguments: Any) -> str:
        """The words of a tool's error."""
        result = self(key, lambda client: client.call_tool(name, arguments))
        assert result.is_error, result
        return str(result.content[0].text)


@pytest.fixture
def key(transactional_db: None, team: Team) -> str:
    from continuity.services.accounts import apikeys

    return apikeys.issue(team=team, name="agent")[1]


@pytest.fixture
def address(transactional_db: None) -> Iterator[str]:
    """The site with its MCP server, on a port of its own."""
    from config.middleware.one_thread import OneThreadHandler
    from continuity.mcp.http import with_mcp

    server = uvicorn.Server(uvicorn.Config(with_mcp(OneThreadHandler()), ws="none", lifespan="off", log_config=None, log_level="warning"))
    # Bound from the beginning: a port that was only found free may be another worker's by then.
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, args=[[listening]])
        thread.start()
        while not server.started and thread.is_alive():
            thread.join(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.fixture
def over_http(address: str) -> Iterator[Asking]:
    @asynccontextmanager
    async def connect(key: str, acting: str) -> AsyncIterator[Client]:
        named = {"Continuity-Agent": acting} if acting else {}
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}", **named}, timeout=60) as http,
            Client(streamable_http_client(f"{address}/mcp", http_client=http)) as client,
        ):
            yield client

    with ExitStack() as stack:
        yield Asking(connect, stack)


def environment_of(url: str, key: str, acting: str, folder: Path) -> dict[str, str]:
    """What the client of a process finds, as `continuity agent run` gives it to an agent's."""
    known = {"CONTINUITY_URL": url, "CONTINUITY_API_KEY": key, "CONTINUITY_HOME": str(folder / "home")}
    return known | ({"CONTINUITY_AGENT": acting} if acting else {})


@pytest.fixture
def over_stdio(live_server: LiveServer, tmp_path: Path) -> Iterator[Asking]:
    def connect(key: str, acting: str) -> Client:
        env = environment_of(live_server.url, key, acting, tmp_path)
        return Client(StdioServerParameters(command=sys.executable, args=["-IS", str(PROGRAM), "mcp", "--cwd", CWD], env=env))

    with ExitStack() as stack:
        yield Asking(connect, stack)


@pytest.fixture(scope="session")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python beside which no package is installed, as where the client is alone."""
    return environment(tmp_path_factory.mktemp("bare") / "bare", sys.executable)


@pytest.fixture
def over_bridge(address: str, bare_python: Path, tmp_path: Path) -> Iterator[Asking]:
    def connect(key: str, acting: str) -> Client:
        env = environment_of(address, key, acting, tmp_path)
        return Client(StdioServerParameters(command=str(bare_python), args=["-IS", str(PROGRAM), "mcp", "--cwd", CWD], env=env))

    with ExitStack() as stack:
        yield Asking(connect, stack)


# The tools are the same behind each: a call, a resource, a prompt and an error are asked for over the others in each run.
WAYS = ["http", pytest.param("stdio", marks=pytest.mark.long), pytest.param("bridge", marks=pytest.mark.long)]


@pytest.fixture(params=WAYS)
def ask(request: pytest.FixtureRequest) -> Asking:
    """Each test runs over each transport; over all but the first in `make test-long`, if it does not ask for it (`each_way`)."""
    found: Asking = request.getfixturevalue(f"over_{request.param}")
    return found


@pytest.fixture
def conversation(transactional_db: None, team: Team) -> str:
    """A conversation of the folder CWD, with a rule and a plan."""
    from tests.api.caller import Caller, agent, person

    caller = Caller.of(team)
    made = caller.open(title="Tides", cwd=CWD)
    todos = [{"content": "Draw the table", "status": "completed"}, {"content": "Test the table", "status": "in_progress"}]
    call = {"type": "tool_use", "id": "t1", "name": "TodoWrite", "input": {"todos": todos}}
    answered = caller.say(
        made,
        person("Please build the tide page. Never publish a tide table in feet, always in metres."),
        agent("I decided to store heights as integers in millimetres, because floats drift."),
        {"role": "assistant", "content": [call]},
    )
    assert answered.status_code == 201, answered.content
    return made
