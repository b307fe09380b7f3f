"""The lines of a package as one edits them: a hundred of them as template took as long as all else of their page."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TypeVar

from django import template
from django.template.defaulttags import CsrfTokenNode
from django.utils.safestring import SafeString, mark_safe

from continuity.knowledge.directive_parser.grammar import SectionKind
from continuity.knowledge.directive_parser.vocabulary import TITLES
from continuity.rendering.inline_code import with_code
from continuity.templatetags.figures import grouped, in_transcript
from handoffs.views.reports import ReportLine, ShownSection

register = template.Library()
T = TypeVar("T")

FATES = {
    "left out": "still holds: other lines took its room",
    "overtaken": "older: newer lines stand in its place",
    "superseded": "replaced by something later",
    "resolved": "settled",
    "dismissed": "dismissed by a person",
}

_CLASSES = "row small soft"


@register.simple_tag(takes_context=True)
def package_lines(context: template.Context, section: ShownSection, number: int, address: str) -> SafeString:
    """The items of the list of section `number`; each is a form that is sent to `address` where it may be changed."""
    handoff = context["handoff"]
    if section.fixed or not context["editable"]:
        opening, closing, changing = f'<p class="{_CLASSES}">', "</p>", ""
    else:
        token = CsrfTokenNode().render(context)
        sent = f'method="post" action="{escape(address)}" hx-post="{escape(address)}" hx-target="#handoff"'
        opening, closing = f'<form class="{_CLASSES}" {sent}>{token}', "</form>"
        changing = f'<input type="hidden" name="version" value="{handoff.version}">'
    shown = []
    for place, line in enumerate(section.lines, start=1):
        told = _line_facts(line, in_transcript(handoff.conversation_id, line.seq) if line.seq else "")
        form = f"{_name(line)}{changing}{_changes(line, f'line-{number}-{place}')}" if changing else ""
        shown.append(f'<li>\n<p class="words">{with_code(line.text)}</p>\n{opening}{told}{form}{closing}\n</li>\n')
    return mark_safe("".join(shown))  # noqa: S308  all words are escaped


@register.filter
def fate(why: str) -> str:
    """Why a line is gone, in words."""
    return FATES.get(why, why)


@register.filter
def at(values: Mapping[str, T], key: str) -> T | None:
    """What stands under a line's key; nothing where a page has no such values."""
    return values.get(key) if values else None


@register.filter
def section_title(kind: SectionKind) -> str:
    """The section of a line, as the briefing calls it."""
    return TITLES[kind]


def _line_facts(line: ReportLine, source: str) -> str:
    """The facts on a line: whether it binds, where it comes from, what it takes."""
    pieces = []
    if line.pinned:
        pieces.append('<span class="chip info">pinned</span>')
    if line.critical:
        pieces.append('<span class="chip">in every handoff</span>')
    if line.claimed:
        pieces.append('<span class="chip warn">the agent’s claim, not confirmed</span>')
    if line.label:
        pieces.append(f"<span>{escape(line.label)}</span>")
    if source:
        named = "" if line.reference == f"m{line.seq}" else f"{escape(line.reference or 'source')}, "
        pieces.append(f'<a href="{escape(source)}">{named}message {grouped(line.seq)}</a>')
    elif line.reference:
        pieces.append(f"<span>{escape(line.reference)}</span>")
    pieces.append(f'<span class="number">{grouped(line.tokens)} tokens</span>')
    return "\n".join(pieces)


def _name(line: ReportLine) -> str:
    """The name by which a change finds the line."""
    name, value = ("key", line.key) if line.named else ("ref", line.reference)
    return f'<input type="hidden" name="{name}" value="{escape(value)}">'


def _changes(line: ReportLine, id_: str) -> str:
    pin, label = ("unpin", "Unpin") if line.pinned else ("pin", "Pin")
    return (
        f'<span class="end"><button class="quiet" name="action" value="{pin}">{label}</button>'
        '<button class="quiet" name="action" value="dismiss">Dismiss</button></span>\n'
        '<details class="grow"><summary class="quiet">Reword</summary>\n'
        f'<div class="field"><label class="visually-hidden" for="{id_}">New words</label>'
        f'<textarea id="{id_}" name="text" rows="3" maxlength="2000">{escape(line.text)}</textarea></div>\n'
        '<p class="saving"><button name="action" value="edit">Save</button></p>\n</details>\n'
    )
