"""continuity resume: the directive that the next session starts from."""

from __future__ import annotations

import argparse

from continuity.client import clipboard, offers, selection, terminal
from continuity.client.client import Client


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("handoff", metavar="ID", nargs="?", help=selection.WHICH)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--print", action="store_true", dest="only_print", help="only show the directive; the handoff stays ready")
    how.add_argument("--copy", action="store_true", help="put the directive on the clipboard instead of printing it")
    parser.add_argument("--style", choices=("structured", "concise", "narrative"), default="")
    parser.add_argument("--tool", default="", help="the tool that resumes, such as codex")
    parser.add_argument("--fork", action="store_true", help="start a branch if it was resumed already")


def run(options: argparse.Namespace) -> int:
    client = Client()
    status = "" if options.only_print or options.fork else "ready"
    chosen = selection.handoff(client, options.handoff, status=status)
    if options.only_print:
        directive = client.directive(chosen["id"], style=options.style)
        terminal.show_json({"handoff_id": chosen["id"], "directive": directive}) if options.json else terminal.show(
            terminal.as_argument(directive)
        )
        return 0
    how = {"style": options.style} if options.style else {}
    resumed = client.resume(chosen["id"], source_tool=options.tool, fork=options.fork, **how)
    offers.take(chosen["conversation_id"], chosen["id"])
    directive = resumed["directive"]
    if options.json:
        terminal.show_json({**resumed, "directive": directive})
    elif options.copy and clipboard.copy(directive):
        terminal.show(f"The directive is on the clipboard. Conversation {resumed['conversation']['id']}.")
    else:
        terminal.note("there is no clipboard here; this is the directive") if options.copy else None
        terminal.show(terminal.as_argument(directive))
    if not options.json:
        restored = f"{resumed['restored_anchors']} anchors and {resumed['restored_tasks']} tasks copied into it"
        terminal.note(f"resumed {chosen['id']} as conversation {resumed['conversation']['id']}: {restored}")
    return 0
