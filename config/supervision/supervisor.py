"""`make run`: starts the servers and programs, restarts what dies, stops all in order."""

from __future__ import annotations

import contextlib
import http.client
import logging
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from types import FrameType

from config import addresses
from config.embedded import folder, ports
from config.embedded.errors import StartError
from config.embedded.launch import wait_until
from config.embedded.servers import START_SECONDS, Servers, servers_in
from config.env import BadSetting, Environment, process_environment
from config.supervision import keeping, programs, readiness, runfile, stale_processes
from config.supervision.children import Child, Program
from config.supervision.processes import identify, own_identity
from continuity.core.operation import open_access, stops

PROJECT = Path(__file__).resolve().parents[2]
SERVE_SECONDS = 90.0
PREPARE_SECONDS = 3600.0  # A migration of a large database takes its time.
logger = logging.getLogger("config.supervision.supervisor")


class Stopped(Exception):
    """A signal asked to stop while things were still starting."""


class Supervisor:
    def __init__(self, env: Environment) -> None:
        self.env = env
        self.data_dir = env.path("CONTINUITY_DATA_DIR", PROJECT / "data", aliases=["STORAGE_PATH"])
        self.host, self.port = env.text("HOST", "127.0.0.1"), env.integer("PORT", 8000, minimum=1, maximum=65535)
        self.reachable = ports.reachable(self.host)
        self.web_url = addresses.web_url(self.host, self.port)
        self.run_path = runfile.location(self.data_dir)
        self.run_file = runfile.RunFile(own_identity(), "supervisor", web_url=self.web_url)
        self.servers = Servers()
        self.children: list[Child] = []
        self.signals = 0
        self.serving = False
        self.kept = True
        self.live: int | None = None
        self.asked_at = 0.0
        self.wake_reader, self.wake_writer = os.pipe()

    def run(self) -> int:
        """Serve until a signal; returns the exit status: 1 where the store did not say at the end that all is kept.

        Raises StartError or BadSetting where it cannot start.
        """
        settings = import_module("config.settings")  # Refuses a bad value before anything is started.
        if settings.CONTINUITY_OPEN_ACCESS:
            _say(open_access.WARNING)
            logger.warning(open_access.WARNING)
        folder.prepare(self.data_dir)
        with folder.locked(self.data_dir / "lock", exclusive=True, seconds=0.0) as had:
            if not had:
                raise StartError(stale_processes.who_runs(self.data_dir))
            readiness.close(self.data_dir)
            if ended := stale_processes.end_leftovers(self.data_dir):
                _say(f"Ended {ended} processes that an earlier run had left behind.")
            if refusal := ports.refusal(self.host, self.port):
                raise StartError(refusal)
            self._listen_for_signals()
            try:
                self._start()
                self._watch()
            except Stopped:
                pass
            finally:
                self._stop()
        return 0 if self.kept else 1

    def _listen_for_signals(self) -> None:
        os.set_blocking(self.wake_writer, False)
        os.set_blocking(self.wake_reader, False)
        signal.set_wakeup_fd(self.wake_writer, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup keeps it running.
                signal.signal(number, self._asked_to_stop)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)  # Only to wake the loop.

    def _asked_to_stop(self, number: int, frame: FrameType | None) -> None:
        self.signals += 1
        self.asked_at = self.asked_at or time.monotonic()

    def _start(self) -> None:
        self.servers = servers_in(self.data_dir, database=not self.env.secret("DATABASE_URL"), redis=not self.env.secret("REDIS_URL"))
        self.servers.launch()
        self._wait_for(self.servers.ready, START_SECONDS, "the embedded servers were not ready in time")
        now = time.monotonic()
        self.children = [Child(name, server, now) for name, server in self.servers.named()]
        self.run_file.database_url, self.run_file.redis_url = self.servers.database_url, self.servers.redis_url
        self._write_run_file()
        env = programs.environment(self.data_dir)
        web = self._add("web", programs.web(PROJECT, env, self.host, self.port, self.env))
        self._prepare(programs.prepare(PROJECT, env), web)
        self._wait_for(lambda: self._serves(web), SERVE_SECONDS, f"the web process did not answer on {self.web_url}")
        self.serving = True
        _say(f"Continuity runs at {self.web_url} (Ctrl-C stops it)")
        self._add("worker", programs.worker(PROJECT, env, self.env))
        self._add("beat", programs.beat(PROJECT, env))
        self._add("monitor", programs.monitor(PROJECT, env))
        self._write_run_file()

    def _prepare(self, program: Program, web: Child) -> None:
        """Migrate and set up, while the web process loads and waits at its gate."""
        prepare = self._add("prepare", program)

        def prepared() -> bool:
            if prepare.status() not in (None, 0):
                raise StartError("the database could not be prepared (the lines above say why)")
            return self._still_up(web) and prepare.status() == 0

        self._wait_for(prepared, PREPARE_SECONDS, "preparing the database took too long")
        self.children.remove(prepare)
        readiness.open_for(self.data_dir)

    def _still_up(self, web: Child) -> bool:
        if web.status() is not None:
            raise StartError("the web process ended before it served (the lines above say why)")
        return True

    def _add(self, name: str, program: Program) -> Child:
        child = Child(name, program)
        self.children.append(child)
        child.start(time.monotonic())
        return child

    def _wait_for(self, ready: Callable[[], bool], seconds: float, late: str) -> None:
        def ready_or_stopped() -> bool:
            if self.signals:
                raise Stopped
            return ready()

        if not wait_until(ready_or_stopped, seconds):
            raise StartError(late)

    def _serves(self, web: Child) -> bool:
        """Tell whether the web process answers HTTP, with whatever status."""
        self._still_up(web)
        connection = http.client.HTTPConnection(self.reachable, self.port, timeout=5)
        try:
            connection.request("GET", "/health")
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
        return True

    def _watch(self) -> None:
        while not self.signals:
            now = time.monotonic()
            changed = False
            for child in self.children:
                status = child.died(now)
                if status is not None:
                    logger.warning("%s ended (%s); starting it again", child.name, _reason(status))
                if child.due(now):
                    changed = True
                    self._restart(child, now)
            if changed:
                self._write_run_file()
            waits = [child.due_at - now for child in self.children if child.due_at is not None]
            select.select([self.wake_reader], [], [], max(0.0, min([1.0, *waits])))
            self._drain()

    def _restart(self, child: Child, now: float) -> None:
        try:
            child.start(now)
        except (StartError, OSError) as error:
            logger.error("%s could not be started again: %s", child.name, error)
            child.plan(now)

    def _drain(self) -> None:
        try:
            while os.read(self.wake_reader, 512):
                pass
        except BlockingIOError:
            pass

    def _write_run_file(self) -> None:
        found = {child.name: identify(child.what.process.pid) for child in self.children if child.what.process is not None}
        self.run_file.processes = {name: who for name, who in found.items() if who is not None}
        try:
            runfile.write(self.run_path, self.run_file)
        except OSError as error:
            logger.error("The run file cannot be written: %s", error)

    def _stop(self) -> None:
        """Web, beat, monitor, worker; then whether all is kept; Valkey, Postgres: each only when what uses it has ended.

        The programs are killed at once on a second signal, or where nothing was served yet.
        """
        asked = self.signals
        if asked:
            _say("Stopping …")
        by_name = {child.name: child.what for child in self.children}
        with ExitStack() as last_first:  # Every one is stopped, also if stopping another fails.
            last_first.callback(self._note_stop)
            last_first.callback(runfile.remove, self.run_path)
            last_first.callback(self.servers.stop)
            if asked and self.serving:
                last_first.callback(self._keep)
            for name in ("worker", "monitor", "beat", "web", "prepare"):
                if isinstance(program := by_name.get(name), Program):
                    last_first.callback(program.stop, lambda: self.signals > asked or not self.serving)
        if asked:
            _say("Stopped.")

    def _keep(self) -> None:
        self.live = keeping.keep(addresses.resolve(self.env, self.data_dir).database_url)
        self.kept = self.live is not None

    def _note_stop(self) -> None:
        """For the metrics of the next start."""
        if self.asked_at and self.serving:
            try:
                stops.write(self.data_dir, stops.LastStop(round(time.monotonic() - self.asked_at, 2), self.live))
            except OSError as error:
                logger.error("How long stopping took can't be written down: %s", error)


def _say(line: str) -> None:
    with contextlib.suppress(OSError):  # A closed terminal or pipe must not keep anything from being stopped.
        print(line, flush=True)


def _reason(status: int) -> str:
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"


def _configure_logging(env: Environment) -> None:
    from logging.config import dictConfig

    from config.logging import configuration

    dictConfig(configuration(env.choice("LOG_FORMAT", "auto", ["auto", "json", "console"]), "INFO"))


def main() -> int:
    try:
        env = process_environment(PROJECT)
        _configure_logging(env)
        return Supervisor(env).run()
    except (StartError, BadSetting) as error:
        print(f"continuity: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
