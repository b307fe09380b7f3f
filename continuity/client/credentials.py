"""The server's address and key."""

from __future__ import annotations

import os

from continuity.client.light import files

DEFAULT_URL = "http://127.0.0.1:8000"
FILE = "credentials.json"
# What `continuity agent run` gives its process: which instance of which agent it is.
AGENT = "CONTINUITY_AGENT"
ACTING = "Continuity-Agent"


class NotLoggedIn(Exception):
    """There is no key: run `continuity login URL`, or set CONTINUITY_URL and CONTINUITY_API_KEY."""

    def __init__(self) -> None:
        super().__init__(type(self).__doc__)


class Credentials:
    """`source` says where the key comes from: `environment` or `login`. `acting` names the instance of an agent that calls (NAME/EPOCH):
    once a later one began, its writes are refused."""

    __slots__ = ("acting", "key", "source", "url")

    def __init__(self, url: str, key: str, source: str = "login", acting: str = "") -> None:
        self.url, self.key, self.source, self.acting = url, key, source, acting


def find() -> Credentials:
    """The environment's, each value for itself, else those of `login`. Raises NotLoggedIn."""
    stored = files.read_object(f"{files.home()}/{FILE}")
    key = os.environ.get("CONTINUITY_API_KEY", "")
    url = os.environ.get("CONTINUITY_URL", "") or str(stored.get("url", "") or DEFAULT_URL)
    acting = os.environ.get(AGENT, "")
    acting = acting if acting.isascii() and acting.isprintable() else ""
    if key:
        return Credentials(url, key, "environment", acting)
    if not stored.get("key"):
        raise NotLoggedIn
    return Credentials(url, str(stored["key"]), acting=acting)
