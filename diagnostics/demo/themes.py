"""Themes of the demo: one piece of work each, of which any number of sessions can be written."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

DESCRIBING = ("Agree", "Describe", "Explain", "Propose", "Put", "Write the ", "Write down")
THEMES = Path(__file__).with_name("themes.json")


@dataclass(frozen=True, slots=True)
class Theme:
    """One piece of work. `by` is who begins it, `more` is what is asked on the way, `replies` what comes of it."""

    title: str
    by: str
    tool: str
    model: str
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
    replies: Sequence[str]
    blocked: str = ""

    @property
    def tests(self) -> Sequence[str]:
        return [path for path in self.files if PurePosixPath(path).name.startswith("test_")]

    def code(self, number: int) -> str:
        """The file that a step changes: what is described goes into a document where there is one."""
        documents = [path for path in self.files if path.endswith(".md")]
        if documents and self.steps[number].startswith(DESCRIBING):
            return documents[0]
        code = [path for path in self.files if path not in (*self.tests, *documents)]
        return code[number % len(code)]


def themes() -> Mapping[str, Theme]:
    """All of them by their branch and repository, as `tidewatch:fix/status`."""
    found = [Theme(**record) for record in json.loads(THEMES.read_text(encoding="utf-8"))]
    return {f"{theme.repo}:{theme.branch}": theme for theme in found}
