"""Errors in the material of an evaluation."""

from __future__ import annotations


class EvaluationError(ValueError):
    """The material cannot be used; the message is one sentence that names the file and the reason."""
