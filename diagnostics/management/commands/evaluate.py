"""`manage.py evaluate`: how much of what must survive the handoffs carry, on labelled sessions; no database, no server."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from argparse import ArgumentParser
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from continuity.knowledge.rules.catalogue import RULES, RuleSet
from continuity.transcripts import TranscriptError
from diagnostics.evaluation import speakers
from diagnostics.evaluation.documents import recall_document, score_document
from diagnostics.evaluation.errors import EvaluationError
from diagnostics.evaluation.material import cases
from diagnostics.evaluation.measuring import measure
from diagnostics.evaluation.present_state.checking import check_directive, check_document, check_table
from diagnostics.evaluation.present_state.labels import read_present_states
from diagnostics.evaluation.present_state.measuring import measure_present, present_document, present_table, unpacked
from diagnostics.evaluation.readers.grading import PRESENT, graded, grading_table
from diagnostics.evaluation.readers.tasks import write_tasks
from diagnostics.evaluation.recall import recall_in
from diagnostics.evaluation.sizes import HANDED, DirectiveSize
from diagnostics.evaluation.tables import recall_table, score_tables
from diagnostics.locating.shared_hook import CasePacks, SharedHook
from handoffs.building.preparation import MAX_BUDGET, MIN_BUDGET
from handoffs.directive.outputs import HOOK_CHARS

BAD_INPUT = 2
BUDGETS = "2000,4000,8000"
LEAST_CHARACTERS = 1000  # of a hook


class Command(BaseCommand):
    help = (
        "Hands off each labelled session at its cut and prints what share of the labelled items the directive carries, "
        "per session, per type of anchor and per dimension of the probes. Exit code: 0, or 2 where the input is bad."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("labels", metavar="LABELS", nargs="*", type=Path, help=f"label files (default: those in {_default()})")
        parser.add_argument(
            "--budget", type=_budgets, default=_budgets(BUDGETS), metavar="TOKENS,…", help=f"sizes of the directive (default {BUDGETS})"
        )
        parser.add_argument(
            "--hook",
            type=_characters,
            default=[],
            metavar="CHARACTERS,…",
            help=f"instead, what a tool's hook delivers within so many characters of a directive of {HANDED} tokens",
        )
        parser.add_argument(
            "--packs",
            type=Path,
            metavar="CASES",
            help="with --hook: packs share these characters, for sessions whose repository is a case, in a bundle beside that file",
        )
        parser.add_argument(
            "--prompted", action="store_true", help="with --packs: a session's start and its first prompt have a hook each, as in a tool"
        )
        parser.add_argument("--speakers", action="store_true", help="instead, how often groups choose the right speaker, and end well")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--transcripts", type=Path, metavar="DIR", help="where the sessions lie, by format or flat")
        parser.add_argument(
            "--boundaries",
            nargs="+",
            type=Path,
            default=[],
            metavar="SESSION",
            help="measure continuation recall at the compactions of these sessions, at the size of the tool's own summary",
        )
        parser.add_argument(
            "--present-state",
            nargs="?",
            type=Path,
            const=_shared("evaluation", "standing"),
            metavar="DIR",
            help="score how well the present state is told, over the label files of a folder (default: the shared ones)",
        )
        parser.add_argument("--corpus", type=Path, default=_shared("corpus"), metavar="DIR", help="where the sessions of these labels lie")
        parser.add_argument(
            "--check",
            type=Path,
            metavar="DIR",
            help="hold directives, DIR/CASE.md, against their sessions and the labels of --present-state",
        )
        parser.add_argument("--write", type=Path, metavar="DIR", help="keep each directive of --present-state as DIR/CASE.md")
        parser.add_argument("--forms", type=Path, metavar="OUT", help="write tasks for blind readers, of the systems given by --system")
        parser.add_argument(
            "--system", action="append", type=_system, default=[], metavar="NAME=DIR", help="contexts of a system, DIR/CASE.md"
        )
        parser.add_argument("--seed", type=int, default=1, help="of the order in which --forms names the systems")
        parser.add_argument("--graded", type=Path, metavar="OUT", help="score the graded forms in a folder that --forms made")
        parser.add_argument(
            "--without",
            type=_rules,
            default=RULES,
            metavar="RULE,…",
            help="distil without these language rules, each a name (decision.lets) or a family (decision)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now, rules = datetime.now(UTC), options["without"]
        document: dict[str, Any] = {}
        with tempfile.TemporaryDirectory() as work:
            options["work"] = Path(work)
            self._measure(document, options, now, rules)
        if options["json"]:
            self.stdout.write(json.dumps(document, ensure_ascii=False, indent=2))

    def _measure(self, document: dict[str, Any], options: dict[str, Any], now: datetime, rules: RuleSet) -> None:
        try:
            if options["speakers"]:
                document["speakers"] = self._speakers(options)
            elif options["forms"] or options["graded"]:
                document["readers"] = self._readers(options)
            elif options["check"]:
                document["check"] = self._check(options)
            elif options["present_state"]:
                document["present_state"] = self._present(options, now)
            elif options["labels"] or not options["boundaries"]:
                document["budgets"] = self._scores(options, now, rules)
            if options["boundaries"]:
                document["continuation"] = self._recall(options, now, rules)
        except (EvaluationError, TranscriptError) as error:
            self.stderr.write(f"{error}")
            sys.exit(BAD_INPUT)

    def _speakers(self, options: dict[str, Any]) -> dict[str, Any]:
        found = speakers.measured()
        if not options["json"]:
            self._tell(speakers.table(found))
        return found

    def _scores(self, options: dict[str, Any], now: datetime, rules: RuleSet) -> list[dict[str, Any]]:
        found = cases(options["labels"], default=_default(), transcripts=options["transcripts"])
        documents = []
        for size in _sizes(options):
            measured = [measure(case, size, now=now, rules=rules) for case in found]
            documents.append(score_document(size, measured))
            if not options["json"]:
                self._tell(score_tables(size, measured))
        return documents

    def _present(self, options: dict[str, Any], now: datetime) -> list[dict[str, Any]]:
        states = read_present_states(options["present_state"], corpus=options["corpus"])
        documents = []
        for size in _sizes(options):
            measured = [measure_present(state, size, now=now) for state in states]
            documents.append(present_document(size, measured))
            if options["write"]:
                for each in measured:
                    options["write"].mkdir(parents=True, exist_ok=True)
                    options["write"].joinpath(f"{each.name}.md").write_text(each.text, encoding="utf-8")
            if not options["json"]:
                self._tell(present_table(size, measured))
        return documents

    def _check(self, options: dict[str, Any]) -> dict[str, Any]:
        states = read_present_states(options["present_state"] or _shared("evaluation", "standing"), corpus=options["corpus"])
        checked = [check_directive(state, options["check"]) for state in states]
        if not options["json"]:
            self._tell(check_table(checked))
        return check_document(checked)

    def _readers(self, options: dict[str, Any]) -> dict[str, Any]:
        folder = options["present_state"] or _shared("evaluation", "standing")
        states = read_present_states(folder, corpus=options["corpus"])
        if options["forms"]:
            tasks = write_tasks(options["forms"], states, dict(options["system"]), seed=options["seed"])
            self._tell(f"{tasks} tasks for readers of {len(states)} cases in {options['forms']}\n")
            return {"tasks": tasks}
        scores = graded(options["graded"], states)
        if not options["json"]:
            self._tell(grading_table(scores))
        return {name: {"all": score.value(), "present": score.value(*PRESENT)} for name, score in scores.items()}

    def _recall(self, options: dict[str, Any], now: datetime, rules: RuleSet) -> dict[str, Any]:
        with ExitStack() as stack:
            sessions = [stack.enter_context(unpacked(path)) for path in options["boundaries"]]
            recalled = recall_in(sessions, now=now, rules=rules, size=_sizes(options)[0] if options["hook"] else None)
        if not options["json"]:
            self._tell(recall_table(recalled))
        return recall_document(recalled)

    def _tell(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def _default() -> Path:
    return _shared("evaluation", "labels")


def _shared(*parts: str) -> Path:
    return Path(settings.BASE_DIR).parent.joinpath("shared", *parts)


def _system(text: str) -> tuple[str, Path]:
    name, equals, folder = text.partition("=")
    if not (name and equals and Path(folder).is_dir()):
        raise argparse.ArgumentTypeError(f"must be NAME=DIR with a folder of contexts, not “{text[:80]}”")
    return name, Path(folder)


def _budgets(text: str) -> list[int]:
    return _numbers(text, MIN_BUDGET, MAX_BUDGET)


def _characters(text: str) -> list[int]:
    return _numbers(text, LEAST_CHARACTERS, HOOK_CHARS)


def _numbers(text: str, least: int, most: int) -> list[int]:
    try:
        found = [int(each) for each in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be whole numbers with commas between, not “{text[:40]}”") from None
    for each in found:
        if not least <= each <= most:
            raise argparse.ArgumentTypeError(f"must be from {least} to {most}, not {each}")
    return found


def _sizes(options: dict[str, Any]) -> list[DirectiveSize]:
    """What is measured: directives of these budgets, or what hooks deliver."""
    if options["hook"] and options["packs"]:
        packs = CasePacks(options["packs"], options["work"])
        return [SharedHook.of(characters, packs, prompted=options["prompted"]) for characters in options["hook"]]
    return [*map(DirectiveSize.of_hook, options["hook"])] or [*map(DirectiveSize, options["budget"])]


def _rules(text: str) -> RuleSet:
    names = [name.strip() for name in text.split(",")]
    families = {rule.name.split(".")[0]: None for rule in RULES.rules}
    known = {*families, *(rule.name for rule in RULES.rules)}
    for name in names:
        if name not in known:
            raise argparse.ArgumentTypeError(f"there is no rule “{name[:60]}”; the families are {', '.join(families)}")
    return RULES.without(*names)
