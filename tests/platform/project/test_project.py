"""What the project promises about its own files."""

from __future__ import annotations

import ast
import re
import statistics
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from django.conf import settings

PROJECT = Path(__file__).resolve().parents[3]
OURS = ("config", "continuity", "diagnostics", "handoffs", "static", "templates", "tests")
MODULES = 20  # in one folder: more is a list that nobody reads
CEILINGS = {".py": 400, ".html": 120, ".svg": 120}
TEST_CEILING = 250
NOT_WRITTEN_BY_HAND = ("migrations", "__pycache__", "vendor")
VAGUE = {"utils", "util", "helpers", "helper", "common", "managers", "misc"}


def files(*suffixes: str) -> list[Path]:
    found = [path for top in OURS for path in (PROJECT / top).rglob("*") if path.suffix in suffixes and path.is_file()]
    return [path for path in found if not set(NOT_WRITTEN_BY_HAND) & set(path.relative_to(PROJECT).parts)]


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_it_works() -> None:
    assert PROJECT / "config" / "settings.py" in files(".py")


def test_no_file_exceeds_its_ceiling() -> None:
    def ceiling(path: Path) -> int:
        return TEST_CEILING if path.is_relative_to(PROJECT / "tests") else CEILINGS[path.suffix]

    too_long = {str(path.relative_to(PROJECT)): lines(path) for path in files(*CEILINGS) if lines(path) > ceiling(path)}
    assert too_long == {}


@pytest.mark.parametrize(("suffix", "most"), [(".css", 700), (".js", 400)])
def test_styles_and_scripts_of_our_own_stay_few(suffix: str, most: int) -> None:
    ours = [path for path in files(suffix) if path.is_relative_to(PROJECT / "static")]
    assert 0 < sum(map(lines, ours)) <= most


def test_no_folder_has_too_many_modules() -> None:
    folders = Counter(str(path.parent.relative_to(PROJECT)) for path in files(".py") if path.name != "__init__.py")
    assert {folder: number for folder, number in folders.items() if number > MODULES} == {}


def test_files_are_small_on_the_whole() -> None:
    lengths = sorted(lines(path) for path in files(".py") if not path.is_relative_to(PROJECT / "tests") and lines(path))
    assert lengths[int(len(lengths) * 0.9)] <= 170
    assert statistics.median(lengths) <= 90


def test_no_module_has_a_vague_name() -> None:
    assert [str(path.relative_to(PROJECT)) for path in files(".py") if path.stem in VAGUE] == []


def test_first_test_of_each_file_is_it_works() -> None:
    wrong = []
    for path in files(".py"):
        if path.name.startswith("test_") and path.is_relative_to(PROJECT / "tests"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            tests = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
            if tests[:1] != ["test_it_works"]:
                wrong.append(str(path.relative_to(PROJECT)))
    assert wrong == []


def test_version_is_one() -> None:
    declared = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert declared == settings.CONTINUITY_VERSION


def test_every_variable_that_is_read_is_documented() -> None:
    documented = set(re.findall(r"^#? ?([A-Z][A-Z0-9_]+)=", (PROJECT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE))
    read: set[str] = set()
    for path in (PROJECT / "config").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        read |= set(re.findall(r"""(?:env|settings|process_environment\(PROJECT\))\.\w+\(\s*"([A-Z][A-Z0-9_]+)\"""", text))
    assert read - documented - {"CONTINUITY_DB_POOL"} == set()
    assert len(read) > 30


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_lock_has_hashes_and_no_addresses(name: str) -> None:
    text = (PROJECT / name).read_text(encoding="utf-8")
    assert "--hash=sha256:" in text
    assert not re.search(r"(--(extra-)?index-url|--find-links|https?://)", text)


def test_what_the_server_needs_is_in_its_lock() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[^A-Za-z0-9_.-]", each)[0].lower().replace("_", "-") for each in project["dependencies"]}
    locked = re.findall(r"^([a-z0-9_.-]+)(?:\[[^\]]*\])?==", (PROJECT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert needed - set(locked) == set()


def test_a_class_name_stands_for_one_thing() -> None:
    """But for models and their pure twins: plain values of the same thing."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in files(".py"):
        if not path.is_relative_to(PROJECT / "tests") and "commands" not in path.parts:
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(str(path.relative_to(PROJECT)))
    twice = {name: found for name, found in places.items() if len(found) > 1 and not any("/models/" in each for each in found)}
    assert twice == {}
