"""Modules that every hook loads, and every step of an agent waits for.

Nothing here, nor in the hooks until there is work for them, imports more of Python than the interpreter itself does at its start,
but for modules written in C: `json`, `pathlib`, `typing`, `socket` and `urllib.parse` each take as long as the interpreter's own
start, mostly for compiling patterns that a hook never uses. A test holds the list.
"""
