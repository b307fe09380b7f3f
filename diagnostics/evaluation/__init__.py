"""Evaluation of contexts: labels or a session's own future in, figures out."""
