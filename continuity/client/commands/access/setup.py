"""continuity setup: from nothing to a client that records, in one command: logged in, found in the PATH, hooks in the tools."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from continuity.client import credentials, places, terminal
from continuity.client.client import Client
from continuity.client.commands.access import login
from continuity.client.commands.tools import install
from continuity.client.connection import Refused
from continuity.client.light.wording import shown_path
from continuity.client.main import DONE
from continuity.client.running import UnknownName, parser_of
from continuity.client.setup import launching, targets


def arguments(parser: argparse.ArgumentParser) -> None:
    login.arguments(parser)
    parser.add_argument("--yes", action="store_true", help="put the hooks into every tool that is found, without asking")
    parser.add_argument("--no-hooks", action="store_true", help="leave the tools as they are")


def run(options: argparse.Namespace) -> int:
    """A code that was redeemed is of no use again: what fails later is told, and can be done by itself."""
    done = _logged_in(options)
    linked = _link()
    tools = [] if options.no_hooks else targets.used()
    if options.json:
        put_in = [tool for tool in tools if options.yes and _hooks(options, tool)]
        terminal.show_json({"url": done.url, "kept_in": str(done.kept), "command": linked, "tools": tools, "hooks_in": put_in})
        return DONE
    terminal.show(login.told(done))
    if linked:
        terminal.show(_where(linked))
    for tool in tools:
        _hooks(options, tool)
    if not tools and not options.no_hooks:
        names = ", ".join(targets.TARGETS)
        terminal.show(f"No tool was used here yet that Continuity goes into; `continuity install TOOL` puts it in. Tools: {names}.")
    return DONE


def _logged_in(options: argparse.Namespace) -> login.LoggedIn:
    """Also by the line that was pasted once more, whose code is used up: the key that it brought is there."""
    try:
        return login.log_in(options)
    except Refused as refused:
        if not options.code or not _is_in(options.url):
            raise
        terminal.note(f"{refused} The key that is here already is good, so the rest is done with it.")
        return login.LoggedIn(options.url, places.home() / credentials.FILE)


def _is_in(url: str) -> bool:
    """Whether the key that is here is one of that server's."""
    try:
        if credentials.find().url.rstrip("/") != url:
            return False
        Client(answer=5).conversations(limit=1)
        return True
    except (credentials.NotLoggedIn, Refused):
        return False


def _hooks(options: argparse.Namespace, tool: str) -> bool:
    """Whether they are in."""
    try:
        if options.json:
            install.write(install.planned(tool), remember=True)
            return True
        return install.run(parser_of("install").parse_args([tool, *(["--yes"] if options.yes else [])])) == DONE
    except (OSError, UnknownName) as error:
        terminal.note(f"{error} The hooks of {tool} are not in; `continuity install {tool}` tries again.")
        return False


def _link() -> str:
    """Where the command of an unpacked client is found: linked from ~/.local/bin, unless something else stands there. Else empty."""
    launcher = launching.unpacked_launcher()
    if launcher is None:
        return ""
    link = Path.home() / ".local" / "bin" / launching.PROGRAM
    try:
        if link.is_symlink() and link.readlink() != launcher and not link.exists():
            link.unlink()  # It led to what is no longer there.
        if not link.exists():
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(launcher)
    except OSError:
        return str(launcher)
    return str(link if link.resolve() == launcher.resolve() else launcher)


def _where(command: str) -> str:
    folders = os.environ.get("PATH", "").split(os.pathsep)
    found = str(Path(command).parent) in folders
    lacks = "" if found else f' Your PATH lacks its folder: export PATH="{Path(command).parent}:$PATH"'
    return f"The command is {shown_path(command)}.{lacks}"
