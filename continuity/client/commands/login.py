"""continuity login: the server's address and a key, checked and kept (0600)."""

from __future__ import annotations

import argparse
import getpass
import json
import os
import sys

from continuity.client import credentials, places, terminal
from continuity.client.client import Client


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("url", metavar="URL", nargs="?", default=credentials.DEFAULT_URL, help="default: %(default)s")
    parser.add_argument("--key", help="the API key; prompted for if missing, or CONTINUITY_API_KEY")


def run(options: argparse.Namespace) -> int:
    key = options.key or os.environ.get("CONTINUITY_API_KEY") or _asked()
    url = options.url.rstrip("/")
    Client(url, key).conversations(limit=1)
    kept = places.home() / credentials.FILE
    places.write(kept, json.dumps({"url": url, "key": key}) + "\n")
    if options.json:
        terminal.show_json({"url": url, "kept_in": str(kept)})
    else:
        terminal.show(f"Logged in to {url}; the key is kept in {kept}.")
    return 0


def _asked() -> str:
    return (getpass.getpass("API key: ") if sys.stdin.isatty() else sys.stdin.readline()).strip()
