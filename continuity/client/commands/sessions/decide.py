"""continuity decide: a decision recorded by hand, which every handoff then states."""

from __future__ import annotations

import argparse

from continuity.client import selection, terminal
from continuity.client.client import Client

KINDS = {"decision": "Decision", "constraint": "Constraint", "preference": "UserPreference", "fact": "CriticalFact"}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="in your words")
    parser.add_argument("--kind", choices=sorted(KINDS), default="decision")
    parser.add_argument("--because", default="", help="the reason")
    parser.add_argument("--rejected", default="", help="what was decided against")
    selection.conversation_argument(parser)


def run(options: argparse.Namespace) -> int:
    client = Client()
    conversation = selection.conversation(client, options.conversation)
    made = client.decide(conversation, options.text, type=KINDS[options.kind], rationale=options.because, rejected=options.rejected)
    if options.json:
        terminal.show_json(made)
    else:
        terminal.show(f"Recorded in {conversation}; every handoff will state it.")
    return 0
