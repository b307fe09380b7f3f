"""continuity tasks: what is open, and what was done."""

from __future__ import annotations

import argparse

from continuity.client import selection, terminal
from continuity.client.client import Client

STATUS = ("not started", "in progress", "blocked", "awaiting input", "near completion", "completed")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="also what is completed")
    selection.conversation_argument(parser)


def run(options: argparse.Namespace) -> int:
    client = Client()
    conversation = selection.conversation(client, options.conversation)
    tasks = client.tasks(conversation, open=not options.all)
    if options.json:
        terminal.show_json(tasks)
        return 0
    about = client.conversation(conversation)
    if about["folded_seq"] < about["message_count"]:
        terminal.note("the last messages are still being read; ask again in a moment")
    if not tasks:
        terminal.show("No tasks." if options.all else "No open tasks.")
    for task in tasks:
        done = task["status"] == len(STATUS) - 1
        mark = "[x]" if done else "[ ]"
        terminal.show(f"{mark} {task['description']} ({STATUS[task['status']]}, {task['progress']:.0f} %)")
        for step in task["steps_done"]:
            terminal.show(terminal.colour(f"      done  {step}", "dim"))
        for step in task["steps_left"]:
            terminal.show(f"      left  {step}")
        if task["blocking_reason"]:
            terminal.show(f"      {'' if done else 'blocked: '}{task['blocking_reason']}")
    return 0
