"""Protocols of model endpoints: one module for each, one entry in the registry."""

from continuity.extraction.protocols import anthropic, openai
from continuity.extraction.protocols.protocol import Endpoint, ModelReply, Protocol

PROTOCOLS: dict[str, Protocol] = {"openai": openai.PROTOCOL, "anthropic": anthropic.PROTOCOL}

__all__ = ["PROTOCOLS", "Endpoint", "ModelReply", "Protocol"]
