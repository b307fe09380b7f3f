"""A directive and packs in one hook: the Anchor first, then the directive in what is left, then as much of Context as fits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from continuity.client.light.packs import ANCHOR, CONTEXT, room_beside, together
from continuity.packs.budgets import HOOK_ANCHOR
from diagnostics.evaluation.sizes import HANDED, DirectiveSize
from diagnostics.locating.cases import checked_out, read_cases
from handoffs.contract.model import Prepared
from handoffs.directive.outputs import hook_text
from handoffs.packs.oneshot import packs_of


@dataclass(slots=True)
class CasePacks:
    """Packs for what a session asks, of the repository as it stood when the session of its case began. For another session of such a
    repository, told by its name, as it stood for the first case: what an Anchor takes from a directive is the same. None for the rest.
    `work` is a folder of ours."""

    cases: Path
    work: Path
    _made: dict[tuple[str, str], Mapping[str, str]] = field(default_factory=dict)

    def of_session(self, name: str, request: str) -> Mapping[str, str]:
        """Raises EvaluationError."""
        known = read_cases(self.cases)
        own = (each for each in known if each.id in name.replace("-", ""))
        case = next(own, next((each for each in known if name.startswith(f"{each.repository}__")), None))
        if case is None:
            return {}
        if (case.id, request) not in self._made:
            made = packs_of(checked_out(case, self.cases.parent, self.work), request, budget=4 * HOOK_ANCHOR)
            self._made[case.id, request] = {ANCHOR: made.anchor, CONTEXT: made.context}
        return self._made[case.id, request]


@dataclass(frozen=True, slots=True)
class SharedHook(DirectiveSize):
    """`packs` are those of the session that is measured."""

    packs: CasePacks | None = None

    @classmethod
    def of(cls, characters: int, packs: CasePacks) -> SharedHook:
        return cls(HANDED, characters, packs)

    @property
    def title(self) -> str:
        return f"{self.characters} characters of a hook with packs"

    def text(self, prepared: Prepared, session: str = "") -> str:
        package = prepared.package
        asked = (package.situation.objective, package.situation.latest_request)
        request = "\n".join(dict.fromkeys(quote.text for quote in asked if quote))
        texts = self.packs.of_session(session, request) if self.packs else {}
        fit = partial(hook_text, package, package.options.style, package.handoff_id)
        return together(fit(room_beside(texts.get(ANCHOR, ""), self.characters)), dict(texts), self.characters)[0]
