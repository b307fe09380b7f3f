"""Runs one command: its arguments, and its failures in words."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from types import ModuleType
from typing import NoReturn

from continuity.client import main, terminal
from continuity.client.commands.examples import EXAMPLES
from continuity.client.connection import Away, BadAddress, Refused, ServerFault
from continuity.client.credentials import NotLoggedIn

# What stands behind `--` is for another program.
TAKES_COMMAND = ("agent", "start")


class UnknownName(Exception):
    """What was asked for is not there; the message says what."""


class CommandParser(argparse.ArgumentParser):
    """Says what may have been meant by a choice or an option that it does not know."""

    def error(self, message: str) -> NoReturn:
        wrong = re.search(r"(?:invalid choice: '|unrecognized arguments: )([^' ]+)", message)
        known = re.findall(r"[\w-]+", message.partition("choose from")[2]) or list(self._option_string_actions)
        meant = get_close_matches(wrong[1][:40], known, n=1) if wrong else []
        super().error(f'{message}: did you mean "{meant[0]}"?' if meant else message)


def run(name: str, argv: Sequence[str]) -> int:
    command, parser = _command(name), parser_of(name)
    options = parser.parse_args(argv[: argv.index("--")] if name in TAKES_COMMAND and "--" in argv else argv)
    options.command = list(argv[argv.index("--") + 1 :]) if "--" in argv else []
    try:
        return int(command.run(options))
    except (UnknownName, BadAddress, OSError) as error:
        if isinstance(error, BrokenPipeError):
            main.abandon_output()
            return main.DONE
        terminal.note(str(error))
        return main.FAILED
    except Refused as refused:
        terminal.note(str(refused))
        return code_of(refused)
    except Away as away:
        terminal.note(f"the server is away: {away}; see `continuity doctor`")
        return code_of(away)
    except NotLoggedIn as missing:
        terminal.note(str(missing))
        return main.NO_KEY
    except KeyboardInterrupt:
        return main.INTERRUPTED


def code_of(error: Away | Refused) -> int:
    """The exit code that says what the server did: away, its own fault, no such key, refused."""
    if isinstance(error, Away):
        return main.AWAY
    if isinstance(error, ServerFault):
        return main.FAULT
    return main.NO_KEY if error.status == 401 else main.FAILED


def parser_of(name: str) -> argparse.ArgumentParser:
    shown = "\n".join(["examples:", *(f"  {line}" for line in EXAMPLES[name])])
    parser = CommandParser(
        prog=f"continuity {name}", description=main.COMMANDS[name] + ".", epilog=shown, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    _command(name).arguments(parser)
    return parser


def _command(name: str) -> ModuleType:
    folder = next(folder for folder, commands in main.GROUPS.items() if name in commands)
    return import_module(f"continuity.client.commands.{folder}.{name.replace('-', '_')}")
