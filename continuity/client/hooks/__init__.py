"""Answers to a tool's hooks. Whatever goes wrong here, the tool goes on as if nothing was installed."""
