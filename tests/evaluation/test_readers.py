"""Tasks for blind readers, and the score of what they answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.evaluation.test_evaluate_command import run
from tests.evaluation.test_present_state import item, labelled


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Tasks of two systems for one case, in `tmp_path/out`."""
    folder = labelled(tmp_path, state=[item("a fact")])
    for name in ("ours", "theirs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "01.md").write_text(f"This is how {name.upper()[:1]} tells it.")
    systems = [part for name in ("ours", "theirs") for part in ("--system", f"{name}={tmp_path / name}")]
    assert run("--forms", tmp_path / "out", "--present-state", folder, "--corpus", tmp_path, *systems) == 0
    return tmp_path / "out"


def grade(out: Path, grades: object) -> int:
    (out / "01" / "grades.json").write_text(json.dumps(grades))
    return run("--graded", out, "--present-state", out.parent / "standing", "--corpus", out.parent, "--json")


def test_it_works(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whose = json.loads((made / "key.json").read_text())["systems"]["01"]
    assert set(whose.values()) == {"ours", "theirs"}
    ours = next(letter for letter, name in whose.items() if name == "ours")
    assert "This is how O tells it." in (made / "01" / f"{ours}.md").read_text()
    capsys.readouterr()
    marks = {letter: {str(number): 1 if letter == ours else -1 for number in range(4)} for letter in whose}
    assert grade(made, marks) == 0
    assert json.loads(capsys.readouterr().out)["readers"] == {"ours": {"all": 1, "present": 1}, "theirs": {"all": -1, "present": -1}}


def test_the_order_of_systems_is_random_per_case(made: Path) -> None:
    folder = made.parent
    (folder / "standing" / "02.json").write_text((folder / "standing" / "01.json").read_text())
    for name in ("ours", "theirs"):
        (folder / name / "02.md").write_text("x")
    systems = [part for name in ("ours", "theirs") for part in ("--system", f"{name}={folder / name}")]
    first = set()
    for seed in range(12):
        out = folder / f"seed{seed}"
        assert run("--forms", out, "--present-state", folder / "standing", "--corpus", folder, "--seed", seed, *systems) == 0
        first.add(tuple(case["A"] for case in json.loads((out / "key.json").read_text())["systems"].values()))
    assert len(first) > 2


def test_the_grader_sees_every_item_by_number(made: Path) -> None:
    listed = (made / "01" / "grader.md").read_text().splitlines()[-4:]
    assert listed == ["0. [turn] go", "1. [request] billing", "2. [next] zzz", "3. [state] a fact"]


@pytest.mark.parametrize(
    ("grades", "said"), [({"C": {}}, "no system C"), ({"A": {"1": 2}}, "item 1 of A has mark 2"), ([], "no JSON object")]
)
def test_bad_grades_are_named(made: Path, capsys: pytest.CaptureFixture[str], grades: object, said: str) -> None:
    assert grade(made, grades) == 2
    assert said in capsys.readouterr().err


def test_a_missing_context_is_named(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (made.parent / "ours" / "01.md").unlink()
    folder = made.parent
    again = ["--forms", folder / "again", "--present-state", folder / "standing", "--corpus", folder, "--system", f"ours={folder / 'ours'}"]
    assert run(*again) == 2
    assert "there is no context of case 01" in capsys.readouterr().err
