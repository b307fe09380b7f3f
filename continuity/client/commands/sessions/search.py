"""continuity search: finding again what was said, decided or done."""

from __future__ import annotations

import argparse

from continuity.client import shapes, terminal
from continuity.client.client import Client


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", metavar="WORD", nargs="+", help='all must occur; "a phrase" in quotes, names and paths')
    parser.add_argument("--conversation", metavar="ID", default="", help="default: everywhere")
    parser.add_argument("--kind", choices=("message", "anchor"), default="")
    parser.add_argument("--role", choices=("user", "assistant", "tool", "system"), default="")
    parser.add_argument("--tool", metavar="NAME", default="", help="only messages that call this tool")
    parser.add_argument("--since", metavar="TIME", default="", help="such as 2026-11-20T00:00:00Z")
    parser.add_argument("--until", metavar="TIME", default="")
    parser.add_argument("--limit", type=int, default=10, metavar="N")


def run(options: argparse.Namespace) -> int:
    filters = {name: getattr(options, name) for name in ("kind", "role", "tool", "since", "until", "limit")}
    found = Client().search(" ".join(map(_quoted, options.words)), conversation=options.conversation, **filters)
    if options.json:
        terminal.show_json(found)
        return 0
    for hit in found["items"]:
        what = hit["anchor_type"] if hit["kind"] == "anchor" else f"message {hit['seq']}, {hit['role']}"
        terminal.show(terminal.colour(f"{hit['title'] or 'Without a title'} · {what} · {hit['conversation_id']}", "dim"))
        terminal.show(f"  {_shown(hit['excerpt'])}")
    if not found["items"]:
        terminal.note("nothing holds all of these words")
    elif found["next_cursor"]:
        terminal.note("there is more: --limit shows up to 100")
    if found.get("only_latest"):  # older servers don't tell
        terminal.note("more hold these words than the latest 500 messages and 500 anchors, among which these are the best")
    return 0 if found["items"] else 1


def _quoted(word: str) -> str:
    """Puts quotes around an argument of several words, which is a phrase."""
    return f'"{word}"' if " " in word and '"' not in word else word


def _shown(excerpt: shapes.SourceExcerpt) -> str:
    pieces, position, text = [], 0, excerpt["text"]
    for start, end in excerpt["marks"]:
        pieces += [text[position:start], terminal.colour(text[start:end], "bold")]
        position = end
    shown = " ".join("".join([*pieces, text[position:]]).split())
    return f"{'… ' if excerpt['cut_before'] else ''}{shown}{' …' if excerpt['cut_after'] else ''}"
