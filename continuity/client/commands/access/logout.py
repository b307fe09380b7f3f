"""continuity logout: the key that `login` kept, forgotten here, and where asked ended on the server."""

from __future__ import annotations

import argparse
import os

from continuity.client import credentials, places, terminal
from continuity.client.client import Client
from continuity.client.main import DONE, FAILED


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--revoke", action="store_true", help="also end the key on the server, wherever else it is used")


def run(options: argparse.Namespace) -> int:
    kept = places.home() / credentials.FILE
    stored = places.read_object(kept)
    if not stored.get("key"):
        terminal.note("there is no key here to forget")
        return FAILED
    url = str(stored.get("url", "") or credentials.DEFAULT_URL)
    if options.revoke:
        Client(url, str(stored["key"])).end_own_key()
    kept.unlink(missing_ok=True)
    if options.json:
        terminal.show_json({"url": url, "revoked": options.revoke})
        return DONE
    end = "and ended on the server" if options.revoke else f"here; it still works: {url}/team/keys ends it"
    terminal.show(f"Logged out of {url}: the key is forgotten {end}.")
    if os.environ.get("CONTINUITY_API_KEY"):
        terminal.note("CONTINUITY_API_KEY is set, and is used as before")
    return DONE
