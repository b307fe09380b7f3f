"""Packs: which files of a repository a request is about, and the texts that hand over the place. Pure; the standard library alone."""
