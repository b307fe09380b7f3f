"""Secrets that stand in files (NAME_FILE), as container platforms give them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from config.env import LARGEST_SECRET, BadSetting, Environment

PROJECT = Path(__file__).resolve().parents[3]


def kept(folder: Path, content: bytes) -> Environment:
    path = folder / "secret"
    path.write_bytes(content)
    return Environment({"SMTP_PASS_FILE": str(path)})


def test_it_works(tmp_path: Path) -> None:
    assert kept(tmp_path, b" horse\n").secret("SMTP_PASS") == "horse"
    assert kept(tmp_path, b"one,two\nthree\n").secrets("SMTP_PASS") == ["one", "two", "three"]
    assert Environment({"SMTP_PASS": "horse"}).secret("SMTP_PASS") == "horse"
    assert Environment({}).secret("SMTP_PASS") == ""


@pytest.mark.parametrize("content", [b"", b" \n", b"\xff\xfe", b"x" * (LARGEST_SECRET + 1)], ids=["empty", "blank", "no text", "too long"])
def test_a_file_that_holds_no_secret_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"^SMTP_PASS_FILE: "):
        kept(tmp_path, content).secret("SMTP_PASS")


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"^SMTP_PASS_FILE: .*No such file"):
        Environment({"SMTP_PASS_FILE": str(tmp_path / "none")}).secret("SMTP_PASS")


def test_only_one_of_both_is_given(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="both set"):
        Environment({"SMTP_PASS": "x", "SMTP_PASS_FILE": str(tmp_path)}).secret("SMTP_PASS")


def test_every_secret_may_stand_in_a_file_and_is_told_of() -> None:
    read: set[str] = set()
    plain: set[str] = set()
    for path in (PROJECT / "config").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        read |= set(re.findall(r"\.secrets?\(\"([A-Z_]+)\"", text))
        plain |= set(re.findall(r"\.(?:text|names)\(\"([A-Z_]+)\"", text))
    told = (PROJECT / ".env.example").read_text(encoding="utf-8").split("# --- Where it listens")[0]
    assert read == set(re.findall(r"\b([A-Z]+(?:_[A-Z]+)+)\b(?=[,.])", told))
    looks_secret = {name for name in plain if re.search(r"KEY|PASS|SECRET|TOKEN", name)}
    addresses = {"CONTINUITY_OIDC_TOKEN_URL", "CONTINUITY_OIDC_KEYS_URL"}
    assert looks_secret == {"CONTINUITY_TRUSTED_KEYS", "CONTINUITY_KEY_PREFIX", *addresses}
