"""Runs the client from its file, without an installation: `python -IS continuity/client/__main__.py`."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from continuity.client.main import main

    sys.exit(main(sys.argv[1:]))
