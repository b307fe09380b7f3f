"""Template filters for numbers, shares, times and states."""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from html import escape
from typing import Any
from uuid import UUID

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from continuity import secrets
from continuity.charts import beats as beat_strip
from continuity.charts import sparkline as spark
from continuity.core.page_addresses import address_of
from continuity.core.thresholds import HANDOFF_AT, LONG_TASK_AT, PASSING_FIDELITY
from continuity.knowledge.anchor_types import TRAITS
from continuity.knowledge.model import AnchorState, AnchorType, Truth
from continuity.rendering.inline_code import with_code

register = template.Library()

LEVEL_OF_STATUS = {
    "active": "ok",
    "ready": "ok",
    "done": "ok",
    "running": "info",
    "handed off": "info",
    "resumed": "info",
    "draft": "warn",
    "offered": "warn",
    "expired": "warn",
    "failed": "bad",
    "ended": "bad",
    "ended, not cleaned up yet": "bad",
    "critical": "bad",
    "error": "warn",
    "warning": "warn",
    "blocked": "bad",
    "awaiting input": "warn",
    "in progress": "info",
    "near completion": "info",
    "completed": "ok",
    "succeeded": "ok",
    "recovering": "warn",
    "restoring": "info",
    "disconnected": "warn",
    "degraded": "warn",
}

# Names of statuses that say nothing to who reads a page, in its words.
STATUS_WORDS = {"idle": "quiet", "invalidated": "ended", "invalidated pending cleanup": "ended, not cleaned up yet"}
STATES_OF_ANCHORS = {AnchorState.SUPERSEDED.value: "replaced", AnchorState.RESOLVED.value: "settled"}
BY_WHOM = {Truth.STATED: "said by a person", Truth.CLAIMED: "said by the agent", Truth.OBSERVED: "shown by a tool"}


@register.filter
def grouped(number: Any) -> str:
    """`12345.6` as `12,346`; nothing for a missing number."""
    return "" if number is None or number == "" else f"{float(number):,.0f}"


@register.filter
def share(part: Any, digits: int = 0) -> str:
    """0.633 as `63%`; rounded down, so that a bar never says that a limit is reached when it is not."""
    if part is None or part == "":
        return ""
    scale = 10**digits
    return f"{int(float(part) * 100 * scale + 1e-9) / scale:.{digits}f}%"


@register.filter
def score(part: Any) -> str:
    """A score of the check, 0.466 as `46.6%`: everywhere with one digit, so that one score is one number."""
    return share(part, 1)


@register.filter
def of_hundred(percentage: float) -> float:
    """63.3 as 0.633."""
    return percentage / 100


@register.filter
def masked(text: Any) -> str:
    """The text without its secrets."""
    return secrets.mask_text(str(text or ""))


@register.filter
def coded(text: Any) -> SafeString:
    """Plain words as HTML in which what stands between backticks is code."""
    return mark_safe(with_code(str(text)))  # noqa: S308  all is escaped


@register.filter
def with_marks(runs: Sequence[tuple[str, bool]]) -> SafeString:
    """Pieces of a text, those that were looked for marked."""
    pieces = (f"<mark>{escape(text)}</mark>" if marked else escape(text) for text, marked in runs)
    return mark_safe("".join(pieces))  # noqa: S308  all is escaped


@register.filter
def shortened(text: Any, length: int) -> str:
    """The text if it has at most so many characters, otherwise its beginning and an ellipsis; in time of what is shown, not of all."""
    whole = str(text)
    return whole if len(whole) <= length else f"{whole[: length - 1]}…"


@register.filter
def in_transcript(conversation_id: UUID, seq: int) -> str:
    """The address of a message among those around it."""
    return f"{_transcript(conversation_id)}?at={seq}#m{seq}"


@lru_cache(maxsize=64)  # a page has tens of links into the same one
def _transcript(conversation_id: UUID) -> str:
    return reverse("messages", args=[conversation_id])


@register.filter
def page_of(id_: UUID, page: str) -> str:
    """The address of a row's page, for long lists."""
    return address_of(page, id_)


@register.filter
def reason(text: str) -> str:
    """What comes after “because”, for where that stands already."""
    return re.sub(r"(?i)^(?:because(?: of)?|since|as|due to|so that|weil|da|parce que)\b\s*", "", text)


@register.filter
def by_whom(truth: str) -> str:
    """What an anchor's `truth` says of its source."""
    return BY_WHOM[Truth(truth)]


@register.filter
def type_words(type: str) -> str:
    """The type of an anchor as directives call it: `UnresolvedQuestion` as `Question`."""
    return TRAITS[AnchorType(type)].words.capitalize()


@register.filter
def state_words(state: str) -> str:
    """The state of an anchor in words that everybody knows."""
    return STATES_OF_ANCHORS.get(state, state)


@register.filter
def by_role(role: str) -> str:
    """Who a message comes from, by the role that its tool filed it under, as transcripts call them."""
    return {"assistant": "agent"}.get(role, role)


