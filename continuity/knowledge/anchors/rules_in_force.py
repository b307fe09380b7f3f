"""Whose a rule is and how long it holds: a person's standing rule, a rule of the project, or a part of one request."""

from __future__ import annotations

from continuity.knowledge.anchor_types import RULES
from continuity.knowledge.language.standing import is_standing
from continuity.knowledge.model import Anchor, Truth

FROM = "@"  # in the method of a rule that no person said: what follows names the file
REQUEST = "request"  # what is over with the request in which it was said

_OF_PROJECT = ("project.", "ticket.")
_BY_PERSON = ("system.",)


def source_of(anchor: Anchor) -> str:
    """The file that an anchor's rule stands in; empty where a person said it."""
    return anchor.method.partition(FROM)[2]


def is_rule_in_force(anchor: Anchor) -> bool:
    """Whether an anchor is a rule that holds beyond the request in which it was said."""
    if anchor.type not in RULES:
        return False
    if anchor.method.startswith(_OF_PROJECT + _BY_PERSON):
        return True
    return anchor.truth is Truth.STATED and is_standing(anchor.text)
