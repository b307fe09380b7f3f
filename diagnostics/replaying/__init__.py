"""Replaying session files against a running server, and comparing what it recorded."""
