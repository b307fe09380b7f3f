"""`manage.py bench`: how long the services take here, beside what is specified."""

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from continuity.models import Team
from continuity.services.accounts import apikeys
from diagnostics.bench import agent_states, agents_wire, bus, bus_wire, groups, hooks, load, pages, scenarios, searching, soak, states
from diagnostics.bench.packs import recorded, scripted, timing
from diagnostics.bench.rows import BenchRow, machine
from diagnostics.evaluation.errors import EvaluationError
from diagnostics.services import temporary_teams

TEAM = "bench", "Benchmark"


class Command(BaseCommand):
    help = "Measures append, decision, prepare, resume, directive and import on the configured database, or memory over many handoffs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("-n", type=int, default=50, help="samples for each row (default 50); with --load its seconds")
        parser.add_argument("--full", action="store_true", help="also prepare at 100,000 messages; a whole minute of events or agents")
        parser.add_argument("--soak", type=int, metavar="HANDOFFS", help="instead, hand off so often and tell whether memory stays flat")

        parser.add_argument("--hooks", action="store_true", help="instead, the hooks of the client against the server that runs here")

        events = "instead, the bus, beside a raw Valkey stream and PostgreSQL's NOTIFY; over HTTP too where a server runs here"
        parser.add_argument("--events", action="store_true", help=events)
        told = "instead, shared states: writing them, and what changed, up to 100,000 versions; with --full to 1,000,000"
        parser.add_argument("--states", action="store_true", help=told)
        load = "instead, as many conversations of agents at work as may be, beside ten: appending, the limit, and what metrics cost"
        parser.add_argument("--load", action="store_true", help=load)
        parser.add_argument("--groups", action="store_true", help="instead, groups of ten agents: choosing a speaker, turns, the context")
        agents = "instead, agents: their states, and over HTTP heartbeats, deaths and replacements, against the server that runs here"
        parser.add_argument("--agents", action="store_true", help=agents)
        parser.add_argument("--pages", action="store_true", help="instead, every page of the latest team of `manage.py seed`")
        packs = "instead, packs of made repositories: how long they take, and sessions replayed; with --full 50,000 files too"
        parser.add_argument("--packs", action="store_true", help=packs)
        parser.add_argument(
            "--cases", type=Path, metavar="FILE", help="with --packs also real sessions, one case a line; bundles beside it"
        )
        parser.add_argument("--sessions", type=Path, metavar="DIR", help="where the sessions of these cases lie, and others")
        parser.add_argument("--search", action="store_true", help="instead, searches of all kinds in that team")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["pages"] or options["search"]:
            self._seeded(pages.measured if options["pages"] else searching.measured, options["n"], options["json"])
            return
        if options["soak"]:
            self._soak(options["soak"], options["json"])
            return
        if options["packs"]:
            if (options["cases"] is None) != (options["sessions"] is None):
                raise CommandError("--cases and --sessions go together.")
            self._packs(options["n"], options["full"], options["json"], options["cases"], options["sessions"])
            return
        temporary_teams.remove_leftovers(*TEAM)
        with temporary_teams.passing_team(*TEAM) as team:
            run = load.LoadRun(team, seconds=max(3, options["n"])) if options["load"] else None
            rows = []
            for row in run.rows() if run else self._chosen(team, options):
                rows.append(row)
                if not options["json"]:
                    self._print(row)
        verdict = asdict(run.verdict) | {"ok": run.verdict.ok} if run and run.verdict else None
        if options["json"]:
            told = {"machine": machine(), "rows": [row.as_json() for row in rows]}
            self.stdout.write(json.dumps(told | ({"verdict": verdict} if verdict else {})))
        else:
            self.stdout.write("".join(f"{name}: {value}\n" for name, value in (verdict or {}).items()) + machine())

    def _chosen(self, team: Team, options: dict[str, Any]) -> Iterator[BenchRow]:
        if options["groups"] or options["states"]:
            return self._shared(team, options)
        if options["events"]:
            return self._events(team, options["n"], 60 if options["full"] else 5)
        if options["agents"]:
            return self._agents(team, options["n"], 60 if options["full"] else 20)
        return self._hooks(team, options["n"]) if options["hooks"] else self._rows(team, options["n"], options["full"])

    def _shared(self, team: Team, options: dict[str, Any]) -> Iterator[BenchRow]:
        if options["groups"]:
            yield from groups.measured(team, options["n"])
        if options["states"]:
            yield from states.measured(team, options["n"], most=1_000_000 if options["full"] else 100_000)

    def _rows(self, team: Team, n: int, full: bool) -> Iterator[BenchRow]:
        yield from scenarios.append_batch(team, n)
        yield from scenarios.append_turn(team, n, [100, 1000, 10_000])
        yield from scenarios.fold(team, max(3, n // 5))
        yield from scenarios.restore(team, n)
        yield from scenarios.decide(team, n)
        yield from scenarios.prepare(team, n, [100, 1000, 10_000, *([100_000] if full else [])])
        yield from scenarios.prepare_unfolded(team, max(3, n // 5))
        yield from scenarios.prepare_at_once(team, [10, 100])
        yield from scenarios.resume(team, n)
        yield from scenarios.directive(team, n)
        yield from scenarios.import_file(team, max(3, n // 10))

    def _events(self, team: Team, n: int, seconds: float) -> Iterator[BenchRow]:
        """Over HTTP first what is quick, and last the stream: either side leaves thousands of rows for Postgres to clean up."""
        url = f"http://{settings.HOST}:{settings.PORT}"
        key = apikeys.issue(team=team, name="bench")[1] if hooks.is_up(url) else ""
        if key:
            yield from bus_wire.one_at_a_time(url, key, n)
        yield from bus.measured(team, n)
        if key:
            yield from bus_wire.stream(url, key, seconds=seconds)

    def _agents(self, team: Team, n: int, seconds: float) -> Iterator[BenchRow]:
        url = f"http://{settings.HOST}:{settings.PORT}"
        if not hooks.is_up(url):
            raise CommandError(f"No server answers at {url}: start it, or give its HOST and PORT.")
        yield from agent_states.measured(team, n)
        yield from agents_wire.measured(url, apikeys.issue(team=team, name="bench")[1], n, seconds=seconds)

    def _hooks(self, team: Team, n: int) -> Iterator[BenchRow]:
        url = f"http://{settings.HOST}:{settings.PORT}"
        if not hooks.is_up(url):
            raise CommandError(f"No server answers at {url}: start it, or give its HOST and PORT.")
        yield from hooks.with_server(url, apikeys.issue(team=team, name="bench")[1], n)
        yield from hooks.without_server(n)

    def _seeded(self, measured: Callable[[Team, int], Iterator[BenchRow]], n: int, as_json: bool) -> None:
        team = pages.seeded_team()
        if team is None:
            raise CommandError("There is no seeded team; make one with `manage.py seed`.")
        rows = []
        for row in measured(team, n):
            rows.append(row)
            if not as_json:
                self._print(row)
        if as_json:
            self.stdout.write(json.dumps({"machine": machine(), "seed": pages.size(team), "rows": [row.as_json() for row in rows]}))
        else:
            self.stdout.write(f"{machine()}; {', '.join(f'{count:,} {noun}' for noun, count in pages.size(team).items())}")

    def _packs(self, n: int, full: bool, as_json: bool, cases: Path | None, sessions: Path | None) -> None:
        rows: list[dict[str, Any]] = []
        for row, memory in timing.measured(n, full=full):
            rows.append({**row.as_json(), "memory_mb": round(memory, 1) if memory else None})
            if not as_json:
                self._print(row)
                if memory:
                    verdict = "ok  " if memory < timing.MEMORY_MB else "MISS"
                    self.stdout.write(f"{verdict} memory of it: {memory:.0f} MB (target {timing.MEMORY_MB:g})")
        temporary_teams.remove_leftovers(*TEAM)
        with temporary_teams.passing_team(*TEAM) as team:
            figures: dict[str, Any] = {"scripted": asdict(scripted.replayed(team, max(1, n // 25)))}
            if cases and sessions:
                try:
                    figures["recorded"] = recorded.replayed(team, cases, sessions, n).as_json()
                except EvaluationError as error:
                    raise CommandError(str(error)) from error
        if as_json:
            self.stdout.write(json.dumps({"machine": machine(), "rows": rows, "sessions": figures}))
            return
        self._tell(figures)
        self.stdout.write(machine())

    def _tell(self, figures: dict[str, Any], of: str = "") -> None:
        for name, value in figures.items():
            words = f"{of} {name}".strip().replace("_", " ")
            if isinstance(value, dict):
                self._tell(value, words)
            else:
                self.stdout.write(f"{words}: {value:.3f}" if isinstance(value, float) else f"{words}: {value}")

    def _soak(self, handoffs: int, as_json: bool) -> None:
        memory = []
        for seen in soak.run(handoffs):
            memory.append(seen)
            if not as_json:
                self.stdout.write(f"{seen.done:6} handoffs  {seen.rss_mb:8.1f} MB")
                self.stdout.flush()
        verdict = soak.verdict(memory)
        if as_json:
            told = {"machine": machine(), "memory": [asdict(seen) for seen in memory], "growth_mb": verdict.growth_mb, "flat": verdict.flat}
            self.stdout.write(json.dumps(told))
        else:
            self.stdout.write(f"{'ok  ' if verdict.flat else 'MISS'} memory grew by {verdict.growth_mb:.1f} MB after the first tenth")

    def _print(self, row: BenchRow) -> None:
        demanded = "".join(f"  {label} {value:g}" for label, value in [("specified", row.specified_ms), ("target", row.target_ms)] if value)
        asked = "" if row.database_ms is None else f"  database {row.database_ms:7.2f}"
        asked += "" if row.processor_ms is None else f"  processor {row.processor_ms:7.2f}"
        asked += "" if row.queries is None else f"  queries {row.queries}"
        self.stdout.write(
            f"{'ok  ' if row.ok else 'MISS'} {row.name:52} n={row.n:<4} p50 {row.p50_ms:8.2f}  p95 {row.p95_ms:8.2f} ms{demanded}{asked}"
        )
        self.stdout.flush()
