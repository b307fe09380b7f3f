"""The test run's own Postgres and Valkey, started once and shared by all its workers."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped, unused-ignore]

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from hypothesis import HealthCheck  # noqa: E402
from hypothesis import settings as hypothesis_settings  # noqa: E402

from config.embedded.servers import Servers, servers_in  # noqa: E402
from tests import small_disks  # noqa: E402
from tests.template import Template, whole_tables  # noqa: E402

# A busy machine is not a failure: no test has a stopwatch.
unhurried = hypothesis_settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
# Each run tries the same examples, so that it ends as the last one did; `--hypothesis-profile=exploring` looks for new ones.
hypothesis_settings.register_profile("continuity", unhurried, derandomize=True, max_examples=25)
hypothesis_settings.register_profile("thorough", unhurried, derandomize=True, max_examples=150)  # `make test-long`
hypothesis_settings.register_profile("exploring", unhurried, max_examples=150)
hypothesis_settings.load_profile("continuity")

# What needs a running application takes longest: each of these goes to one worker, so that it starts once, and goes first.
TOGETHER = {
    "browser": ("tests/browser/",),
    # In this order: the first two look at alerts, which what comes after them raises.
    "subscribers": ("tests/events/test_leading.py", "tests/events/test_killing.py", "tests/events/test_crashing.py"),
    "agents": (
        "tests/agents/test_real_servers.py",
        "tests/agents/documented/",
        "tests/client/runner/test_real_server.py",
        "tests/client/runner/test_random_kills.py",
        "tests/client/runner/whole/",
    ),
    "impatient": ("tests/faults/test_hanging.py", "tests/faults/test_disk_full.py"),
    "application": (
        "tests/platform/test_draining.py",
        "tests/platform/test_restart.py",
        "tests/platform/test_restore.py",
        "tests/platform/test_shutdown.py",
        "tests/platform/test_stopping.py",
        "tests/platform/test_borrowed.py",
        "tests/faults/test_restarts.py",
        "tests/live/test_faults.py",
        "tests/client/recording/test_killing.py",
    ),
}

PLUGINS = ("tests.cast", "tests.emptying", "tests.lasting", "tests.whole_application")
# The conftest of a folder that is named on the command line imports from them before they are registered.
pytest.register_assert_rewrite(*PLUGINS)
LONG_RUN_SECONDS = 120
_started: list[tuple[Servers, Path]] = []
_templates: list[Template] = []


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: tests with processes of their own mostly wait."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    """Give Django its addresses before pytest-django sets it up (its own hook runs last)."""
    # Where this is set, as images for containers do, each process of a test would compile all of the project again.
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        sys.dont_write_bytecode = False
    worker = getattr(config, "workerinput", None)
    if worker is None and not (config.option.collectonly or config.option.help):
        small_disks.release()
        _start_servers()
    if worker is not None and "CONTINUITY_TEST_REDIS" in os.environ:
        # A database number of its own for each worker: what one flushes or counts is not another's.
        number = int(worker["workerid"].removeprefix("gw")) + 1
        os.environ["REDIS_URL"] = os.environ["CONTINUITY_TEST_REDIS"].rpartition("/")[0] + f"/{number}"
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    os.environ.setdefault("SECRET_KEY", "only for tests")
    os.environ.setdefault("TRACE_SAMPLE_RATIO", "1")
    os.environ.setdefault("LOG_FORMAT", "json")
    # Tests ask from one address, as fast as they can; those about limits set their own.
    for limit in ("API", "REFUSED", "SIGN_IN", "RESET"):
        os.environ.setdefault(f"CONTINUITY_{limit}_RATE", "1000000/second")
    # Tests that are not about audits do without the job that each prepared package would begin.
    os.environ.setdefault("CONTINUITY_AUDIT_SHARE", "0")
    # On a busy machine a package takes longer than an answer waits for it; tests about that set their own.
    os.environ.setdefault("CONTINUITY_FOLLOW_UP_MS", "10000")
    from django.conf import settings

    if os.environ.get("REDIS_URL"):
        # A worker's settings were read with what it inherited, before it had a number of its own.
        url = settings.CELERY_BROKER_URL = settings.CACHES["default"]["LOCATION"] = os.environ["REDIS_URL"]
        # Requests wait half a second for a broker; where the machine is busy with tests that is no sign that it is away.
        settings.REDIS_URL = f"{url}{'&' if '?' in url else '?'}socket_timeout=10"
    if template := os.environ.get("CONTINUITY_TEST_TEMPLATE"):
        settings.DATABASES["default"].setdefault("TEST", {})["TEMPLATE"] = template
    # Hashing a password is meant to be slow; no test is about that.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # Each test client would look at all static files anew, which takes longer than most requests.
    settings.WHITENOISE_AUTOREFRESH = True
    # Any request, of a page or of the API, that asks once for each row of a list fails.
    settings.ZEAL_ALLOWLIST = [{"model": "sessions.Session", "field": "get()"}]  # Django reads a session again to end it.
    settings.INSTALLED_APPS = [*settings.INSTALLED_APPS, "zeal"]
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "zeal.middleware.zeal_middleware"]
    import_module("django").setup()
    for plugin in PLUGINS:  # Their fixtures import models, so only now.
        config.pluginmanager.import_plugin(plugin)


def group(nodeid: str) -> str:
    """What runs on one worker: all that shares a running application, else a file, whose worlds are then made once."""
    return next((name for name, places in TOGETHER.items() if nodeid.startswith(places)), nodeid.partition("::")[0])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first, the rest as pytest-randomly ordered it: none of them is left for the end, when other workers idle.

    What shares a world needs a database too, which is made only where a test says so: a file may run alone.
    """
    for item in items:
        if "lasting" in getattr(item, "fixturenames", ()):
            item.add_marker("django_db")
    items.sort(key=_rank)


