"""How well the present state is told: what is current near at hand, and what is over marked as over."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from diagnostics.evaluation.errors import EvaluationError
from diagnostics.evaluation.present_state.labels import read_present_states
from diagnostics.evaluation.present_state.scoring import PresentFigure, present_score
from tests.evaluation.labelled import EVALUATION, needs_shared
from tests.evaluation.test_evaluate_command import run
from tests.packages.sessions import MESSAGES, write


def item(*tokens: str) -> dict[str, Any]:
    return {"text": " ".join(tokens), "tokens": list(tokens)}


def labelled(folder: Path, **more: Any) -> Path:
    """A case about a packed session, in `folder/standing`."""
    session = write(folder / "chat.json")
    (folder / "chat.json.xz").write_bytes(lzma.compress(session.read_bytes()))
    labels = {"transcript": "chat.json.xz", "cut": len(MESSAGES), "turn": "go", "request": item("billing"), "next": item("zzz"), **more}
    (folder / "standing").mkdir()
    (folder / "standing" / "01.json").write_text(json.dumps(labels))
    return folder / "standing"


def scored(folder: Path, text: str, **more: Any) -> dict[PresentFigure, tuple[int, int]]:
    (state,) = read_present_states(labelled(folder, **more), corpus=folder)
    return {figure: (share.hits, share.total) for figure, share in present_score(state, text).items()}


def test_it_works(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = labelled(tmp_path, course=[item("billing")])
    assert run("--present-state", folder, "--corpus", tmp_path, "--budget", "2000", "--write", tmp_path / "kept") == 0
    told = capsys.readouterr().out
    assert told.startswith("## Present state, budget 2000\n")
    assert "| pooled |" in told
    assert "billing" in (tmp_path / "kept" / "01.md").read_text()


def test_what_stands_in_the_middle_is_not_at_hand(tmp_path: Path) -> None:
    far = scored(tmp_path, "x\n" * 2000 + "billing\n" + "x\n" * 2000, state=[item("billing")])
    assert far[PresentFigure.AT_HAND] == (0, 2)
    assert far[PresentFigure.STATE] == (1, 1)


@pytest.mark.parametrize(("line", "wrong"), [("Migrate the billing job", 1), ("Migrated the billing job, committed", 0)])
def test_what_is_finished_must_be_marked(tmp_path: Path, line: str, wrong: int) -> None:
    assert scored(tmp_path, line, finished=[item("billing")])[PresentFigure.FINISHED] == (wrong, 1)


@pytest.mark.parametrize(("text", "wrong"), [("Only look [a1!]", 1), ("## Rules\nOnly look", 1), ("## History\nOnly look", 0)])
def test_a_one_off_order_must_not_bind(tmp_path: Path, text: str, wrong: int) -> None:
    assert scored(tmp_path, text, one_off=[item("only look")])[PresentFigure.ONE_OFF] == (wrong, 1)


@pytest.mark.parametrize(
    ("labels", "said"), [("{", "no label file"), ('{"transcript": "gone.xz", "cut": 1, "turn": "go"}', "no label file")]
)
def test_a_bad_label_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], labels: str, said: str) -> None:
    (tmp_path / "01.json").write_text(labels)
    assert run("--present-state", tmp_path, "--corpus", tmp_path) == 2
    assert f"{tmp_path / '01.json'} is {said}" in capsys.readouterr().err


def test_a_missing_session_is_named(tmp_path: Path) -> None:
    folder = labelled(tmp_path)
    (tmp_path / "chat.json.xz").unlink()
    with pytest.raises(EvaluationError, match=r"is about chat\.json\.xz"):
        read_present_states(folder, corpus=tmp_path)


@pytest.mark.long
@needs_shared
def test_the_published_scorer_finds_the_same(tmp_path: Path) -> None:
    from tests.evaluation.test_same_figures import published

    theirs, corpus = published("standing"), EVALUATION.parent / "corpus"
    context = "## Rules\n" + "\n".join(
        text for path in sorted(EVALUATION.glob("standing/*.json")) for text in path.read_text().replace('"', "").split(",")[:80]
    )
    for state in read_present_states(EVALUATION / "standing", corpus=corpus):
        raw = json.loads((EVALUATION / "standing" / f"{state.name}.json").read_text())
        for text in (context, context[: len(context) // 3], "\n".join(reversed(context.split("\n")))):
            ours = {figure.value: (share.hits, share.total) for figure, share in present_score(state, text).items()}
            assert ours == {name: (sum(hits), len(hits)) for name, hits in theirs.flags(raw, text).items()}
