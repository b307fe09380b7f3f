"""Reading a back-up whole: every part is what was put in, and the dump holds every row that it should."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import IO, BinaryIO, cast

from diagnostics.archives.container import DATABASE, PIECE, ArchiveEntry, ArchiveReader
from diagnostics.archives.manifest import Manifest
from diagnostics.archives.problems import BadBackup
from diagnostics.services.backups import postgres_tools

_COPY = re.compile(rb'COPY public\.(?:"((?:[^"]|"")+)"|(\w+)) \(')
_END = b"\\.\n"


def check(source: BinaryIO, passphrase: str) -> Manifest:
    """Raises BadBackup."""
    counted: dict[str, int] = {}

    def count(script: IO[bytes]) -> None:
        table = ""
        for line in script:
            if table and line == _END:
                table = ""
            elif table:
                counted[table] += 1
            elif line.startswith(b"COPY ") and (found := _COPY.match(line)):
                table = (found[1] or found[2]).decode().replace('""', '"')
                counted[table] = 0

    told = as_script(source, passphrase, count, lambda entry: None)
    wanted = {name: table.rows for name, table in told.tables.items()}
    if {name: rows for name, rows in counted.items() if rows} != {name: rows for name, rows in wanted.items() if rows}:
        raise BadBackup("the dump in it holds other rows than the database did")
    return told


def check_file(path: Path, passphrase: str) -> Manifest:
    with path.open("rb") as source:
        return check(source, passphrase)


def as_script(source: BinaryIO, passphrase: str, read: Callable[[IO[bytes]], None], take: Callable[[ArchiveEntry], None]) -> Manifest:
    """Reads the whole file; the dump goes through pg_restore, whose SQL `read` gets; `take`, in a thread beside, every other entry.

    Raises BadBackup, also where pg_restore can't read the dump, and what `read` raises.
    """
    with (
        ThreadPoolExecutor(2) as beside,
        subprocess.Popen(
            [postgres_tools.program("pg_restore"), "--no-owner", "--no-privileges", "--file=-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as restoring,
    ):
        dump, script, complaints = (cast("BinaryIO", each) for each in (restoring.stdin, restoring.stdout, restoring.stderr))
        feeding = beside.submit(_feed, source, passphrase, dump, take)
        errors = beside.submit(complaints.read)
        try:
            read(script)
        finally:
            while script.read(PIECE):  # So that pg_restore, which waits for its reader, ends.
                pass
            told = feeding.result()  # What is wrong with the file comes before what followed from it.
        if restoring.wait() != 0:
            raise BadBackup(f"the dump in it can't be read: {postgres_tools.output_tail(errors.result())}")
    return told


def _feed(source: BinaryIO, passphrase: str, target: IO[bytes], take: Callable[[ArchiveEntry], None]) -> Manifest:
    try:
        with ArchiveReader(source, passphrase) as archive:
            for entry in archive.entries():
                if not entry.name.startswith(DATABASE):
                    take(entry)
                    continue
                with suppress(BrokenPipeError):  # pg_restore ended; its status says why.
                    target.write(entry.stream.read())
            return archive.manifest
    finally:
        with suppress(BrokenPipeError):
            target.close()
