"""The path of an edit, where the export of a session shows the change and leaves out the path."""

from __future__ import annotations

import re

from continuity.knowledge.language.sentences import lowered
from continuity.knowledge.language.word_sets import word_set
from continuity.knowledge.state.step import FoldStep

READ = 20_000  # characters of a text

_FILE = re.compile(
    r"(?<![\w/.-])@?(?P<path>(?!//|\.\.\.)[\w./-]{0,120}\w\.(?:py|pyi|tsx?|jsx?|mjs|go|rs|java|kt|swift|rb|php|cc?|cpp|hpp?|cs|scala|sql|html|s?css|vue|svelte"
    r"|json|ya?ml|toml|ini|mdx?|sh|tf))\b(?!\()"
)
_PRODUCTS = frozenset(f"{name}.js" for name in word_set("node next vue react express three d3 nuxt chart ember alpine discord"))


def mentioned(step: FoldStep, text: str) -> None:
    """Remember the files that words name, the latest last."""
    for match in _FILE.finditer(text[:READ]):
        if match["path"].lower() in _PRODUCTS:
            continue
        name, path = match["path"].rsplit("/", 1)[-1].lower(), match["path"][:200]
        known = step.state.named.get(name)
        # A name alone says less than the path that was told before.
        step.state.named.put(name, known if known and known.endswith(f"/{path}") else path)


def likely(step: FoldStep) -> str:
    """The named file whose name without ending stands in the agent's latest words, else the one named last; empty where none is."""
    turns = step.state.turns
    answer = turns[-1].answer if turns else None
    said = frozenset(re.findall(r"\w+", lowered(answer.text))) if answer else frozenset()
    files = list(reversed(step.state.named.items()))
    return next((path for name, path in files if name.rsplit(".", 1)[0] in said), files[0][1] if files else "")
