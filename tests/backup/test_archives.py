"""The file of a back-up, without a database: whole, or refused with a line that says why."""

import io
import json
from dataclasses import asdict

import pytest

from diagnostics.archives import manifest, sealing
from diagnostics.archives.container import ArchiveReader, ArchiveWriter
from diagnostics.archives.manifest import Manifest, TableContent
from diagnostics.archives.problems import BadBackup

DUMP = bytes(range(256)) * 20_000
PASSPHRASE = "correct horse"


def told(archive, **more):
    return Manifest(
        **{
            "version": "0.1.0",
            "made_at": "2026-11-24T12:00:00+00:00",
            "server": 180000,
            "storage": "postgres",
            "migrations": {"continuity": ["0001_initial", "0002_integrity"]},
            "tables": {"t": TableContent(3, "-5")},
            "database": archive.database,
            "files": archive.files,
            **more,
        }
    )


def made(passphrase=""):
    out = io.BytesIO()
    archive = ArchiveWriter(out, passphrase)
    archive.add_bytes("keys/secret_key", b"abc")
    archive.add_database(io.BytesIO(DUMP))
    archive.finish(told(archive))
    return out.getvalue()


def read(body, passphrase=""):
    with ArchiveReader(io.BytesIO(body), passphrase) as archive:
        return [(entry.name, entry.stream.read()) for entry in archive.entries()], archive.manifest


@pytest.fixture(scope="module", params=["", PASSPHRASE], ids=["open", "sealed"])
def whole(request):
    return made(request.param), request.param


def test_it_works(whole):
    body, passphrase = whole
    entries, found = read(body, passphrase)
    assert entries[0] == ("keys/secret_key", b"abc")
    assert b"".join(part for name, part in entries if name.startswith("database/")) == DUMP
    assert (found.rows, found.version, found.tables["t"].digest) == (3, "0.1.0", "-5")
    assert (DUMP[:4096] in body) == (not passphrase)


def test_one_that_is_cut_short_is_refused_wherever_it_ends(whole):
    body, passphrase = whole
    # A tar ends with blocks of zeros, which say nothing.
    content = len(body.rstrip(b"\0"))
    for end in [0, 9, 33, 511, 700, 1_024, 1_600, *range(2_000, content, 1_048_576), content - 1024, content - 512, content - 1]:
        with pytest.raises(BadBackup, match=r"cut short|damaged"):
            read(body[:end], passphrase)


def test_one_that_was_changed_is_refused_wherever_it_was(whole):
    body, passphrase = whole
    for at in [40, 514, 1030, len(body) // 2, len(body.rstrip(b"\0")) - 700]:
        changed = body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :]
        with pytest.raises(BadBackup):
            read(changed, passphrase)


def test_parts_of_a_sealed_one_can_neither_be_left_out_nor_moved():
    body = made(PASSPHRASE)
    length = sealing.PIECE + sealing.TAG
    pieces = [body[at : at + length] for at in range(sealing.HEADER, len(body), length)]
    assert len(pieces) > 3
    for order in ([*pieces[:-1]], [pieces[0], *pieces[2:]], [pieces[1], pieces[0], *pieces[2:]]):
        with pytest.raises(BadBackup):
            read(body[: sealing.HEADER] + b"".join(order), PASSPHRASE)


def test_a_sealed_one_says_that_it_needs_the_passphrase_and_which_is_wrong():
    body = made(PASSPHRASE)
    with pytest.raises(BadBackup, match="protected by a passphrase"):
        read(body)
    with pytest.raises(BadBackup, match="the passphrase is another one"):
        read(body, "another")


def test_another_file_is_no_back_up():
    for body in (b"", b"hello", b"\0" * 20_000, b"PK\3\4" * 1000):
        with pytest.raises(BadBackup):
            read(body)


@pytest.mark.parametrize("name", ["../secret_key", "keys/../../x", "/etc/passwd", "keys/.hidden", "other/x", "keys/a/b"])
def test_a_name_that_leads_elsewhere_is_refused(name):
    out = io.BytesIO()
    archive = ArchiveWriter(out)
    archive.add_bytes(name, b"x")
    archive.finish(told(archive))
    with pytest.raises(BadBackup, match="names that no back-up"):
        read(out.getvalue())


def test_a_newer_form_is_refused_by_name():
    body = json.dumps({**asdict(told(ArchiveWriter(io.BytesIO()), version="9.9.9")), "format": 2}).encode()
    with pytest.raises(BadBackup, match=r"newer release \(9.9.9\)"):
        manifest.read(body)


def test_newer_migrations_are_named():
    known = {"continuity": {"0001_initial"}}
    assert manifest.newer_migrations(told(ArchiveWriter(io.BytesIO())), known) == ["continuity.0002_integrity"]
