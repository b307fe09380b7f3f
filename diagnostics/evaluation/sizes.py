"""Sizes at which directives are measured: a budget of tokens, or the characters that a tool's hook takes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from handoffs.contract.model import Prepared
from handoffs.directive.outputs import hook_text

HANDED = 4000  # tokens of the directive that a hook delivers a part of


@dataclass(frozen=True, slots=True)
class DirectiveSize:
    """A budget of tokens; with `characters`, what a hook delivers of such a directive within so many."""

    budget: int
    characters: int = 0

    @classmethod
    def of_hook(cls, characters: int) -> DirectiveSize:
        return cls(HANDED, characters)

    @property
    def title(self) -> str:
        return f"{self.characters} characters of a hook" if self.characters else f"budget {self.budget}"

    def text(self, prepared: Prepared, session: Path) -> str:
        """What is delivered at this size of the directive of a session, which is in this file."""
        if not self.characters:
            return prepared.text
        package = prepared.package
        return hook_text(package, package.options.style, package.handoff_id, self.characters)
