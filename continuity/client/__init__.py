"""The command line, the hooks and the Python client. Standard library and continuity's pure packages only.

Its modules are imported where they are needed: a hook starts hundreds of times in a session, and must not be felt.
"""
