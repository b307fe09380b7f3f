"""Who said an anchor, where, and why, as HTML: a list has tens of rows, and three templates for each took a third of their time."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from continuity.core.page_addresses import address_of
from continuity.knowledge.methods import ACCEPTED, ASKED
from continuity.models import Anchor
from continuity.templatetags import figures

register = template.Library()

WORDS, REPLACED = 300, 160  # characters shown of a reason, and of what was replaced


@register.simple_tag
def said_by(anchor: Anchor) -> SafeString | str:
    """Who said it, and who agreed to it in which message."""
    if anchor.method == ACCEPTED:
        person = f" to by {anchor.said_in}" if anchor.said_in else ""
        place = format_html(" in {}", _message(anchor, anchor.agreed_seq)) if anchor.agreed_seq else ""
        return format_html("proposed by the agent, and agreed{}{}", person, place)
    if anchor.method == ASKED:
        return f"chosen by {anchor.said_in or 'a person'}"
    return f"said by {anchor.said_in}" if anchor.said_in else figures.by_whom(anchor.truth)


@register.simple_tag
def place_of(anchor: Anchor) -> SafeString | str:
    """A link to the message that it comes from; nothing of what was added beside the conversation."""
    if anchor.is_added or not (anchor.source_seq or anchor.origin_conversation_id):
        return ""
    return _message(anchor, anchor.source_seq, " of an earlier conversation" if anchor.origin_conversation_id else "")


@register.simple_tag
def reasons_of(anchor: Anchor, quoted: bool = False) -> SafeString:
    """Why it holds: the question that it answers, its reason, what it was chosen over, what it replaced; `quoted` where the page shows the
    exchange with the reason."""
    told: list[str] = []
    answers, reason = anchor.answers, anchor.rationale or ""
    is_question = reason.endswith("?")
    if answers:
        told.append(_told("Answer to:", answers.text, WORDS, format_html(" {}", _message(anchor, answers.ref.seq))))
    if reason and reason not in anchor.text and not quoted and not (answers and is_question):
        label = "Answer to:" if is_question else "Agreed:" if anchor.method == ACCEPTED else "Because"
        told.append(_told(label, figures.reason(figures.masked(reason)), WORDS))
    if anchor.rejected and anchor.method == ASKED:
        told.append(_told("Instead of:", anchor.rejected, WORDS))
    for old in anchor.replaced:
        words = figures.coded(figures.shortened(figures.masked(old.text), REPLACED))
        told.append(format_html('<p class="small soft"><strong>Replaces:</strong> <a href="{}">{}</a></p>', address_of_anchor(old), words))
    return mark_safe("".join(told))  # noqa: S308  all is escaped


@register.filter
def address_of_anchor(anchor: Anchor) -> str:
    """The address of its page."""
    return f"{address_of('anchors', anchor.conversation_id)}/{anchor.key}"


def _told(label: str, text: str, length: int, more: str = "") -> SafeString:
    words = figures.coded(figures.shortened(figures.masked(text), length))
    return format_html('<p class="small soft"><strong>{}</strong> {}{}</p>', label, words, more)


def _message(anchor: Anchor, seq: int, more: str = "") -> SafeString:
    address = figures.in_transcript(anchor.said_at, seq)
    return format_html('<a href="{}">message {}{}</a>', address, figures.grouped(seq), more)
