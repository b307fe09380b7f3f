"""Writing one selection after another as text: a section whose lines are those of the last time is not written again."""

from __future__ import annotations

from handoffs.budgeting.budget import Selection
from handoffs.budgeting.candidate import Candidate
from handoffs.building.assembly import Place, grouped, place
from handoffs.contract.model import PackageItem, PackageSection, Scaffold, SectionKind, Style
from handoffs.directive.styles import MANNERS, ORDER


class Rendering:
    """The text of selections in one style, as `directive.render_sections` writes them."""

    def __init__(self, style: Style) -> None:
        self._manner = MANNERS[style]
        self._scaffold: Scaffold | None = None
        self._written: dict[SectionKind, tuple[list[Candidate], str]] = {}
        self._places: dict[str, Place] = {}

    def parts(self, selection: Selection) -> list[str]:
        """The text in parts that end with a line: the frame with the section beside it, and each section."""
        chosen = grouped(selection.chosen)
        manner = self._manner.beside([each.item for each in found] for found in chosen.values())
        if selection.scaffold is not self._scaffold or manner is not self._manner:
            self._scaffold, self._manner = selection.scaffold, manner
            self._written.clear()
        *sections, last = [self._section(kind, chosen[kind], selection.scaffold) for kind in ORDER if kind in chosen] or [""]
        opening, closing = self._manner.frame(selection.scaffold, "".join((*sections, last)))
        return [opening, *sections, f"{last.rstrip()}\n{closing}\n"]

    def _section(self, kind: SectionKind, chosen: list[Candidate], scaffold: Scaffold) -> str:
        last = self._written.get(kind)
        if last is not None and last[0] == chosen:
            return last[1]
        text = self._manner.section(PackageSection(kind, self._in_order(chosen)), scaffold)
        self._written[kind] = (chosen, text)
        return text

    def _in_order(self, chosen: list[Candidate]) -> tuple[PackageItem, ...]:
        """As `assembly.in_order`; the place of a line is found once."""
        for candidate in chosen:
            if candidate.item.key not in self._places:
                self._places[candidate.item.key] = place(candidate)
        return tuple(candidate.item for candidate in sorted(chosen, key=lambda candidate: self._places[candidate.item.key]))
