"""An agent in a process of its own: `python -m tests.events.agent_process NAME KIND FILE`; it writes down what it handled."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from continuity.client.events import ReceivedEvent, Subscriber


def main(name: str, kind: str, path: Path) -> None:
    subscriber = Subscriber(name, policy="full", lease=5)
    with path.open("a", encoding="utf-8") as file:

        @subscriber.on("task_completed")
        def handle(event: ReceivedEvent) -> None:
            if kind == "failing":
                raise RuntimeError("always")
            if kind == "hanging":
                time.sleep(3600)
            if kind == "dying" and event.payload == "fatal":
                os._exit(1)
            file.write(f"{event.id} {event.position} {event.attempt}\n")
            file.flush()

        file.write("begun\n")
        file.flush()
        subscriber.run()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
