"""Themes of the demo: one piece of work each, of which any number of sessions can be written."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

THEMES = Path(__file__).with_name("themes.json")


@dataclass(frozen=True, slots=True)
class Theme:
    """One piece of work. `by` is who begins it, `window` the tokens of the model's context; `more` is what is asked on the way."""

    title: str
    by: str
    tool: str
    model: str
    window: int
    repo: str
    branch: str
    request: str
    rules: Sequence[str]
    question: str
    answer: str
    decision: str
    steps: Sequence[str]
    files: Sequence[str]
    failed: str
    error: str
    test: str
    passed: int
    more: Sequence[str]
    blocked: str = ""

    @property
    def cwd(self) -> str:
        return f"/home/{self.by}/{self.repo}"


def themes() -> Mapping[str, Theme]:
    """All of them by their branch and repository, as `tidewatch:fix/status`."""
    found = [Theme(**record) for record in json.loads(THEMES.read_text(encoding="utf-8"))]
    return {f"{theme.repo}:{theme.branch}": theme for theme in found}
