"""`manage.py fitpacks`: fits what the signals of packs weigh on cases of a repository, and says how well that does; no database."""

from __future__ import annotations

import json
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from continuity.packs.weights import FILE, WEIGHTS
from diagnostics.evaluation.errors import EvaluationError
from diagnostics.locating.cases import examples, read_cases
from diagnostics.locating.fitting import LocatingFigures, cross_validated, figures, fitted

BAD_INPUT = 2


class Command(BaseCommand):
    help = (
        "Reads cases (base commit, prompts, files that were then changed) of git bundles, and prints the share of the changed files among "
        "the first ten and how often one is among the first three: of the stored weights, and cross-validated in ten folds of "
        "neighbouring cases. The same cases and seed give the same weights. Exit code: 0, or 2 where the cases are bad."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--cases", type=Path, required=True, metavar="FILE", help="one case a line, JSON")
        parser.add_argument("--bundles", type=Path, metavar="DIR", help="git bundles named by repository (default: beside the cases)")
        parser.add_argument("--sessions", type=Path, metavar="DIR", help="earlier sessions; each case sees those before its commit")
        parser.add_argument("--seed", type=int, default=1, help="of the choice of files that were not changed (default 1)")
        parser.add_argument("--write", action="store_true", help=f"store the weights fitted on all cases in {FILE.name}")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with tempfile.TemporaryDirectory() as work:
                bundles = options["bundles"] or options["cases"].parent
                found = list(examples(read_cases(options["cases"]), bundles, options["sessions"], Path(work)))
        except EvaluationError as error:
            self.stderr.write(f"{error}")
            sys.exit(BAD_INPUT)
        if not found:
            self.stderr.write("There are no cases.")
            sys.exit(BAD_INPUT)
        names = list(found[0].columns)
        self._tell("stored weights", figures([(example, WEIGHTS) for example in found]))
        self._tell("cross-validated", cross_validated(found, names, seed=options["seed"]))
        if options["write"]:
            weights = fitted(found, names, seed=options["seed"])
            FILE.write_text(json.dumps(weights, indent=2, sort_keys=True) + "\n", encoding="utf-8")

    def _tell(self, title: str, each: dict[tuple[bool, bool], LocatingFigures]) -> None:
        for (first, sessions), told in each.items():
            what = f"{'first prompt' if first else 'all prompts'}, {'with' if sessions else 'without'} sessions"
            self.stdout.write(f"{title}: {what}: recall@10 {told.recall_at_10:.3f}, hit@3 {told.hit_at_3:.3f} ({told.cases} cases)\n")