@register.filter
def words(name: Any) -> str:
    """`UnresolvedQuestion`, `handed_off`, `IN_PROGRESS` as `Unresolved question`, `handed off`, `in progress`."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(name)).replace("_", " ")
    return text.lower() if text.isupper() else text[:1] + text[1:].lower()


def status_words(status: Any) -> str:
    """A status as pages call it."""
    label = words(status).lower()
    return STATUS_WORDS.get(label, label)


@register.filter
def short(identifier: UUID | str) -> str:
    return str(identifier)[:8]


@register.filter
def level_of_use(part: float) -> str:
    """How full is worrying: the thresholds of the handoff decision."""
    return "bad" if part >= HANDOFF_AT else "warn" if part >= LONG_TASK_AT else "ok"


@register.filter
def level_of_score(score: float) -> str:
    """Whether a score passes; one part may be lower than the whole."""
    return "ok" if score >= PASSING_FIDELITY else "warn" if score >= 0.5 else "bad"


@register.simple_tag
def bar(part: float, level: str, title: str) -> SafeString:
    """A bar filled to `part` (0..1) in the colour of `level`; `title` says it in words."""
    return format_html(
        '<svg class="bar fill-{}" viewBox="0 0 100 4" preserveAspectRatio="none" role="img"><title>{}</title>'
        '<rect width="{}" height="4"></rect></svg>',
        level,
        title,
        f"{max(0.0, min(1.0, float(part))) * 100:.1f}",
    )


@register.simple_tag
def sparkline(values: Sequence[float | None], title: str) -> SafeString:
    """The course of a figure as a line; its `title` and first and last values say it in words."""
    known = [value for value in values if value is not None]
    told = f"{title}: from {known[0]:,.4g} to {known[-1]:,.4g}" if known else f"{title}: nothing yet"
    return format_html(
        '<svg class="spark" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img"><title>{}</title><path d="{}"></path></svg>',
        *(f"{spark.WIDTH:.0f}", f"{spark.HEIGHT:.0f}", told, spark.sparkline(values)),
    )


@register.simple_tag(takes_context=True)
def beats(context: template.Context, times_ms: Sequence[int], name: str) -> SafeString:
    """Beats of the last minute as marks, the present at the right."""
    now = context.get("now") or timezone.now()
    now_ms = int(now.timestamp() * 1000)
    number = sum(1 for each in times_ms if now_ms - each <= beat_strip.SECONDS * 1000)
    return format_html(
        '<svg class="spark" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img"><title>{}</title><path d="{}"></path></svg>',
        *(
            f"{beat_strip.WIDTH:.0f}",
            f"{beat_strip.HEIGHT:.0f}",
            f"{name}: {number} {'beat' if number == 1 else 'beats'} in the last minute",
        ),
        beat_strip.strip(times_ms, now_ms=now_ms),
    )


@register.simple_tag
def chip(status: Any) -> SafeString:
    """A status in the colour of its meaning."""
    label = status_words(status)
    return format_html('<span class="chip {}">{}</span>', LEVEL_OF_STATUS.get(label, ""), label)


@register.simple_tag(takes_context=True)
def called(context: template.Context, person: Any) -> str:
    """A person by name, and who reads the page as “you”: a name such as “Owner” reads like a role."""
    reader = context["principal"].user
    return "you" if reader is not None and person == reader else str(person)


@register.simple_tag(takes_context=True)
def when(context: template.Context, moment: datetime | None) -> SafeString | str:
    """A time as one reads it (`3 min ago`), with the exact one for machines and on hovering."""
    if moment is None:
        return "–"
    now = context.get("now") or timezone.now()
    return _time(moment, moment.astimezone(timezone.get_current_timezone()), spoken(moment, now))


@register.simple_tag
def moment(at: datetime | None) -> SafeString | str:
    """A time by the clock, for what is read in its order: hovering is not for everybody."""
    if at is None:
        return "–"
    local = at.astimezone(timezone.get_current_timezone())
    return _time(at, local, f"{local:%d %b %Y, %H:%M}")


def _time(at: datetime, local: datetime, told: str) -> SafeString:
    """Only what we wrote ourselves stands in a time: nothing to escape, in a list that has tens of them."""
    return mark_safe(f'<time datetime="{at.isoformat()}" title="{local:%d %b %Y, %H:%M:%S %Z}">{told}</time>')  # noqa: S308


def spoken(moment: datetime, now: datetime) -> str:
    """`in 3 min`, `2 h ago`, `5 days ago`; from two weeks on the date."""
    seconds = (now - moment).total_seconds()
    distance = abs(seconds)
    if distance < 45:
        return "now"
    if distance < 3600:
        amount = f"{max(1, round(distance / 60))} min"
    elif distance < 86_400:
        amount = f"{round(distance / 3600)} h"
    elif distance < 14 * 86_400:
        days = round(distance / 86_400)
        amount = f"{days} day{'s' if days != 1 else ''}"
    else:
        return f"{timezone.localtime(moment):%d %b %Y}"
    return f"{amount} ago" if seconds > 0 else f"in {amount}"
