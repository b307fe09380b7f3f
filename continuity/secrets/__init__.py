"""Secrets in text: found as spans, masked for every reader who may not see them."""

from continuity.secrets.finding import find
from continuity.secrets.masking import mask, mask_text
from continuity.secrets.model import Span

__all__ = ["Span", "find", "mask", "mask_text"]
