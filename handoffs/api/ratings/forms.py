"""Ratings as callers send and get them."""

from typing import Annotated, Literal
from uuid import UUID

from ninja import Field, Schema
from pydantic import AwareDatetime, ConfigDict

from continuity.api.masks import MaskedText
from continuity.core.bounds.ratings import LONGEST, MOST_MISSING, MOST_WRONG_LINES
from handoffs.models import RatingKind
from handoffs.services.ratings.rating import Ratings
from handoffs.services.ratings.rating_rows import WrongLine

Words = Annotated[str, Field(min_length=1, max_length=LONGEST)]


class WrongLineIn(Schema):
    """A line that does not hold. `line` is its number in the directive (from 1), its reference, or words that only it has."""

    model_config = ConfigDict(extra="forbid")

    line: Words = Field(examples=["a12"])
    comment: Annotated[str, Field(max_length=LONGEST)] = Field("", description="What is wrong with it.")


class RatingsIn(Schema):
    """A rating of a received handoff by its reader; at least one of the three. What was said before of the same thing is replaced."""

    model_config = ConfigDict(extra="forbid")

    useful: bool | None = Field(None, description="Whether it was useful.")
    wrong_lines: list[WrongLineIn] = Field(default_factory=list, max_length=MOST_WRONG_LINES)
    missing: list[Words] = Field(default_factory=list, max_length=MOST_MISSING, description="What it should have told.")
    style: Literal["", "structured", "concise", "narrative"] = Field("", description="The style in which lines are counted; else its own.")
    conversation_id: UUID | None = Field(None, description="The session that reads it; needed only where the handoff has forks.")

    def as_ratings(self) -> Ratings:
        wrong = [WrongLine(each.line, each.comment) for each in self.wrong_lines]
        return Ratings(self.useful, wrong, self.missing)


class RatingOut(Schema):
    """One thing that was said. `line`, `reference` and `excerpt` are of a wrong line, as it stood at `version`; `line` is its number in the
    package's own style, 0 where that has no such line. `text` is the comment, or what is missing. `useful` is null where the kind is
    another."""

    id: UUID
    kind: RatingKind
    useful: bool | None
    line: int
    reference: str
    excerpt: MaskedText
    text: MaskedText
    version: int
    made_by_id: UUID | None
    made_with_id: UUID | None
    created_at: AwareDatetime


class RatingCountsOut(Schema):
    useful: int
    not_useful: int
    wrong_line: int
    missing: int


class RatingsOut(Schema):
    """The ratings of a handoff, the newest first, at most 200, and how many say what."""

    handoff_id: UUID
    counts: RatingCountsOut
    ratings: list[RatingOut]
