"""Runs the client from its file, without an installation: `python -IS continuity/client/__main__.py`."""

import os
import sys

if __name__ == "__main__":
    # Without pathlib, which takes longer to load than most hooks need in all.
    sys.path.insert(0, os.path.realpath(__file__).removesuffix("/continuity/client/__main__.py"))
    from continuity.client.main import main

    sys.exit(main(sys.argv[1:]))
