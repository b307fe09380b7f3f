"""A back-up as one stream of entries: a tar archive, sealed where there is a passphrase, whose last entry is the manifest."""

from __future__ import annotations

import hashlib
import io
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import IO, BinaryIO, cast

from diagnostics.archives import manifest, sealing
from diagnostics.archives.manifest import Content, Manifest
from diagnostics.archives.problems import BadBackup

DATABASE = "database/"
PIECE = 4 * 1024 * 1024
# No entry can lead anywhere: one folder that we know, one plain name in it.
_NAME = re.compile(r"(?:keys|uploads|states|database)/[A-Za-z0-9][A-Za-z0-9._-]{0,199}")


class ArchiveWriter:
    """Entries in the order in which they are given. `finish` writes the manifest: without it the file counts as cut short."""

    def __init__(self, target: BinaryIO, passphrase: str = "") -> None:
        self._sealed = sealing.SealedWriter(target, passphrase) if passphrase else None
        stream = cast("BinaryIO", self._sealed or target)
        self._tar = tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT)  # noqa: SIM115  `finish` closes it.
        self.files: dict[str, Content] = {}
        self._dumped, self._pieces, self._digest = 0, 0, hashlib.sha256()

    def add(self, name: str, source: IO[bytes], size: int) -> None:
        """One file of `size` bytes."""
        read = _Hashing(source)
        self._put(name, cast("IO[bytes]", read), size)
        self.files[name] = Content(size, read.digest.hexdigest())

    def add_bytes(self, name: str, body: bytes) -> None:
        self.add(name, io.BytesIO(body), len(body))

    def add_database(self, dump: IO[bytes]) -> None:
        """The dump, whose length nobody knows before its end."""
        while piece := dump.read(PIECE):
            self._put(f"{DATABASE}{self._pieces:08}", io.BytesIO(piece), len(piece))
            self._digest.update(piece)
            self._dumped += len(piece)
            self._pieces += 1

    @property
    def database(self) -> Content:
        return Content(self._dumped, self._digest.hexdigest())

    def finish(self, told: Manifest) -> None:
        body = told.written()
        self._put(manifest.NAME, io.BytesIO(body), len(body))
        self._tar.close()
        if self._sealed is not None:
            self._sealed.close()

    def _put(self, name: str, source: IO[bytes], size: int) -> None:
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = size, 0o600
        self._tar.addfile(entry, source)


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """`stream` can be read until the next entry is asked for."""

    name: str
    size: int
    stream: IO[bytes]


class ArchiveReader:
    """Entries in their order; `manifest` is known after the last. What was read is compared with it. Raises BadBackup."""

    def __init__(self, source: BinaryIO, passphrase: str = "") -> None:
        beginning = source.read(len(sealing.MAGIC))
        source.seek(0)
        if sealing.is_sealed(beginning) and not passphrase:
            raise BadBackup("it is protected by a passphrase: give the file that holds it by --passphrase-file")
        opened = sealing.SealedReader(source, passphrase) if sealing.is_sealed(beginning) else source
        self.sealed = opened is not source
        self._tar = _opened(cast("BinaryIO", opened))
        self._manifest: Manifest | None = None

    def __enter__(self) -> ArchiveReader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._tar.close()

    @property
    def manifest(self) -> Manifest:
        if self._manifest is None:
            raise BadBackup("it is cut short: its end is missing")
        return self._manifest

    def entries(self) -> Iterator[ArchiveEntry]:
        files: dict[str, Content] = {}
        dump, dumped = hashlib.sha256(), 0
        try:
            for entry in self._tar:
                if self._manifest is not None:
                    raise BadBackup("something follows its end: it is damaged")
                source = self._tar.extractfile(entry)
                if source is None:
                    raise BadBackup("it holds something else than files: it is no back-up of Continuity")
                if entry.name == manifest.NAME:
                    self._manifest = _manifest_of(source, entry.size)
                    continue
                if not _NAME.fullmatch(entry.name):
                    raise BadBackup("it holds names that no back-up of Continuity has")
                part = entry.name.startswith(DATABASE)
                read = _Hashing(source, dump if part else hashlib.sha256())
                yield ArchiveEntry(entry.name, entry.size, cast("IO[bytes]", read))
                while read.read(PIECE):
                    pass
                if part:
                    dumped += entry.size
                else:
                    files[entry.name] = Content(entry.size, read.digest.hexdigest())
        except (tarfile.TarError, EOFError) as error:
            raise BadBackup("it is cut short or damaged") from error
        if files != dict(self.manifest.files) or Content(dumped, dump.hexdigest()) != self.manifest.database:
            raise BadBackup("a part of it is not what was put in: it is damaged")


class _Hashing:
    """A stream whose digest is that of all that was read from it."""

    def __init__(self, source: IO[bytes], digest: hashlib._Hash | None = None) -> None:
        self._source, self.digest = source, digest or hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        try:
            data = self._source.read(size)
        except tarfile.TarError as error:
            raise BadBackup("it is cut short or damaged") from error
        self.digest.update(data)
        return data


def _opened(source: BinaryIO) -> tarfile.TarFile:
    try:
        return tarfile.open(fileobj=source, mode="r|")
    except (tarfile.TarError, EOFError) as error:
        raise BadBackup("it is cut short, or no back-up of Continuity") from error


def _manifest_of(source: IO[bytes], size: int) -> Manifest:
    if size > manifest.LARGEST_BYTES:
        raise BadBackup("what it says of itself is too long: it is damaged")
    return manifest.read(source.read(size))
