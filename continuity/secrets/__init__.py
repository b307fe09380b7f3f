"""Secrets in text: found as spans, masked for every reader who may not see them."""

from continuity.secrets.finding import find
from continuity.secrets.masking import mask, mask_text
from continuity.secrets.model import SecretSpan
from continuity.secrets.properties import find_in_property

# Raised with every new detector: what was stored before is then searched again.
VERSION = 3

__all__ = ["VERSION", "SecretSpan", "find", "find_in_property", "mask", "mask_text"]
