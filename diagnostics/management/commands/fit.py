"""`manage.py fit`: fits the chance that a term is used again on a corpus of sessions, without labels; no database, no server."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from continuity.knowledge.coverage.weights import FILE, NAMES, WEIGHTS, Weights, written
from diagnostics.evaluation.errors import EvaluationError
from diagnostics.fitting.corpus import sessions_in
from diagnostics.fitting.observations import observe
from diagnostics.fitting.regression import fitted

CORPUS = "CONTINUITY_CORPUS"
BAD_INPUT = 2


class Command(BaseCommand):
    help = (
        "Fits the weights by which a term's chance to be used again is reckoned on DIR/train, and prints how well they fit there and on "
        "DIR/validate. The same sessions, seed and date give the same file to the byte. Exit code: 0, or 2 where the corpus is bad."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--corpus", type=Path, metavar="DIR", help=f"holds train/ and validate/ (default: ${CORPUS})")
        parser.add_argument("--seed", type=int, default=WEIGHTS.seed, help="of the choice of terms (default: that of the stored weights)")
        parser.add_argument("--date", type=date.fromisoformat, help="the day that the file names (default: today)")
        parser.add_argument("--write", action="store_true", help=f"store the weights in {FILE.name}")

    def handle(self, *args: Any, **options: Any) -> None:
        corpus: Path | None = options["corpus"] or (Path(os.environ[CORPUS]) if os.environ.get(CORPUS) else None)
        try:
            if corpus is None:
                raise EvaluationError(f"Say where the sessions lie: --corpus, or {CORPUS}.")
            train = observe(sessions_in(corpus / "train"), seed=options["seed"])
            validate = observe(sessions_in(corpus / "validate"), seed=options["seed"])
            found = fitted(train, validate, seed=options["seed"], on=options["date"] or datetime.now(UTC).date())
        except (EvaluationError, ValueError) as error:
            self.stderr.write(f"{error}")
            sys.exit(BAD_INPUT)
        self._tell(found)
        if options["write"]:
            FILE.write_text(written(found), encoding="utf-8")

    def _tell(self, found: Weights) -> None:
        self.stdout.write(f"{found.terms:,} terms at {found.cuts} cuts of {found.sessions} sessions\n")
        for name, value in zip(NAMES, found.values, strict=True):
            self.stdout.write(f"{name:>10} {value:8.4f}")
        for name, figures in (("train", found.train), ("validate", found.validate)):
            self.stdout.write(f"{name}: log loss {figures.log_loss:.4f}, AUC {figures.auc:.4f}")
