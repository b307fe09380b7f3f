"""The lines of a briefing as HTML: hundreds of them as a template would take as long as all else of their page.

All words are escaped; only the directive's own structure becomes elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from continuity import secrets
from continuity.knowledge.directive_parser.grammar import SectionKind
from continuity.knowledge.directive_parser.vocabulary import TITLES
from continuity.rendering.inline_code import with_code
from handoffs.briefing import BriefingLine, BriefingSection, BriefingSource, TextRun
from handoffs.fidelity.agreement import Disagreement
from handoffs.models import HandoffRating
from handoffs.views.briefing.showing import ShownBriefing, wrong_lines

register = template.Library()

NOTED = '<span class="chip info">agent’s note</span>'
SHOWN = 24  # lines of a long block that stand there at once
_MESSAGE = re.compile(r"m\d+")


@dataclass(frozen=True, slots=True)
class _Page:
    """What is marked in the lines, and the addresses that a reference and a line's key are put behind; `rating` is empty where one may
    not."""

    disagreements: Mapping[int, Disagreement]
    wrong: Mapping[str, Sequence[HandoffRating]]
    sources: str
    rating: str


@register.simple_tag(takes_context=True)
def briefing_sections(context: template.Context, shown: ShownBriefing) -> SafeString:
    """Every section with its heading and lines. Each source is a link that opens in place; where one may rate, each line can be called
    wrong."""
    id_ = context["handoff"].id
    sources = reverse("handoff-source", args=[id_, "a0"]).removesuffix("a0")
    wrong = f"{reverse('handoff-ratings', args=[id_])}?style={shown.style}&line=" if context["may_rate"] else ""
    page = _Page(shown.disagreements, wrong_lines(context["ratings"]), sources, wrong)
    sections = list(enumerate(shown.briefing.sections, start=1))
    told = "".join(_section(section, place, page) for place, section in sections)
    return mark_safe(_head(sections, page) + told)  # noqa: S308  all is escaped


def _head(sections: Sequence[tuple[int, BriefingSection]], page: _Page) -> str:
    """Where each section begins, and what lets each line be called wrong: a link at every line is in the way of who only reads."""
    links = "".join(f'<a href="#part-{place}">{escape(_heading(section))}</a>' for place, section in sections)
    marking = '<label class="row"><input type="checkbox" id="marking"> Report wrong lines</label>' if page.rating else ""
    return f'<div class="part row apart small no-print"><nav class="row" aria-label="Sections">{links}</nav>{marking}</div>\n'


def _heading(section: BriefingSection) -> str:
    return section.heading or (TITLES[SectionKind(section.kind)] if section.kind else "More")


def _section(section: BriefingSection, place: int, page: _Page) -> str:
    heading = _heading(section)
    lines = "".join(_line(line, page) for line in section.lines)
    classes = "part now" if section.kind == SectionKind.NEXT else "part"
    return (
        f'<section class="{classes}" aria-labelledby="part-{place}">\n<h2 id="part-{place}">{escape(heading)}</h2>\n'
        f"<ul>\n{lines}</ul>\n</section>\n"
    )


def _line(line: BriefingLine, page: _Page) -> str:
    told = [f'<span class="soft">{escape(line.introduction)}</span>'] if line.introduction else []
    told += _paths(line.paths, page.sources)
    told += [with_code(f"— {line.words}" if line.paths else line.words)] if line.words else []
    told += [_source(source, page.sources) for source in line.sources]
    told += [NOTED] if line.noted and not line.sources else []
    if page.rating:
        told.append(
            f'<a class="wrong no-print" href="{escape(page.rating)}{line.key}" hx-get="{escape(page.rating)}{line.key}" '
            f'aria-label="Wrong? Line {line.number}">Wrong?</a>'
        )
    classes = " ".join(filter(None, ("follows" if line.follows else "", "differs" if line.number in page.disagreements else "")))
    marks = "".join(_marks(page.disagreements.get(line.number), page.wrong.get(line.key, ())))
    of = f' class="{classes}"' if classes else ""
    opened = f'<div class="opened" id="opened-{line.number}"></div>'
    return f'<li id="line-{line.number}"{of}><p>{" ".join(told)}</p>\n{_block(line.block)}{marks}{opened}</li>\n'


def _source(source: BriefingSource, sources: str) -> str:
    told = [_link(source.reference, sources)]
    told += [f'<span class="soft small">{escape(source.note)}</span>'] if source.note else []
    told += ['<span class="chip">in every handoff</span>'] if source.binds else []
    told += ['<span class="chip warn">the agent’s claim, not confirmed</span>'] if source.claimed else []
    told += [NOTED] if source.reference.startswith("n") else []
    return " ".join(told)


def _link(reference: str, sources: str) -> str:
    address = escape(f"{sources}{reference}")
    named = f' title="message {reference[1:]}"' if _MESSAGE.fullmatch(reference) else ""
    return f'<a class="ref" href="{address}" hx-get="{address}"{named}>{escape(reference)}</a>'


def _paths(paths: Sequence[tuple[str, str]], sources: str) -> Iterator[str]:
    for path, name in paths:
        yield f'<span class="path">{escape(path)}</span> {_link(name, sources)}'


def _block(runs: Sequence[TextRun]) -> str:
    """Words of several lines; long ones are folded behind their first line."""
    if not runs:
        return ""
    lines = sum(run.text.count("\n") + 1 for run in runs)
    told = "".join(_run(run) for run in runs)
    if lines <= SHOWN:
        return f'<div class="block">{told}</div>\n'
    first = next((line.strip() for run in runs for line in run.text.split("\n") if line.strip()), "")
    return f'<details class="block"><summary>{escape(first[:120])} <span class="small">({lines} lines)</span></summary>{told}</details>\n'


def _run(run: TextRun) -> str:
    return f'<pre tabindex="0">{escape(run.text)}</pre>' if run.code else f'<p class="words">{with_code(run.text)}</p>'


def _marks(disagreement: Disagreement | None, wrong: Sequence[HandoffRating]) -> Iterator[str]:
    if disagreement is not None:
        yield f'<p class="small mark"><span class="chip warn">disagrees</span> {escape(secrets.mask_text(disagreement.reason))}</p>\n'
    if wrong:
        said = "; ".join(rating.text for rating in wrong[:3] if rating.text)
        by = f"{len(wrong)} reader{'s' if len(wrong) > 1 else ''} say{'' if len(wrong) > 1 else 's'} that this is wrong"
        words = f": {escape(secrets.mask_text(said))}" if said else ""
        yield f'<p class="small mark"><span class="chip bad">wrong</span> {by}{words}</p>\n'
