"""Files that scripts on the command line write."""

from __future__ import annotations

import pytest

from continuity.knowledge.extractors.shell.python_scripts import written
from tests.knowledge.talk import distil, person, ran


def test_it_works() -> None:
    assert written("open('a.go', 'w').write('x')") == ["a.go"]


@pytest.mark.parametrize(
    ("script", "paths"),
    [
        ("open('a.go', 'w').write(s)", ["a.go"]),
        ('with open("a.go", mode="a") as f:\n    f.write(s)', ["a.go"]),
        ("p = '.github/lint.yml'\ns = open(p).read()\nopen(p, 'w').write(s)", [".github/lint.yml"]),
        ("from pathlib import Path\np = Path('a.py')\np.write_text(p.read_text())\nPath('b.py').write_bytes(b'')", ["a.py", "b.py"]),
        ("def put(path, new):\n    open(path, 'w').write(new)\n\nput('a.go', 1)\nput('b.go', 2)", ["a.go", "b.go"]),
        ("for name in ['a.go', 'b.go']:\n    open(name, 'r+').write('')", ["a.go", "b.go"]),
        ("open('a.go').read()\nopen('b.go', 'rb')\nprint(\"open('c.go')\")", []),
        ("open(sys.argv[1], 'w')", []),
    ],
)
def test_what_a_script_opens_for_writing(script: str, paths: list[str]) -> None:
    assert written(script) == paths


def test_a_script_behind_an_interpreter_changes_files() -> None:
    told = distil(
        person("Name the roles"),
        *ran("python3 - <<'EOF'\ns = open('shop/types.go').read()\nopen('shop/types.go', 'w').write(s)\nEOF", call_id="c1"),
        *ran("python3 -c \"open('shop/late.go','w').write('')\"", call_id="c2"),
        *ran("python3 -c \"print(open('shop/seen.go').read())\"", call_id="c3"),
    )
    assert told.paths() == {"shop/types.go": "modified", "shop/late.go": "modified"}


def test_reading_many_scripts_takes_time_in_proportion_to_their_length() -> None:
    assert written("open(" * 4000 + "a = '" * 4000) == []
