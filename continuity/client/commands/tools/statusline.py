"""continuity statusline: told of by `--help`; what it does is in hooks/window.py, which starts faster."""

from __future__ import annotations

import argparse

from continuity.client.hooks import window


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(window.THEN, metavar="COMMAND", help="run your own status line's command first, with the same input")


def run(options: argparse.Namespace) -> int:
    return window.main([window.THEN, options.then] if options.then else [])
