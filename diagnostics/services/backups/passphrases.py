"""The passphrase of back-ups: from a file that is named, else from the setting; empty where they are not protected by one."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from diagnostics.archives.problems import BadBackup


def from_file_or_setting(path: Path | None) -> str:
    """Raises BadBackup where the file holds none, OSError where it can't be read."""
    if path is None:
        return str(settings.CONTINUITY_BACKUP_PASSPHRASE)
    found = path.read_text(encoding="utf-8").strip()
    if not found:
        raise BadBackup(f"{path} holds no passphrase")
    return found
