"""The files that an installation keeps beside its database: keys, files being imported, and agents' states where they are no rows."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from django.conf import settings

from continuity.storage.registry import storage
from continuity.storage.sessions import OlderWriter, StoredSession
from diagnostics.archives.container import ArchiveWriter
from diagnostics.archives.problems import BadBackup

KEYS, UPLOADS, STATES = "keys/", "uploads/", "states/"
# Each is in the data folder unless the environment gives it.
KEPT_KEYS = {"secret_key": "SECRET_KEY", "signing_key": "CONTINUITY_SIGNING_KEY"}


def keys_here() -> list[str]:
    return [
        name for name, variable in KEPT_KEYS.items() if variable not in keys_elsewhere() and (settings.CONTINUITY_DATA_DIR / name).is_file()
    ]


def keys_elsewhere() -> list[str]:
    """The settings by which the environment gives keys: whoever restores gives them again."""
    return list(settings.CONTINUITY_KEYS_GIVEN)


def add_keys(archive: ArchiveWriter) -> None:
    for name in keys_here():
        archive.add_bytes(KEYS + name, (settings.CONTINUITY_DATA_DIR / name).read_bytes())


def add_uploads(archive: ArchiveWriter) -> None:
    """A file that an import is done with meanwhile is needed by nobody."""
    folder = Path(settings.MEDIA_ROOT)
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        with suppress(FileNotFoundError), path.open("rb") as stream:
            archive.add(UPLOADS + path.name, stream, os.fstat(stream.fileno()).st_size)


def add_states(archive: ArchiveWriter) -> None:
    """States that are no rows of the database, as they are stored (sealed ones stay sealed)."""
    for number, session in enumerate(_states()):
        told = {"id": session.id, **session.told(), "body": base64.b64encode(session.body).decode()}
        archive.add_bytes(f"{STATES}{number:08}.json", json.dumps(told).encode())


def _states() -> Iterator[StoredSession]:
    if settings.STORAGE_TYPE in ("file", "redis"):
        adapter = storage()
        for name in adapter.list_sessions():
            found = adapter.sealed_session(name)
            if found is not None:
                yield found


def put(folder: Path, name: str, stream: IO[bytes]) -> None:
    """Writes an entry below `folder`, readable by its owner alone."""
    path = folder / name
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "wb") as target:
        while piece := stream.read(1024 * 1024):
            target.write(piece)
        target.flush()
        os.fsync(target.fileno())


def take_over(folder: Path) -> None:
    """Moves what `put` laid there to its place. What stands there already is replaced."""
    data_dir = settings.CONTINUITY_DATA_DIR
    for path in sorted((folder / KEYS).glob("*")):
        path.replace(data_dir / path.name)
    uploads = Path(settings.MEDIA_ROOT)
    uploads.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in sorted((folder / UPLOADS).glob("*")):
        path.replace(uploads / path.name)
    for path in sorted((folder / STATES).glob("*")):
        _store_state(path)


def _store_state(path: Path) -> None:
    try:
        told = json.loads(path.read_bytes())
        session = StoredSession.of(told["id"], base64.b64decode(told["body"], validate=True), told)
    except (ValueError, KeyError, TypeError) as error:
        raise BadBackup("the state of an agent in it can't be read") from error
    with suppress(OlderWriter):  # A later instance has begun since.
        storage().put_back(session)
