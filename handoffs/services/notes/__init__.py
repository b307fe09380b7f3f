"""Handoff notes: written, checked against what is known, changed by people, and put into packages."""
