"""What one hook delivers of a directive and packs together, as `manage.py evaluate --hook N --packs CASES` measures it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from diagnostics.evaluation.sizes import HANDED, DirectiveSize
from diagnostics.locating.shared_hook import CasePacks, SharedHook
from handoffs.building.oneshot import from_transcript
from handoffs.contract.model import Options
from tests.packs.place import git, repository

SESSION = Path(__file__).parents[2] / "continuity" / "demo" / "session.jsonl"
CASE = "abcdef123456"


@pytest.fixture
def packs(tmp_path: Path) -> CasePacks:
    tree, place = repository(tmp_path / "r"), tmp_path / "cases"
    place.mkdir()
    git(tree, "bundle", "create", "-q", str(place / "mail.bundle"), "main")
    told = {"repository": "mail", "base": git(tree, "rev-parse", "HEAD").strip(), "prompts": ["Mend parse_header"], "changed": []}
    (place / "cases.jsonl").write_text(json.dumps({"case": CASE, **told}) + "\n")
    (tmp_path / "work").mkdir()
    return CasePacks(place / "cases.jsonl", tmp_path / "work")


@pytest.mark.parametrize("characters", [3_000, 9_900])
def test_it_works(packs: CasePacks, characters: int) -> None:
    prepared = from_transcript(SESSION, Options(budget=HANDED), now=datetime(2026, 1, 1, tzinfo=UTC)).prepared
    size = SharedHook.of(characters, packs)
    together = size.text(prepared, Path(f"mail__{CASE[:2]}-{CASE[2:]}-0.jsonl"))
    assert len(together) <= characters
    assert together.startswith("About this repository") and "SESSION CONTINUATION" in together
    assert ("Files for this request" in together) == (characters == 9_900), "what is at hand comes first"
    at_hand = together.split("At hand, as told above:\n- ")[1]
    assert at_hand.startswith(("The user asked", "Then the user said")), "what fits of it, the request first"
    elsewhere = Path("another.jsonl")
    assert size.text(prepared, elsewhere) == DirectiveSize.of_hook(characters).text(prepared, elsewhere).rstrip(), "as without packs"


def test_another_session_of_the_repository_has_it_as_it_stood_before(packs: CasePacks, tmp_path: Path) -> None:
    told = json.loads(packs.cases.read_text())
    told["base"] = git(tmp_path / "r", "rev-parse", "HEAD~1").strip()
    packs.cases.write_text(json.dumps(told) + "\n")
    early, late = (tmp_path / f"mail__{name}.jsonl" for name in ("early", "late"))
    early.write_text(SESSION.read_text().replace('"2026-', '"2025-'))
    late.write_text(SESSION.read_text())
    assert "src/printer.py" in packs.of_session(late, "print")["context"]
    assert "src/printer.py" not in packs.of_session(early, "print")["context"], "nothing was before: as the case says"


def test_a_start_and_a_prompt_have_a_hook_each(packs: CasePacks) -> None:
    session = Path(f"mail__{CASE[:2]}-{CASE[2:]}-0.jsonl")
    prepared = from_transcript(SESSION, Options(budget=HANDED), now=datetime(2026, 1, 1, tzinfo=UTC)).prepared
    both = SharedHook.of(3_000, packs, prompted=True).text(prepared, session)
    assert 3_000 < len(both) <= 6_001
    assert both.startswith("About this repository") and "Files for this request" in both
