"""Packs prepared beside the hooks: a process of its own reads the repository, asks the server, and leaves what the next hook gives."""
