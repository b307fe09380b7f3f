"""Archives that come out the same whenever and wherever they are made of the same files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

MOMENT = (2026, 1, 1, 0, 0, 0)  # of every file: an archive has to have one
MODE = 0o100644


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip archive of the files, by their paths within it, in the order of the mapping."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, held in files.items():
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.external_attr = MODE << 16
            entry.create_system = 3  # Unix, wherever it is made.
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, held)
    return made.getvalue()
