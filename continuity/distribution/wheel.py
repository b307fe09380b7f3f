"""The client as a wheel, for pip, pipx and uv (PEP 427, core metadata 2.1)."""

from __future__ import annotations

import base64
import hashlib

from continuity.distribution import archives, contents

STEM = f"{contents.NAME.replace('-', '_')}-{contents.version()}"
FILE = f"{STEM}-py3-none-any.whl"
MEDIA_TYPE = "application/zip"


def made() -> bytes:
    """The wheel."""
    about = f"{STEM}.dist-info"
    files = {
        **contents.files(),
        f"{about}/licenses/LICENSE": contents.license_text(),
        f"{about}/METADATA": _metadata().encode(),
        f"{about}/WHEEL": b"Wheel-Version: 1.0\nGenerator: continuity\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/entry_points.txt": b"[console_scripts]\ncontinuity = continuity.client.main:script\n",
    }
    record = f"{about}/RECORD"
    lines = [f"{name},sha256={_digest(held)},{len(held)}" for name, held in files.items()]
    return archives.zipped({**files, record: "".join(f"{line}\n" for line in [*lines, f"{record},,"]).encode()})


def _metadata() -> str:
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {contents.NAME}",
        f"Version: {contents.version()}",
        f"Summary: {contents.SUMMARY}",
        f"License: {contents.LICENSE}",
        "License-File: LICENSE",
        f"Requires-Python: >={'.'.join(map(str, contents.PYTHON))}",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + f"\n\n{contents.SUMMARY}. It needs Python and nothing else.\n"


def _digest(held: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(held).digest()).rstrip(b"=").decode()
