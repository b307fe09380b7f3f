"""Weights are found where a signal tells, the same each time, and judged on cases that they were not fitted on."""

import json

import pytest

from diagnostics.evaluation.errors import EvaluationError
from diagnostics.locating.cases import Example, LocatingCase, examples, read_cases
from diagnostics.locating.fitting import cross_validated, figures, fitted
from tests.packs.place import git, repository, write

PATHS = tuple(f"f{n:02}" for n in range(30))
NAMES = ("content", "recent", "message", "path", "latest")


def example(n):
    """The changed file is told by `path`, while `content` misleads."""
    wanted = n % len(PATHS)
    columns = {name: [0.0] * len(PATHS) for name in NAMES}
    columns["path"][wanted] = 1.0
    columns["content"][(wanted + 1) % len(PATHS)] = 1.0
    return Example(LocatingCase(str(n), "r", "0", ("x",), frozenset({PATHS[wanted]})), False, False, PATHS, columns)


def test_it_works():
    found = [example(n) for n in range(12)]
    weights = fitted(found, NAMES, seed=1)
    assert weights["path"] > 1 > 0 > weights["content"]
    assert weights == fitted(found, NAMES, seed=1)
    assert cross_validated(found, NAMES, seed=1)[False, False].hit_at_3 == 1.0


def test_figures():
    told = figures([(example(0), {"path": 1.0}), (example(20), {"path": -1.0})])[False, False]
    assert (told.recall_at_10, told.hit_at_3, told.cases) == (0.5, 0.5, 2)


def test_cases_are_read_at_their_commits(tmp_path):
    tree = repository(tmp_path / "r")
    base = git(tree, "rev-parse", "HEAD").strip()
    write(tree, later_dot_py="x = 1\n")
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", "Later")
    git(tree, "bundle", "create", str(tmp_path / "r.bundle"), "main")
    case = {"case": "c", "repository": "r", "base": base, "prompts": ["the printer", "and more"], "changed": ["src/printer.py"]}
    (tmp_path / "cases.jsonl").write_text(json.dumps(case) + "\n")
    (tmp_path / "work").mkdir()
    found = list(examples(read_cases(tmp_path / "cases.jsonl"), tmp_path, None, tmp_path / "work"))
    assert [each.first for each in found] == [False, True]
    assert "later.py" not in found[0].paths and "src/printer.py" in found[0].paths


def test_what_is_no_file_of_cases(tmp_path):
    (tmp_path / "x").write_text("{}\n")
    with pytest.raises(EvaluationError):
        read_cases(tmp_path / "x")
