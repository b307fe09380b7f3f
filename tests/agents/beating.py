"""A runner in a process of its own: `python -m tests.agents.beating URL KEY RUNNER NAME…` registers agents and beats for them."""

from __future__ import annotations

import json
import sys
import time
import urllib.request
from contextlib import suppress
from typing import Any


def call(url: str, key: str, path: str, body: Any = None, seconds: float = 1.5) -> Any:
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    sent = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{url}/api/v1{path}", sent, headers), timeout=seconds) as answer:
        return json.load(answer)


def main(url: str, key: str, runner: str, *names: str) -> None:
    known = {name: call(url, key, "/agents", {"name": name, "runner": runner}, 10) for name in names}
    interval = min(told["heartbeat_interval_ms"] for told in known.values()) / 1000
    held = {name: {"epoch": told["epoch"], "instance": told["instance"]} for name, told in known.items()}
    for name, instance in held.items():
        call(url, key, f"/agents/{name}/ready", instance, 10)
    print("ready", flush=True)
    while True:
        beats = {"runner": runner, "beats": [{"agent": name, **instance} for name, instance in held.items()]}
        begun = time.monotonic()
        with suppress(OSError, ValueError):  # It goes on beating, whatever became of this one.
            call(url, key, "/agents/heartbeats", beats)
        time.sleep(max(0.0, interval - (time.monotonic() - begun)))


if __name__ == "__main__":
    main(*sys.argv[1:])
