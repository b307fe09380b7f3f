"""The segments of a timeline as HTML: twenty of them as a template took half of the time of their page."""

from collections.abc import Mapping, Sequence
from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe

from continuity.core.page_addresses import address_of
from continuity.models import Conversation
from continuity.segments import Level
from continuity.services.segments.segments import SummarisedSegment
from continuity.templatetags.figures import grouped, in_transcript, masked, moment, shortened

register = template.Library()

TOPIC, CONTENT = 120, 20_000  # characters shown


@register.simple_tag
def segment_rows(told: Sequence[SummarisedSegment], conversation: Conversation, levels: Mapping[Level, str]) -> SafeString:
    """Segments of a conversation as items of a list, each with links to its other levels, which take its place."""
    return mark_safe("".join(_row(each, conversation, levels) for each in told))  # noqa: S308  all is escaped


def _row(each: SummarisedSegment, conversation: Conversation, levels: Mapping[Level, str]) -> str:
    topic = shortened(masked(each.topic) or "Without a topic", TOPIC)
    began = f"{moment(each.began)} · " if each.began else ""
    place = escape(in_transcript(conversation.id, each.first_seq))
    messages = f'<a class="number" href="{place}">messages {grouped(each.first_seq)}–{grouped(each.last_seq)}</a>'
    size = f'<span class="number">{grouped(each.tokens)} tokens</span>{"" if each.closed else " · in progress"}'
    told = each.content if each.content is not None and each.content != each.topic else None
    content = "" if told is None else f'  <p class="words small">{escape(shortened(masked(told), CONTENT))}</p>\n'
    tokens = "" if each.content_tokens is None else f'    <span class="soft number">{grouped(each.content_tokens)} tokens</span>\n'
    return (
        f'<li class="stack tight segment" id="segment-{each.id}">\n'
        f'  <div class="row apart"><strong class="grow">{escape(topic)}</strong>\n'
        f'    <span class="small soft">{began}{messages} · {size}</span></div>\n{content}'
        f'  <p class="row small">\n    {_levels(each, conversation, levels)}\n{tokens}  </p>\n</li>\n'
    )


def _levels(each: SummarisedSegment, conversation: Conversation, levels: Mapping[Level, str]) -> str:
    address = f"{address_of('conversation', conversation.id)}/segments/{each.id}"
    links = []
    for level, name in levels.items():
        there, current = f"{address}?level={int(level)}", ' aria-current="true"' if level == each.level else ""
        links.append(f'<a href="{there}" hx-get="{there}" hx-target="closest li" hx-swap="outerHTML"{current}>{escape(name)}</a>')
    return "".join(links)
