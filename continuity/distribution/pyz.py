"""The client as one file that any Python runs: `python3 continuity.pyz`."""

from __future__ import annotations

import hashlib
from pathlib import Path

from continuity.distribution import archives, contents

FILE = "continuity.pyz"
MEDIA_TYPE = "application/zip"
INTERPRETER = b"#!/usr/bin/env python3\n"
STARTING = Path(__file__).with_name("starting.py")


def made() -> bytes:
    """The file: a line that names its interpreter, and an archive behind it."""
    files = contents.files()
    return INTERPRETER + archives.zipped({"__main__.py": STARTING.read_bytes(), "BUILD": build(files).encode(), **files})


def build(files: dict[str, bytes]) -> str:
    """The name of the folder into which these files unpack: other files have another one."""
    told = hashlib.sha256()
    for name, held in files.items():
        told.update(f"{name}\0{len(held)}\0".encode() + held)
    return f"{contents.version()}-{told.hexdigest()[:12]}"
