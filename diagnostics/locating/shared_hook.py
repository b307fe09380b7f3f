"""A directive and packs in one hook: the Anchor first, then the directive in what is left, then as much of Context as fits. Or in two, as
a session has them: at its start Anchor and directive, with its first prompt what fits of Context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from continuity.client.light.packs import ANCHOR, CONTEXT, directive_room, together
from continuity.packs.budgets import HOOK_ANCHOR
from diagnostics.evaluation.sizes import HANDED, DirectiveSize
from diagnostics.locating.cases import before, checked_out, read_cases
from handoffs.contract.model import Prepared
from handoffs.directive.outputs import hook_text
from handoffs.packs.oneshot import packs_of


@dataclass(slots=True)
class CasePacks:
    """Packs for what a session asks, of the repository as it stood when the session began: the session of a case at its commit, another
    one of such a repository, told by its name, at the last commit before it. None for the rest. `work` is a folder of ours."""

    cases: Path
    work: Path
    _made: dict[tuple[Path, str], Mapping[str, str]] = field(default_factory=dict)

    def of_session(self, session: Path, request: str) -> Mapping[str, str]:
        """Raises EvaluationError."""
        if (session, request) not in self._made:
            self._made[session, request] = self._make(session, request)
        return self._made[session, request]

    def _make(self, session: Path, request: str) -> Mapping[str, str]:
        known, name, bundles = read_cases(self.cases), session.name, self.cases.parent
        case = next((each for each in known if each.id in name.replace("-", "")), None)
        if case is None:
            near = next((each for each in known if name.startswith(f"{each.repository}__")), None)
            if near is None:
                return {}
            case = before(near, bundles, self.work, session)
        made = packs_of(checked_out(case, bundles, self.work), request, budget=4 * HOOK_ANCHOR)
        return {ANCHOR: made.anchor, CONTEXT: made.context}


@dataclass(frozen=True, slots=True)
class SharedHook(DirectiveSize):
    """`packs` are those of the session that is measured; with `prompted` what its first prompt's hook delivers counts too."""

    packs: CasePacks | None = None
    prompted: bool = False

    @classmethod
    def of(cls, characters: int, packs: CasePacks, *, prompted: bool = False) -> SharedHook:
        return cls(HANDED, characters, packs, prompted)

    @property
    def title(self) -> str:
        return f"{self.characters} characters of {'two hooks' if self.prompted else 'a hook'} with packs"

    def text(self, prepared: Prepared, session: Path) -> str:
        package = prepared.package
        asked = (package.situation.objective, package.situation.latest_request)
        request = "\n".join(dict.fromkeys(quote.text for quote in asked if quote))
        texts = self.packs.of_session(session, request) if self.packs else {}
        fit = partial(hook_text, package, package.options.style, package.handoff_id)
        directive = fit(directive_room(texts.get(ANCHOR, ""), self.characters))
        if not self.prompted:
            return together(directive, dict(texts), self.characters)[0]
        begun = together(directive, {ANCHOR: texts.get(ANCHOR, "")}, self.characters)[0]
        return "\n".join(filter(None, [begun, together("", {CONTEXT: texts.get(CONTEXT, "")}, self.characters)[0]]))
