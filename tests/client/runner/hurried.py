"""The client, whose runner does not wait long for the greeting of a program that has none: `python -m tests.client.runner.hurried …`."""

from __future__ import annotations

import sys

from continuity.client.main import main
from continuity.client.runner import keeper

if __name__ == "__main__":
    keeper.HELLO_SECONDS = 0.5
    sys.exit(main(sys.argv[1:]))
