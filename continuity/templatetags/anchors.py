"""Anchors as HTML, with who said each, where, and why: a list has fifty rows, and as a template they took a third of its page."""

from html import escape

from django import template
from django.template.defaulttags import CsrfTokenNode
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from continuity.core.page_addresses import address_of
from continuity.knowledge.methods import ACCEPTED, ASKED
from continuity.knowledge.model import AnchorState, Truth
from continuity.models import Anchor
from continuity.templatetags import figures

register = template.Library()

WORDS, REPLACED = 300, 160  # characters shown of a reason, and of what was replaced
SAID, NAMED = 600, 60  # and of the anchor's own words, and of them in what is read out


@register.simple_tag(takes_context=True)
def anchor_row(context: template.Context, anchor: Anchor) -> SafeString:
    """An anchor as an item of a list, which the form to change it takes the place of; with a box where the page lets one choose, and with
    what was `done` to it and a way back where something was."""
    may_change, current = context.get("may_change"), anchor.state == AnchorState.CURRENT
    said, address = figures.masked(anchor.text), address_of_anchor(anchor)
    named, place = escape(figures.shortened(said, NAMED)), escape(address)
    why, id_ = ("Why, and edit" if may_change else "Why"), escape(anchor.key)
    chosen = (
        f'  <input class="choose" type="checkbox" name="key" value="{id_}" form="several" aria-label="Choose: {named}">\n'
        if may_change and context.get("choosing")
        else ""
    )
    facts = [f"<strong>{escape(figures.type_words(anchor.type))}</strong>"]
    facts += [] if current else [f'<span class="chip">{escape(figures.state_words(anchor.state))}</span>']
    if anchor.pinned or (anchor.critical and current):
        facts.append(f'<span class="chip info">{"pinned: in" if anchor.pinned else "in"} every handoff</span>')
    facts.append(f"<span>{_added(context, anchor) if anchor.is_added else conditional_escape(said_by(anchor))}</span>")
    facts += [f'<span class="number">importance {anchor.importance:.2f}</span>', place_of(anchor)]
    facts += [f"<span>{figures.moment(anchor.said_on)}</span>"] if anchor.said_on else []
    facts.append(f'<a href="{place}" hx-get="{place}" hx-target="closest li" hx-swap="outerHTML" aria-label="{why}: {named}">{why}</a>')
    told = "\n    ".join(filter(None, facts))
    return mark_safe(  # noqa: S308  all is escaped
        f'<li id="anchor-{id_}">\n{chosen}'
        f'  <p class="words{"" if current else " soft"}">{figures.coded(figures.shortened(said, SAID))}</p>\n'
        f'  {reasons_of(anchor)}\n  <p class="row small soft">\n    {told}\n  </p>\n{_done(context, place)}</li>\n'
    )


def _added(context: template.Context, anchor: Anchor) -> str:
    by = str(anchor.edited_by) if anchor.edited_by else "a person" if anchor.truth == Truth.STATED else "an agent"
    at = f" {figures.when(context, anchor.edited_at)}" if anchor.edited_at else ""
    return f"added by {escape(by)}{at}: nobody said it in the conversation"


def _done(context: template.Context, address: str) -> str:
    """What was just done to it, as a form that takes it back."""
    if not context.get("done"):
        return ""
    sent = f'method="post" action="{address}" hx-post="{address}" hx-target="closest li" hx-swap="outerHTML"'
    told = f'{CsrfTokenNode().render(context)}\n    <span class="chip ok">{escape(context["done"])}</span>'
    if undo := context.get("undo"):
        words = f'<input type="hidden" name="text" value="{escape(context["before"])}">'
        told += f'\n    {words}<button class="quiet" name="change" value="{escape(undo.value)}">Undo</button>'
    return f'  <form class="row small" role="status" {sent}>{told}\n  </form>\n'


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
