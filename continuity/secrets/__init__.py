"""Secrets in text: found as spans, masked for every reader who may not see them."""

from continuity.secrets.finding import find
from continuity.secrets.masking import mask, mask_text
from continuity.secrets.model import SecretSpan

# Raised with every new detector: what was stored before is then searched again.
VERSION = 2

__all__ = ["VERSION", "SecretSpan", "find", "mask", "mask_text"]
