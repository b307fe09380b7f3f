"""Back-ups of a database that is written to, restored elsewhere and compared row by row."""

import io
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from psycopg import sql

from continuity.models import Conversation
from continuity.services.recording import conversations, restoring
from diagnostics.archives import container
from diagnostics.archives.problems import BadBackup
from diagnostics.bench import material
from diagnostics.services.backups import making, reading, tables
from tests.platform.running import PROJECT, eventually

pytestmark = pytest.mark.django_db(transaction=True)

READ = """
from continuity.models import Conversation
from continuity.services.recording.restoring import restore
conversation = Conversation.objects.get()
print(restore(team=conversation.team, conversation_id=conversation.id).digest)
"""


def url(name):
    return f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}"


@pytest.fixture
def elsewhere(tmp_path):
    """The address of an empty database, as another host would have it, and a data folder."""
    name = f"elsewhere_{uuid4().hex[:12]}"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
        yield url(name)
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def manage(*arguments, database, data_dir, **more):
    env = {**os.environ, "DATABASE_URL": database, "CONTINUITY_DATA_DIR": str(data_dir), **more}
    return subprocess.run(
        [sys.executable, "manage.py", *map(str, arguments)], cwd=PROJECT, env=env, text=True, capture_output=True, timeout=180, check=False
    )


def rows(database):
    """Every row of every table, as texts in order."""
    with psycopg.connect(database) as server:
        server.execute(tables.FORMS)
        names = [name for (name,) in server.execute(tables._NAMES).fetchall()]
        return {
            name: sorted(row for (row,) in server.execute(sql.SQL("SELECT t::text FROM {} t").format(sql.Identifier(name))))
            for name in names
        }


def told(team, title="told", count=40):
    made = conversations.create(team=team, title=title)
    conversations.append(team=team, conversation_id=made.id, messages=list(material.messages(7, count)))
    return made


def backup(path, passphrase=""):
    return making.make(path=path, passphrase=passphrase, now=timezone.now())


def test_it_works(team, tmp_path, elsewhere, settings):
    settings.CONTINUITY_DATA_DIR, settings.MEDIA_ROOT, settings.CONTINUITY_KEYS_GIVEN = tmp_path, tmp_path / "uploads", []
    (tmp_path / "secret_key").write_text("the key")
    settings.MEDIA_ROOT.mkdir()
    (settings.MEDIA_ROOT / "abc").write_bytes(b"a session")
    made = told(team)
    digest = restoring.restore(team=team, conversation_id=made.id).digest
    path = tmp_path / "one.backup"
    assert backup(path, "horse").secrets == ["secret_key"]
    assert path.stat().st_mode & 0o777 == 0o600
    before, there = rows(url(connection.settings_dict["NAME"])), tmp_path / "there"
    done = manage("restore", path, database=elsewhere, data_dir=there, CONTINUITY_BACKUP_PASSPHRASE="horse")
    assert done.returncode == 0, done.stderr
    assert rows(elsewhere) == before
    assert sum(map(len, before.values())) > 100
    assert (there / "secret_key").read_text() == "the key"
    assert (there / "secret_key").stat().st_mode & 0o777 == 0o600
    assert (there / "uploads" / "abc").read_bytes() == b"a session"
    assert manage("shell", "-c", READ, database=elsewhere, data_dir=there).stdout.strip().endswith(digest)
    again = manage("restore", path, database=elsewhere, data_dir=there, CONTINUITY_BACKUP_PASSPHRASE="horse")
    assert again.returncode == 1 and "the database has" in again.stderr and "--replace" in again.stderr


