"""Hiding secrets in whatever is answered."""

from typing import Annotated, Any

from pydantic import BeforeValidator

from continuity.secrets import message_masking
from continuity.transcripts.base.sanitise import clean_json


def hide(value: Any) -> Any:
    """A copy of a JSON value in which every secret is replaced by a mark that names its kind, and nothing steers who shows it."""
    return clean_json(message_masking.masked([value], message_masking.spans_of([value]))[0])


# Fields of an answer that may hold the words of a conversation or of its tool.
MaskedText = Annotated[str, BeforeValidator(hide)]
MaskedTexts = Annotated[list[str], BeforeValidator(hide)]
MaskedJson = Annotated[dict[str, Any], BeforeValidator(hide)]
