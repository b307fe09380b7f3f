"""Remembers: conversations, what must survive of them, and the client that records them."""

VERSION = "0.3.0"