def test_one_made_under_load_is_of_one_moment(team, tmp_path, elsewhere):
    made = [told(team, f"load {number}", 4) for number in range(3)]
    stop, acknowledged = threading.Event(), {each.id: 4 for each in made}

    def write(conversation):
        number = 4
        try:
            while not stop.is_set():
                messages = [replace(message, external_id=f"{number}-{at}") for at, message in enumerate(material.messages(number, 2))]
                conversations.append(team=team, conversation_id=conversation.id, messages=messages)
                number += 2
                acknowledged[conversation.id] = number
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as writers:
        writing = [writers.submit(write, each) for each in made]
        assert eventually(lambda: all(count > 8 for count in acknowledged.values()))
        before = dict(acknowledged)
        path = tmp_path / "load.backup"
        try:
            backup(path)
        finally:
            stop.set()
        assert [each.result() for each in writing] == [None] * 3
    done = manage("restore", path, database=elsewhere, data_dir=tmp_path / "there")
    assert done.returncode == 0, done.stderr
    source, found = rows(url(connection.settings_dict["NAME"])), rows(elsewhere)
    assert set(found["continuity_message"]) <= set(source["continuity_message"])
    with psycopg.connect(elsewhere) as server:
        kept = server.execute("SELECT conversation_id, count(*), max(seq), min(seq) FROM continuity_message GROUP BY 1").fetchall()
        counted: dict[object, int] = dict(server.execute("SELECT id, message_count FROM continuity_conversation").fetchall())
    for conversation, count, last, first in kept:
        assert before[conversation] <= count <= acknowledged[conversation]
        assert (count, last - first + 1) == (counted[conversation], count)


def test_what_does_not_restore_changes_nothing(team, tmp_path, elsewhere):
    told(team)
    path, there = tmp_path / "one.backup", tmp_path / "there"
    backup(path)
    assert manage("restore", path, database=elsewhere, data_dir=there).returncode == 0
    before = rows(elsewhere)
    other = {"continuity_team": replace(told_of(path).tables["continuity_team"], digest="1")}
    later = {"continuity": [*told_of(path).migrations["continuity"], "9999_later"]}
    for name, changes, said in (
        ("forged", {"tables": {**told_of(path).tables, **other}}, "would not hold what they held"),
        ("newer", {"version": "9.9.9", "migrations": {**told_of(path).migrations, **later}}, "a newer release (9.9.9"),
    ):
        file = tmp_path / name
        file.write_bytes(changed(path.read_bytes(), changes))
        done = manage("restore", "--replace", file, database=elsewhere, data_dir=there)
        assert (done.returncode, said in done.stderr, "Traceback" in done.stderr) == (1, True, False), done.stderr
        assert rows(elsewhere) == before
    with psycopg.connect(elsewhere):
        done = manage("restore", "--replace", path, database=elsewhere, data_dir=there)
        assert done.returncode == 1 and "stop Continuity first" in done.stderr


def told_of(path):
    return reading.check_file(path, "")


def changed(whole, changes):
    """The back-up with another manifest, as whoever can write the file could make it."""
    out, dump = io.BytesIO(), io.BytesIO()
    archive = container.ArchiveWriter(out)
    with container.ArchiveReader(io.BytesIO(whole)) as source:
        for entry in source.entries():
            if entry.name.startswith(container.DATABASE):
                dump.write(entry.stream.read())
            else:
                archive.add_bytes(entry.name, entry.stream.read())
        dump.seek(0)
        archive.add_database(dump)
        archive.finish(replace(source.manifest, **changes))
    return out.getvalue()


def test_a_dump_with_other_rows_than_the_database_is_not_kept(team, tmp_path, monkeypatch):
    told(team)
    contents = tables.contents
    monkeypatch.setattr(
        tables,
        "contents",
        lambda: {name: replace(each, rows=each.rows + (name == "continuity_message")) for name, each in contents().items()},
    )
    with pytest.raises(BadBackup, match="other rows"):
        backup(tmp_path / "one.backup")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_keeps_the_latest(team, tmp_path, capsys):
    for day in (1, 2, 3):
        (tmp_path / f"continuity-2026010{day}T000000Z.backup").write_bytes(b"old")
    call_command("backup", str(tmp_path), "--keep", "2")
    assert min(each.name for each in tmp_path.iterdir()) == "continuity-20260103T000000Z.backup"
    assert len(list(tmp_path.iterdir())) == 2
    assert "read back and compared" in capsys.readouterr().out
    assert Conversation.objects.count() == 0 and settings.CONTINUITY_BACKUP_PASSPHRASE == ""