def _rank(item: pytest.Item) -> int:
    """Files that go together in the order in which they are named above, then what starts processes, then the rest."""
    places = [place for files in TOGETHER.values() for place in files]
    among = next((number for number, place in enumerate(places) if item.nodeid.startswith(place)), len(places))
    return among if among < len(places) or item.get_closest_marker("processes") else among + 1


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: the collector need not go over it again and again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    config.option.loadscopereorder = False  # Else the longest would be those with the most tests.
    return ByGroup(config, log)


class ByGroup(LoadScopeScheduling):  # type: ignore[misc, unused-ignore]
    """Groups go to whichever worker is free, in the order of the collection."""

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)


def pytest_unconfigure(config: pytest.Config) -> None:
    for template in _templates:
        template.end()
    _templates.clear()
    for servers, folder in _started:
        servers.stop()
        shutil.rmtree(folder, ignore_errors=True)
    _started.clear()


def _start_servers() -> None:
    """Start what DATABASE_URL and REDIS_URL leave open; speed matters more than durability here."""
    database, redis = not os.environ.get("DATABASE_URL"), not os.environ.get("REDIS_URL")
    if not (database or redis):
        return
    folder = Path(tempfile.mkdtemp(prefix="continuity-tests-"))
    folder.chmod(0o711)
    servers = servers_in(folder, database=database, redis=redis, durable=False)
    _started.append((servers, folder))
    os.environ["CONTINUITY_DATA_DIR"] = str(folder)
    servers.launch()
    servers.wait()
    if database:
        os.environ["DATABASE_URL"] = servers.database_url
    if redis:
        os.environ["REDIS_URL"] = os.environ["CONTINUITY_TEST_REDIS"] = servers.redis_url
    if database:
        _templates.append(Template(servers.database_url, folder / "tables.sql"))
        _templates[-1].begin()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Before a worker's database is made, that which it is a copy of must be whole."""
    whole_tables()


@pytest.fixture
def eager_tasks() -> Iterator[None]:
    """Tasks run where they are queued, and raise there."""
    from celery import current_app

    from config.celery import app

    assert current_app.main == app.main, "another application was made in this process, without set_as_current=False"
    before = app.conf.task_always_eager, app.conf.task_eager_propagates
    app.conf.task_always_eager, app.conf.task_eager_propagates = True, True
    yield
    app.conf.task_always_eager, app.conf.task_eager_propagates = before


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what took longest, after a run that was long; and why the browser was left out, also where reasons are not listed."""
    took: Counter[str] = Counter()
    for report in (report for reports in terminalreporter.stats.values() for report in reports if isinstance(report, pytest.TestReport)):
        took[report.nodeid.partition("::")[0]] += report.duration  # type: ignore[assignment]  # a counter counts seconds too
    if took.total() > LONG_RUN_SECONDS:
        terminalreporter.write_line(f"Slowest of {len(took)} files, which took {took.total():.0f} s together (docs/testing.md):")
        for path, seconds in took.most_common(15):
            terminalreporter.write_line(f"{seconds:6.0f} s  {path}")
    if any(report.nodeid.startswith("tests/browser/") for report in terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line("Browser tests were skipped: they need Chromium (apt-get install chromium).")
