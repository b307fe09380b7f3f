"""Log lines of all processes, found by their correlation id; whoever logs never waits for them."""

import io
import json
import logging
import os
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.utils import timezone

from config import log_store
from config.log_store import LogStoreHandler
from continuity.core.correlation import correlated
from continuity.models import LogLine
from continuity.services import log_lines
from tests.platform.running import PROJECT, eventually

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def handler():
    made = LogStoreHandler()
    yield made
    made._end()


@pytest.fixture
def unwritten(handler, monkeypatch):
    """Its thread is the test's own."""
    monkeypatch.setattr(handler, "_start", lambda: None)
    monkeypatch.setattr(connection, "close", lambda: None)
    return handler


def record(message="Stored", level=logging.INFO, name="continuity.test", **extra):
    return logging.getLogger(name).makeRecord(name, level, __file__, 1, message, (), None, extra=extra or None)


def line(correlation="c-1", message="m", at=NOW, **more):
    return {
        "timestamp": at.isoformat(),
        "level": "info",
        "correlation_id": correlation,
        "component": "x",
        "message": message,
        "metadata": {},
        **more,
    }


@pytest.mark.django_db
def test_it_works(unwritten):
    with correlated("request-1"):
        unwritten.emit(record("Stored", metadata={"tokens": 12}))
        unwritten.emit(record("Not Found: /x", logging.WARNING, "django.request"))
    with correlated("request-2"):
        unwritten.emit(record("Another"))
    assert unwritten.write()
    found = log_lines.find(correlation_id="request-1")
    assert [(each.component, each.level, each.message) for each in found] == [
        ("continuity.test", "info", "Stored"),
        ("django.request", "warning", "Not Found: /x"),
    ]
    assert found[0].metadata == {"tokens": 12}
    assert found[0].process.endswith(str(os.getpid()))


@pytest.mark.django_db
def test_secrets_are_masked_wherever_they_stand(unwritten):
    with correlated("request-1"):
        unwritten.emit(record(f"token {SECRET}", metadata={"url": f"https://x/?key={SECRET}", "deep": [{"a": SECRET}]}))
    unwritten.write()
    (found,) = log_lines.find(correlation_id="request-1")
    assert SECRET not in f"{found.message} {found.metadata}"
    assert "[secret: " in found.message


@pytest.mark.django_db
def test_a_long_line_is_cut(unwritten):
    unwritten.emit(record("x" * 100_000, metadata={"much": "y" * 100_000}))
    unwritten.write()
    (found,) = log_lines.find()
    assert len(found.message) == log_lines.LONGEST_MESSAGE
    assert len(json.dumps(found.metadata)) < 2 * log_lines.LONGEST_METADATA


@pytest.mark.django_db
def test_while_the_store_is_away_lines_wait_and_the_oldest_are_dropped_and_counted(unwritten, monkeypatch, capsys):
    def away(**_):
        raise DatabaseError("away")

    monkeypatch.setattr(log_lines, "store", away)
    for number in range(log_store.WAITING + 7):
        unwritten.emit(record(f"line {number}"))
    assert not unwritten.write()
    assert not unwritten.write()
    assert capsys.readouterr().err == "continuity: log lines can't be stored now (DatabaseError); they wait, and stand here meanwhile\n"
    assert len(unwritten.waiting) == log_store.WAITING
    monkeypatch.undo()
    monkeypatch.setattr(connection, "close", lambda: None)
    while unwritten.waiting:
        assert unwritten.write()
    assert LogLine.objects.filter(message="line 6").count() == 0
    assert LogLine.objects.filter(message__startswith="line ").count() == log_store.WAITING
    assert LogLine.objects.get(message="Lines were dropped").metadata == {"dropped": 7}


