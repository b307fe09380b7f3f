"""continuity mcp: the MCP server on standard input and output, for a tool that starts it."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from continuity.client import mcp_bridge
from continuity.client.main import DONE

PROGRAM = Path(__file__).resolve().parents[2] / "__main__.py"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cwd", type=Path, default=Path.cwd(), help="the folder that tools are about; default: this one")


def run(options: argparse.Namespace) -> int:
    if find_spec("mcp") is None:
        if sys.flags.no_site:
            # The other commands start without installed packages, which take time; this one stays.
            os.execv(sys.executable, [sys.executable, "-I", str(PROGRAM), "mcp", "--cwd", str(options.cwd)])
        return mcp_bridge.serve(str(options.cwd.absolute()), sys.stdin.buffer, sys.stdout.buffer)
    import_module("continuity.mcp.stdio").serve(str(options.cwd.absolute()))
    return DONE
