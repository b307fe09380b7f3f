"""continuity login: the server's address and a key, checked and kept (0600)."""

from __future__ import annotations

import argparse
import getpass
import json
import os
import socket
import sys
from pathlib import Path
from typing import NamedTuple

from continuity.client import credentials, places, terminal
from continuity.client.client import Client
from continuity.client.light.wording import shown_path
from continuity.client.main import DONE


class LoggedIn(NamedTuple):
    """`whose` tells whose key it is and in which team; empty where the key was given."""

    url: str
    kept: Path
    whose: str = ""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("url", metavar="URL", nargs="?", type=address, default=credentials.DEFAULT_URL, help="default: %(default)s")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--code", help="a code of the server's page /client/, which works once")
    how.add_argument("--key", help="the API key; prompted for if missing, or CONTINUITY_API_KEY")


def address(given: str) -> str:
    """The server's; also of who copied that of the page that offers the client."""
    return given.rstrip("/").removesuffix("/client")


def run(options: argparse.Namespace) -> int:
    done = log_in(options)
    if options.json:
        terminal.show_json({"url": done.url, "kept_in": str(done.kept)})
    else:
        terminal.show(told(done))
    return DONE


def log_in(options: argparse.Namespace) -> LoggedIn:
    """Raises Away, Refused, BadAddress, OSError; what was kept before stays then."""
    url, whose = options.url, ""
    if options.code:
        had = Client.redeem(url, options.code, socket.gethostname()[:120] or "client")
        key, whose = had["key"], f"{had['maker']} in {had['team']}"
    else:
        key = options.key or os.environ.get("CONTINUITY_API_KEY") or _asked()
        Client(url, key).conversations(limit=1)
    kept = places.home() / credentials.FILE
    places.write(kept, json.dumps({"url": url, "key": key}) + "\n")
    return LoggedIn(url, kept, whose)


def told(done: LoggedIn) -> str:
    whose = f" as {done.whose}" if done.whose else ""
    used = " CONTINUITY_API_KEY is set, and goes before it." if os.environ.get("CONTINUITY_API_KEY") else ""
    return f"Logged in to {done.url}{whose}; the key is kept in {shown_path(done.kept)}.{used}"


def _asked() -> str:
    return (getpass.getpass("API key: ") if sys.stdin.isatty() else sys.stdin.readline()).strip()
