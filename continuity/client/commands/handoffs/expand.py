"""continuity expand: what a reference of a directive stands for, at its source."""

from __future__ import annotations

import argparse
from typing import Any

from continuity.client import selection, shapes, terminal
from continuity.client.client import Client
from continuity.client.running import UnknownName

DETAILED_CHARACTERS = 2_000


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("references", metavar="REF", nargs="+", help="as in the directive: a12, t3, f7, m53")
    parser.add_argument("--handoff", metavar="ID", help=selection.WHICH)
    parser.add_argument("--level", choices=("brief", "detailed", "verbatim"), default="detailed")


def run(options: argparse.Namespace) -> int:
    client = Client()
    chosen = client.handoff(selection.handoff(client, options.handoff)["id"])
    found = [_expand(client, chosen, reference.strip("[]!?#")) for reference in options.references]
    if options.json:
        terminal.show_json(found)
        return 0
    for each in found:
        where = f"message {each['seq']} of {each['conversation_id']}" if each["seq"] else "the beginning"
        terminal.show(terminal.colour(f"{each['reference']}  {each['brief']}", "bold") if each["brief"] else each["reference"])
        if options.level != "brief":
            text = each["verbatim"]
            cut = options.level == "detailed" and len(text) > DETAILED_CHARACTERS
            more = f"\n… {len(text) - DETAILED_CHARACTERS:,} more characters with --level verbatim" if cut else ""
            terminal.show(f"{terminal.colour(where, 'dim')}\n{text[:DETAILED_CHARACTERS] if cut else text}{more}")
    return 0


def _expand(client: Client, handoff: shapes.HandoffWithPackage, reference: str) -> dict[str, Any]:
    """The reference's line in the package, and the message that it came from. Raises NotFound."""
    items = [item for section in handoff["package"].get("sections", []) for item in section["items"]]
    item = next((item for item in items if item["reference"] == reference), None)
    if item is None and not (reference[:1] == "m" and reference[1:].isdigit()):
        raise UnknownName(f'the handoff {handoff["id"]} has no reference "{reference}"')
    conversation, seq = handoff["conversation_id"], int(item["seq"]) if item else int(reference[1:])
    if item and not seq:
        conversation, seq = _origin(client, conversation, item["key"])
    message = client.message(conversation, seq) if seq else None
    return {
        "reference": reference,
        "brief": item["text"] if item else "",
        "conversation_id": conversation,
        "seq": seq,
        "verbatim": _words(message) if message else "",
    }


def _origin(client: Client, conversation: str, key: str) -> tuple[str, int]:
    """Where an anchor that was carried over was said."""
    for anchor in client.anchors(conversation):
        if anchor["key"] == key:
            return anchor["origin_conversation_id"] or conversation, anchor["source_seq"]
    return conversation, 0


def _words(message: shapes.Message) -> str:
    return "\n\n".join(filter(None, (_part(part) for part in message["parts"])))


def _part(part: dict[str, Any]) -> str:
    if part["kind"] == "tool_call":
        return f"{part.get('name', 'tool')}: " + ", ".join(f"{name}={value!r}" for name, value in part.get("input", {}).items())
    return str(part.get("text", ""))
