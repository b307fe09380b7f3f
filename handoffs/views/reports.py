"""The stored checks of a handoff and of a resumption, and the plan of its budget, as a page shows them. Pure."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from continuity import secrets
from continuity.knowledge.directive_parser.vocabulary import TITLES
from handoffs.contract.model import SectionKind


@dataclass(frozen=True, slots=True)
class ReportScore:
    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Restoration:
    seamless: bool
    parts: Sequence[ReportScore]
    missing: Sequence[str]


def restoration(report: Mapping[str, Any]) -> Restoration:
    """From the report as stored with a resumption (CONT-06's ResumptionReport)."""
    return Restoration(
        seamless=bool(report.get("isSeamless")),
        parts=[
            ReportScore("Directive complete", float(report.get("directiveCompleteness", 0))),
            ReportScore("Anchors restored", float(report.get("anchorRestorationScore", 0))),
            ReportScore("State restored", float(report.get("stateRestorationScore", 0))),
        ],
        missing=[str(element) for element in report.get("missingElements", [])],
    )


HEADINGS = "Headings, opening and end"


@dataclass(frozen=True, slots=True)
class ReportSlice:
    """One section of a directive: its tokens, and their share of all."""

    name: str
    tokens: int
    share: float


def budget_slices(by_section: Mapping[str, Any], used: int) -> Sequence[ReportSlice]:
    """The tokens of each section of the directive, by its heading, the most valuable first, and what is left of all that is `used`: the
    headings themselves. Those that take nothing are left out."""
    titles = {str(kind): TITLES[kind] for kind in SectionKind}
    tokens = dict.fromkeys(titles.values(), 0)
    for name, taken in by_section.items():
        title = titles.get(name, name)
        tokens[title] = tokens.get(title, 0) + int(taken)
    tokens[HEADINGS] = max(0, used - sum(tokens.values()))
    whole = sum(tokens.values()) or 1
    return [ReportSlice(title, taken, taken / whole) for title, taken in tokens.items() if taken > 0]


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One line of a package as one edits it, without its secrets; `seq` is the message that it came from (0: none).

    `named` ones are asked for by their key; another's key says what is masked.
    """

    key: str
    reference: str
    text: str
    label: str
    seq: int
    tokens: int
    critical: bool
    claimed: bool
    pinned: bool
    named: bool


@dataclass(frozen=True, slots=True)
class ShownSection:
    """`fixed` ones are made from what the package leaves out, so their lines can't be changed."""

    kind: str
    fixed: bool
    dropped: int
    lines: Sequence[ReportLine]


def shown_sections(sections: Sequence[Mapping[str, Any]], pinned: Container[str]) -> Sequence[ShownSection]:
    """The sections of a stored package that say something, in their order."""
    return [
        ShownSection(
            kind=section["kind"],
            fixed=section["kind"] == SectionKind.LOOKUP,
            dropped=section.get("dropped", 0),
            lines=[_line(item, pinned) for item in section["items"]],
        )
        for section in sections
        if section["items"]
    ]


def _line(item: Mapping[str, Any], pinned: Container[str]) -> ReportLine:
    return ReportLine(
        key=item["key"],
        reference=item.get("reference", ""),
        text=secrets.mask_text(item["text"]),
        label=item.get("label", ""),
        seq=max(0, item.get("seq", 0)),
        tokens=item.get("tokens", 0),
        critical=item.get("critical", False),
        claimed=item.get("claimed", False),
        pinned=item["key"] in pinned,
        named=not secrets.find(item["key"]),
    )
