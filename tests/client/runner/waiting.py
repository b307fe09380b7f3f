"""The client, whose runner waits so long for the greeting of a program: `python -m tests.client.runner.waiting SECONDS agent run …`."""

from __future__ import annotations

import sys

from continuity.client.main import main
from continuity.client.runner import startup

if __name__ == "__main__":
    startup.HELLO_SECONDS = float(sys.argv[1])
    sys.exit(main(sys.argv[2:]))
