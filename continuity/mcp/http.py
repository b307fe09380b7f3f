"""The MCP server over HTTP at `/mcp`, beside the site: with an API key, without sessions, so that any process may answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import unquote, urlsplit

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.db import InterfaceError, OperationalError, close_old_connections
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port, validate_host
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from continuity import auth
from continuity.api.problems import problem, refused_client, render
from continuity.client.client import Client
from continuity.client.credentials import ACTING
from continuity.core.errors import DomainError
from continuity.core.store_errors import refusal_of
from continuity.mcp.in_process import Inside
from continuity.mcp.server import build
from continuity.mcp.tool_clients import Asker, current

PATH = "/mcp"
# The folder that tools are about where they are not told, percent-encoded, as a client beside the agent knows it.
CWD, LONGEST_CWD = "continuity-cwd", 4096
SAID = ("authorization", "x-api-key", ACTING.lower(), "host", "user-agent", "x-correlation-id")
PASSED_ON = (*SAID, "x-forwarded-for", "x-forwarded-proto")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[..., Awaitable[None]]


def with_mcp(site: Application) -> Application:
    """The site with the MCP server at `/mcp`; all else goes to the site."""
    made = build()
    made.streamable_http_app(stateless_http=True)  # Never run, since it wants a lifespan, which Django has not.
    server: Server[Any] = made.session_manager.app
    handler = WSGIHandler()

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].rstrip("/") != PATH:
            await site(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refused = _refusal(scope["method"], headers) or await sync_to_async(_check_key, thread_sensitive=False)(scope, headers)
        if refused is not None:
            await _send(refused, send)
            return
        passed = {name: headers[name] for name in PASSED_ON if name in headers}
        asker = Asker(lambda: Client.over(Inside(handler, passed, _environ(scope))), unquote(headers.get(CWD, ""))[:LONGEST_CWD])
        # A task has a context of its own, whatever the web server does: no caller's key is ever seen by another's call.
        await asyncio.create_task(_serve(server, asker, scope, receive, send))

    return application


async def _serve(server: Server[Any], asker: Asker, scope: Scope, receive: Receive, send: Send) -> None:
    """A manager for each request: nothing is kept between them, and what a request began ends with it."""
    current.set(asker)
    # What is too large is refused before it comes here (config/middleware/body_limit.py), with its limit.
    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True, max_request_body_size=2**40)
    async with manager.run():
        await manager.handle_request(scope, receive, send)


def _refusal(method: str, headers: dict[str, str]) -> HttpResponse | None:
    """The refusal of a client that is too old, and of what no agent sends: another host's name, a page of another site, a stream or session
    that we don't keep."""
    if too_old := refused_client(headers.get("user-agent", "")):
        return too_old
    host, _ = split_domain_port(headers.get("host", ""))
    if not host or not validate_host(host, settings.ALLOWED_HOSTS):
        return problem(400, "bad_request", "This host name is not one of ALLOWED_HOSTS.")
    origin = headers.get("origin", "")
    if origin and urlsplit(origin).netloc != headers["host"] and origin not in settings.CSRF_TRUSTED_ORIGINS:
        return problem(403, "forbidden_origin", "This origin is not one of CSRF_TRUSTED_ORIGINS.")
    if method != "POST":
        return problem(
            405, "method_not_allowed", "The MCP server takes POST only: it keeps no session and opens no stream.", headers={"Allow": "POST"}
        )
    return None


def _check_key(scope: Scope, headers: dict[str, str]) -> HttpResponse | None:
    """A refusal where the key is none, or where wrong ones come too often. What it may do is each tool's question. One query."""
    request = HttpRequest()
    request.META = {**_environ(scope), **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}}
    try:
        auth.principal_of_key(request)
    except DomainError as error:
        return render(error)
    except (OperationalError, InterfaceError) as error:
        return render(refusal_of(error))
    finally:
        close_old_connections()  # Outside of Django's requests nobody else gives it back.
    return None


def _environ(scope: Scope) -> dict[str, Any]:
    name, port = scope.get("server") or ("127.0.0.1", 80)
    return {
        "SERVER_NAME": str(name),
        "SERVER_PORT": str(port or 80),
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": str((scope.get("client") or ("",))[0]),
        "wsgi.url_scheme": scope.get("scheme", "http"),
    }


async def _send(response: HttpResponse, send: Send) -> None:
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in response.items()]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})
