"""Things that were made, with what they are for."""

from __future__ import annotations

from continuity.knowledge.language.content_words import is_identifier, tokens
from continuity.knowledge.model import AnchorType
from continuity.knowledge.rules.engine import AGENT, Rule, RuleLine, cue


def _names_a_file(line: RuleLine) -> bool:
    return any(is_identifier(t) and ("." in t or "/" in t or "_" in t) for t in tokens(line.plain))


RULES = (
    Rule(
        "artifact.created",
        AnchorType.ARTIFACT,
        cue(
            r"\b(?:created|added|wrote|generated|introduced|extracted|scaffolded)\b.{0,40}\b(?:file|module|script|test|class|function"
            r"|component|helper|endpoint|migration|table|column|type|command|page|package|config)\b",
            r"^(?:created|added|wrote|generated|new file|new)\b[: ]",
        ),
        AGENT,
        0.68,
        test=_names_a_file,
    ),
)
