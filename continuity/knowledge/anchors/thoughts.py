"""What an agent thought and did not say, told from what it said by how it was found."""

from __future__ import annotations

from continuity.knowledge.model import Anchor

MARK = ".thought"  # behind the id of the rule that found it


def unsaid(method: str) -> str:
    """How an anchor is found in a thought by the rule whose id is `method`."""
    return f"{method}{MARK}"


def rule_of(method: str) -> str:
    """The id of the rule by which an anchor was found, said or thought."""
    return method.removesuffix(MARK)


def is_thought(anchor: Anchor) -> bool:
    """Whether an anchor is what the agent only thought."""
    return anchor.method.endswith(MARK)
