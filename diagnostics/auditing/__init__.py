"""Holding what is stored against what the messages give when they are read again. Pure."""
