from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from continuity.transcripts import TranscriptError
from handoffs.building.oneshot import OneShot, from_transcript
from handoffs.building.verdict import verdict, warnings
from handoffs.contract.model import Options
from tests.beyond import beyond
from tests.packages.samples import NOW
from tests.packages.sessions import MESSAGES, said, write

KEY = "sk-ant-" + "api03-" + "q8Zr5Tn2Wm7Kc4Vb" * 4
ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "transcripts"
REAL = sorted([*SHARED.glob("claude-code/*.jsonl"), *SHARED.glob("codex/*.jsonl")])


def made(path: Path, **more: object) -> OneShot:
    return from_transcript(path, Options(), now=NOW, **more)  # type: ignore[arg-type]


def test_it_works(tmp_path: Path) -> None:
    one = made(write(tmp_path / "chat.json"))

    assert one.prepared.report.passes_threshold
    assert one.prepared.package.through_seq == len(MESSAGES)
    assert "Never run the migration against the production database." in one.prepared.text
    assert one.report.messages == len(MESSAGES)


def test_a_cut_reads_only_the_beginning(tmp_path: Path) -> None:
    one = made(write(tmp_path / "chat.json"), cut=2)

    assert one.prepared.package.through_seq == 2
    assert "cron" not in one.prepared.text


def test_the_same_file_gives_the_same_package(tmp_path: Path) -> None:
    path = write(tmp_path / "chat.json")

    assert made(path).prepared == made(path).prepared


def test_progress_is_told_while_reading(tmp_path: Path) -> None:
    told: list[int] = []
    made(write(tmp_path / "long.json", [said("user", f"Note {n}") for n in range(450)]), progress=told.append)

    assert told == [200, 400]


def test_secrets_are_masked_everywhere_unless_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path / "chat.json", [said("user", f"Always use the key {KEY} for the staging calls, never another one."), *MESSAGES])
    masked, shown = made(path).prepared, made(path, show_secrets=True).prepared

    assert KEY not in f"{masked}"
    assert "[secret: anthropic-key]" in masked.text
    assert KEY in shown.text


def test_the_budget_counts_in_the_named_models_tokens(tmp_path: Path) -> None:
    path = write(tmp_path / "chat.json")

    assert made(path, model="claude-opus-4-5").prepared.package.plan.used > made(path, model="gpt-4o").prepared.package.plan.used


def test_a_bad_file_is_refused_with_a_reason(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match=r"missing\.json"):
        made(tmp_path / "missing.json")


def test_the_verdict_is_one_line_with_every_score(tmp_path: Path) -> None:
    line = verdict(made(write(tmp_path / "chat.json")))

    assert "\n" not in line
    assert line.startswith("Fidelity 1.00 passes: anchors 1.00, tasks 1.00, state 1.00; coverage")


def test_skipped_lines_are_warned_of_by_number(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    record = '{"type":"user","uuid":"u%d","sessionId":"s","message":{"role":"user","content":"Please fix the importer."}}\n'
    path.write_text(record % 1 + '{"type": broken\n' + record % 2, encoding="utf-8")
    (warning,) = warnings(made(path))

    assert warning.startswith("Line 2 was skipped: it ")


def test_a_piece_that_was_left_out_is_warned_of_as_a_piece(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    content = '[{"type":null},{"type":"text","text":"Please fix the importer."}]'
    path.write_text(f'{{"type":"user","uuid":"u1","sessionId":"s","message":{{"role":"user","content":{content}}}}}\n', encoding="utf-8")

    assert warnings(made(path)) == ["A piece of line 1 was left out: part 1 has no type."]


def test_messages_that_were_rewound_keep_their_numbers_as_in_a_store(tmp_path: Path) -> None:
    def record(name: str, parent: str | None, role: str, text: str) -> str:
        said = {"role": role, "content": [{"type": "text", "text": text}]}
        return json.dumps({"type": role, "uuid": name, "parentUuid": parent, "sessionId": "s", "message": said})

    path = tmp_path / "session.jsonl"
    talk = [
        record("u1", None, "user", "Please fix the importer."),
        record("a1", "u1", "assistant", "The importer is fixed."),
        record("u2", "a1", "user", "Never deploy on Mondays."),
        record("a2", "u2", "assistant", "Understood."),
        record("u3", "a1", "user", "Never deploy on Fridays."),
    ]
    path.write_text("\n".join(talk) + "\n", encoding="utf-8")
    known = made(path).prepared.knowledge

    assert "Mondays" not in made(path).prepared.text
    assert [(anchor.text, anchor.ref.seq) for anchor in known.anchors] == [("Never deploy on Fridays.", 5)]
    assert (known.through_seq, known.messages) == (5, 5)


@pytest.mark.parametrize("seed", ["1", *(pytest.param(seed, marks=pytest.mark.long) for seed in ("0", "77"))])
def test_hash_seeds_and_locales_change_nothing(tmp_path: Path, seed: str) -> None:
    path = write(tmp_path / "chat.json")
    code = (
        "import sys; from pathlib import Path; from tests.packages.test_oneshot import made;"
        "sys.stdout.buffer.write(made(Path(sys.argv[1])).prepared.text.encode())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C"}
    told = subprocess.run([sys.executable, "-c", code, str(path)], cwd=ROOT, env=environment, capture_output=True, check=True).stdout

    assert told.decode() == made(path).prepared.text


@pytest.mark.skipif(not REAL, reason="no real sessions beside the project")
@pytest.mark.parametrize("path", beyond(2, REAL), ids=lambda path: path.name[:40])
def test_real_sessions_become_handoffs_within_the_budget(path: Path) -> None:
    prepared = from_transcript(path, Options(budget=1500), now=NOW).prepared
    plan = prepared.package.plan

    assert plan.used <= 1500 or plan.exceeded_by_critical
    assert prepared.package.compacted_summary
    assert prepared.report.anchor_preservation_score == 1.0
