# Two commands: `make run` and `make test`. They need Python 3.11 or newer and nothing else.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help run backup restore client test test-long check coverage test-pythons fmt handoff bench agents-demo groups-demo screenshots clean asked venv venv-dev

# The first Python that is new enough; PYTHON=/path/to/python chooses another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; \
	then command -v $$p; break; fi; done)
BIN := .venv/bin
# Tests run in this many processes (auto: one for each core).
WORKERS ?= auto
COVERED := --cov --cov-report=term
# Python tells of branches by itself (sys.monitoring) from 3.14 on; before that each line that runs calls back.
MEASURED = $(shell $(BIN)/python -c 'import sys; print("$(COVERED)" if sys.version_info >= (3, 14) else "")')
# Each process that a test starts would compile all of the project again; images for containers often set this.
unexport PYTHONDONTWRITEBYTECODE
# make test ARGS="tests/platform -k restart"
ARGS ?=

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' Makefile

run: venv  ## Start everything and serve http://127.0.0.1:8000 (PORT and HOST change it)
	@exec $(BIN)/python -m config.supervision.supervisor

test: venv-dev  ## Run the tests that every change must pass, against a Postgres and a Valkey of their own
	@exec $(BIN)/python -m pytest -n $(WORKERS) -q $(ARGS)

test-long: venv-dev  ## Run what is too long for each change: all sizes, seeds and lists, and the sessions beneath CONTINUITY_CORPUS (docs/testing.md)
	@test -n "$$CONTINUITY_CORPUS" || echo "continuity: CONTINUITY_CORPUS names no folder of sessions: those of the corpus are left out" >&2
	@exec $(BIN)/python -m pytest -n $(WORKERS) -q -m "long or hypothesis" --hypothesis-profile=thorough $(ARGS)

check: venv-dev  ## Everything that must hold: style, types, layers, migrations, tests (with coverage from Python 3.14 on, where it costs little)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports --no-logo
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python -m pytest -n $(WORKERS) -q $(MEASURED) $(ARGS)

coverage: venv-dev  ## Run the tests of `make test` with branch coverage, which takes half as long again before Python 3.14
	@exec $(BIN)/python -m pytest -n $(WORKERS) -q $(COVERED) $(ARGS)

test-pythons:  ## Tests of readers, and some of services and API, on each other Python that is found (ARGS names others)
	@test -n "$(PYTHON)" || { echo "continuity: no Python 3.11 or newer found; install one, or name it: make PYTHON=/path/to/python" >&2; exit 1; }
	@WORKERS=$(WORKERS) $(PYTHON) -m config.pythons $(ARGS)

fmt: venv-dev  ## Format and sort imports
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .

handoff: asked venv  ## Print the directive of a transcript: make handoff FILE=session.jsonl [ARGS="--style concise"]
	@exec $(BIN)/python manage.py handoff "$(FILE)" $(ARGS)

bench: venv  ## Measure against the figures of the specification
	@exec $(BIN)/python manage.py bench $(ARGS)

backup: venv  ## Write a back-up, also while everything runs: make backup ARGS="/backups --keep 14" (docs/operations.md)
	@exec $(BIN)/python manage.py backup $(or $(ARGS),.)

restore: asked venv  ## Restore one into a fresh data folder, while nothing runs: make restore FILE=continuity.backup
	@exec $(BIN)/python manage.py restore "$(FILE)" $(ARGS)

client:  ## Make the client alone: a wheel for pip, pipx and uv, and one file that runs, in dist/ (ARGS names another folder)
	@test -n "$(PYTHON)" || { echo "continuity: no Python 3.11 or newer found; install one, or name it: make PYTHON=/path/to/python" >&2; exit 1; }
	@exec $(PYTHON) -m continuity.distribution $(if $(ARGS),$(ARGS),dist)

agents-demo: venv  ## Kill, stop and replace four agents before your eyes, and keep them for a look (ARGS=--once: end after that)
	@exec $(BIN)/python -m diagnostics.agents_demo $(ARGS)

groups-demo: venv  ## Let five agents solve a made-up incident together, and keep them for a look (ARGS=--once: end after that)
	@exec $(BIN)/python -m diagnostics.groups_demo $(ARGS)

screenshots: venv-dev  ## Take the pictures of docs/screenshots from a running product with its demo data (needs Chromium)
	@exec $(BIN)/python -m diagnostics.screenshots

clean:  ## Remove the environment and all caches; data/ stays
	rm -rf .venv .venvs staticfiles .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage .coverage.* htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

asked:
	@test -n "$(FILE)" || { echo "continuity: say which file: make $(firstword $(MAKECMDGOALS)) FILE=…" >&2; exit 2; }

venv:
	@test -n "$(PYTHON)" || { echo "continuity: no Python 3.11 or newer found; install one, or name it: make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -m config.install run

venv-dev:
	@test -n "$(PYTHON)" || { echo "continuity: no Python 3.11 or newer found; install one, or name it: make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -m config.install dev
