"""continuity handoff: a checked package of the conversation as it stands."""

from __future__ import annotations

import argparse
from contextlib import suppress

from continuity.client import selection, terminal, unsent
from continuity.client.client import Client
from continuity.client.main import CHECK_FAILED, DONE
from continuity.client.recording import positions


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--budget", type=int, default=4000, help="maximum tokens of the directive (default: %(default)s)")
    parser.add_argument("--note", default="", help="a note for the next session")
    parser.add_argument("--style", choices=("structured", "concise", "narrative"), default="structured")
    parser.add_argument("--validate", default="", metavar="HANDOFF", help="check a stored handoff again instead; it stays as it is")
    selection.conversation_argument(parser)


def run(options: argparse.Namespace) -> int:
    client = Client()
    if options.validate:
        return _validate(client, options)
    left = unsent.send(client, options.conversation or "")
    conversation = selection.conversation(client, options.conversation)
    unsent.warn(left, conversation)
    made = client.prepare(conversation, budget=options.budget, note=options.note, style=options.style)
    passed = made["status"] != "failed"
    if made["status"] == "ready":
        with suppress(OSError):  # On a full disk the window tells of it later.
            positions.note_handoff(conversation, made["id"])
    if options.json:
        terminal.show_json(made)
    elif passed:
        terminal.show(f"{terminal.colour('Ready', 'green')}: handoff {made['id']}")
        terminal.show(f"  {made['token_count']:,} of {made['token_budget']:,} tokens, fidelity {made['fidelity_score']:.2f}")
        terminal.show(f"  Continue with `continuity resume {made['id']}`, or in a new session of this folder with the hooks.")
    else:
        terminal.show(f"{terminal.colour('Not ready', 'red')}: the check failed at {made['fidelity_score']:.2f}: {made['failure']}")
    return DONE if passed else CHECK_FAILED


def _validate(client: Client, options: argparse.Namespace) -> int:
    told = client.validate(options.validate)
    if options.json:
        terminal.show_json(told)
        return DONE if told["passes"] else CHECK_FAILED
    word = terminal.colour("Passes", "green") if told["passes"] else terminal.colour("Fails", "red")
    terminal.show(f"{word} now: fidelity {told['report']['overallFidelityScore']:.2f}; {told['messages_since']:,} messages came after it")
    for issue in told["report"]["issues"]:
        terminal.show(f"  {issue['severity']}: {issue['description']}")
    return DONE if told["passes"] else CHECK_FAILED
