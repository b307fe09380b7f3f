"""Scores how well a context tells what is so now, and keeps apart what is over."""