@pytest.mark.django_db
def test_a_batch_that_can_not_be_stored_costs_no_line_after_it(unwritten, monkeypatch, capsys):
    def broken(**_):
        raise ValueError("a fault")

    with monkeypatch.context() as patched:
        patched.setattr(log_lines, "store", broken)
        unwritten.emit(record("lost"))
        assert unwritten.write()
    assert "1 log lines could not be stored: ValueError" in capsys.readouterr().err
    unwritten.emit(record("kept"))
    unwritten.write()
    assert [each.message for each in log_lines.find()] == ["kept"]


@pytest.mark.django_db(transaction=True)
def test_a_thread_of_its_own_writes(handler):
    handler.emit(record("by itself"))
    assert eventually(lambda: LogLine.objects.filter(message="by itself").exists())
    assert handler._writer is not None and handler._writer is not threading.current_thread()


def test_what_writing_logs_itself_is_not_written(handler, monkeypatch):
    monkeypatch.setattr(handler, "_start", lambda: None)
    for name in ("django.db.backends", "psycopg.pool", "continuity.log_lines"):
        handler.emit(record(name=name))
    assert not handler.waiting


def test_a_child_begins_with_nothing(handler, monkeypatch):
    monkeypatch.setattr(handler, "_start", lambda: None)
    handler.emit(record())
    child = os.fork()
    if not child:
        os._exit(len(handler.waiting))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(handler.waiting) == 1


@pytest.mark.django_db
def test_lines_go_after_a_day_and_beyond_a_number(settings):
    settings.CONTINUITY_LOG_LINES = 3
    times = [NOW - timedelta(hours=25), *(NOW - timedelta(minutes=number) for number in range(5))]
    log_lines.store(lines=[line(at=at, message=str(at)) for at in times], host="h", process="web 1")
    assert log_lines.purge(now=NOW) == 3
    assert [each.logged_at for each in log_lines.find()] == [NOW - timedelta(minutes=number) for number in (2, 1, 0)]
    assert log_lines.purge(now=NOW + timedelta(hours=23, minutes=58, seconds=30)) == 1


@pytest.mark.django_db
def test_one_of_many_is_found_by_the_index():
    lines = [line(f"c-{number % 1000}", at=NOW + timedelta(milliseconds=number)) for number in range(20_000)]
    log_lines.store(lines=lines, host="h", process="web 1")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE continuity_logline")
        cursor.execute(
            "EXPLAIN (ANALYZE, FORMAT JSON) "
            + str(LogLine.objects.filter(correlation_id="x").order_by("-logged_at", "-id")[:500].query).replace("= x", "= 'c-7'")
        )
        plan = cursor.fetchone()[0][0]
    assert "log_line_correlation" in json.dumps(plan)
    assert len(log_lines.find(correlation_id="c-7")) == 20


@pytest.mark.django_db
def test_the_command_prints_what_fits():
    log_lines.store(
        lines=[line("c-1", "one", at=timezone.now()), line("c-2", "two", at=timezone.now(), exception="Traceback: x")],
        host="h",
        process="web 1",
    )

    def run(*arguments):
        out = io.StringIO()
        call_command("logs", *arguments, stdout=out)
        return out.getvalue()

    assert "two" in run("--correlation", "c-2") and "Traceback: x" in run() and "one" not in run("--correlation", "c-2")
    assert json.loads(run("--correlation", "c-1", "--json"))["message"] == "one"
    assert "No line fits" in run("--correlation", "c-3")
    assert "No line fits" in run("--level", "error", "--minutes", "5")


@pytest.mark.django_db(transaction=True)
def test_a_program_of_the_supervisor_keeps_its_lines():
    code = "import logging, django; django.setup(); logging.getLogger('continuity.x').warning('from a program')"
    url = "postgresql://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**connection.settings_dict)
    env = {**os.environ, "DATABASE_URL": url, "CONTINUITY_LOG_STORE": "1", "CONTINUITY_RUN_ID": "run-1"}
    subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=env, check=True, capture_output=True)
    assert [each.message for each in log_lines.find(correlation_id="run-1", level="warning")] == ["from a program"]
