"""The commands of the programs that serve: web, worker, beat, monitor; and the one that prepares the database before them."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from config.embedded import leftovers
from config.env import Environment
from config.logging import RUN_ID, run_id
from config.supervision import readiness, runfile
from config.supervision.children import Program
from config.supervision.processes import own_identity

# Together under a minute (FR-054): requests in flight (draining.LONGEST_SECONDS), then tasks, which are acknowledged late and so are
# taken up again.
WEB_SIGNALS = ((signal.SIGTERM, 34.0),)
BEAT_SIGNALS = ((signal.SIGTERM, 3.0),)
# It may wait for news for so long before it looks whether it was asked to end.
MONITOR_SIGNALS = ((signal.SIGTERM, 5.0),)
WORKER_SIGNALS = ((signal.SIGTERM, 10.0), (signal.SIGQUIT, 3.0))
WEB_GRACE_SECONDS = 32


def environment(data_dir: Path) -> dict[str, str]:
    """The environment of every child: where the run file is, the mark by which a later start finds what was left behind, and the id of this
    start, which log lines have that no request caused."""
    return {
        **os.environ,
        RUN_ID: run_id(),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "CONTINUITY_DATA_DIR": str(data_dir),
        "CONTINUITY_RUN_FILE": str(runfile.location(data_dir)),
        leftovers.MARK: leftovers.mark(own_identity(), data_dir),
    }


def prepare(project: Path, env: dict[str, str]) -> Program:
    return Program([sys.executable, "-m", "config.supervision.prepare"], env, project, ((signal.SIGTERM, 5.0),))


def web(project: Path, env: dict[str, str], host: str, port: int, settings: Environment) -> Program:
    backpressure = settings.integer("CONTINUITY_WEB_CONCURRENCY", 256, minimum=1, maximum=100_000)
    command = [sys.executable, "-m", "granian", "--interface", "asginl", "--host", host, "--port", str(port), "--workers", "1"]
    command += ["--no-ws", "--backpressure", str(backpressure), "--workers-kill-timeout", str(WEB_GRACE_SECONDS)]
    command += ["--log-level", "warning", "--log-config", str(project / "config" / "granian_logging.json"), "config.asgi:application"]
    return Program(command, {**env, readiness.VARIABLE: str(readiness.at(Path(env["CONTINUITY_DATA_DIR"])))}, project, WEB_SIGNALS)


def worker(project: Path, env: dict[str, str], settings: Environment) -> Program:
    processes = settings.integer("CONTINUITY_WORKER_PROCESSES", 2, minimum=1, maximum=256)
    # Under root it warns on every start; the embedded set-up is single-user, and a container has its own user.
    command = [sys.executable, "-W", "ignore:You're running the worker", "-m", "celery", "--quiet", "--app", "config.celery"]
    command += ["worker", "--pool", "prefork"]
    command += ["--concurrency", str(processes), "--hostname", "continuity@%h", "--without-gossip", "--without-mingle"]
    return Program([*command, "--loglevel", "warning"], env, project, WORKER_SIGNALS)


def beat(project: Path, env: dict[str, str]) -> Program:
    # The schedule is kept in memory: intervals are short, and a file would be one more thing that a crash can tear.
    command = [sys.executable, "-m", "celery", "--quiet", "--app", "config.celery", "beat", "--scheduler", "celery.beat:Scheduler"]
    return Program([*command, "--loglevel", "warning", "--pidfile="], env, project, BEAT_SIGNALS)


def monitor(project: Path, env: dict[str, str]) -> Program:
    return Program([sys.executable, str(project / "manage.py"), "monitor"], env, project, MONITOR_SIGNALS)
