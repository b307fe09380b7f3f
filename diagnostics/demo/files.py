"""Files of the demo's repositories: the same file is the same text whenever somebody reads it, and changes are made in lines of it."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import PurePosixPath

VERBS = ("load", "store", "check", "merge", "close", "send", "plan", "read")
COMMON = ("station", "reading", "alert", "window", "batch", "report")
_NUMBER = re.compile(r"(?<=[= ])[2-9](?=$|[,):; ])")
BLOCKS = (3, 7)  # in a file

_PYTHON = (
    """def {v}_{a}({a}: {A}, *, limit: int = {n}) -> list[{B}]:
    \"\"\"The {b}s of one {a}, the newest first.\"\"\"
    rows = db.fetch_all("SELECT * FROM {b}s WHERE {a}_id = %s ORDER BY at DESC LIMIT %s", ({a}.id, limit))
    return [{B}.from_row(row) for row in rows]
""",
    """def {v}_{b}s(source: Iterable[{B}], known: dict[str, {A}]) -> Iterator[tuple[{A}, {B}]]:
    for {b} in source:
        {a} = known.get({b}.{a}_id)
        if {a} is None:
            log.warning("{b} without a {a}", {b}_id={b}.id)
            continue
        yield {a}, {b}
""",
    """@dataclass(frozen=True, slots=True)
class {A}{B}:
    {a}_id: str
    at: datetime
    value: float | None = None
    tries: int = {n}
""",
    """def {v}_all(now: datetime, *, size: int = {n}0) -> int:
    done = 0
    for {a}s in chunked(due(now), size):
        with db.transaction():
            done += sum({v}_one({a}, now) for {a} in {a}s)
        metrics.count("{b}.{v}", len({a}s))
    return done
""",
    """class {B}Refused(Exception):
    def __init__(self, {a}: str, status: int) -> None:
        super().__init__(f"{{{a}}}: refused with {{status}}")
        self.status = status
""",
)
_TESTS = (
    """def test_{v}_keeps_the_{b}s_of_a_{a}(db):
    {a} = make_{a}(name="Esbjerg", level={n})
    make_{b}({a}, value={n}.5)
    assert [{b}.value for {b} in {v}_{a}({a})] == [{n}.5]
""",
    """@pytest.mark.parametrize("number", [0, 1, {n}])
def test_{b}s_are_{v}ed_once(db, number):
    {a} = make_{a}()
    for at in range(number):
        make_{b}({a}, at=hours_ago(at))
    assert {v}_all(now()) == number
    assert {v}_all(now()) == 0
""",
)
_TYPESCRIPT = (
    """export function {v}{A}({a}: {A}, limit = {n}): {B}[] {{
  return {a}.{b}s
    .filter(({b}) => {b}.at > since({a}))
    .slice(0, limit);
}}
""",
    """async function {v}{B}s(signal: AbortSignal): Promise<{B}[]> {{
  const answer = await fetch(`/api/{b}s?limit={n}`, {{ signal }});
  if (!answer.ok) throw new Error(`{b}s: ${{answer.status}}`);
  return (await answer.json()).items;
}}
""",
    """const {a}Row = ({a}: {A}) => html`
  <li class="{a}" data-id=${{{a}.id}}>
    <b>${{{a}.name}}</b> <span>${{format({a}.{b})}}</span>
  </li>`;
""",
)
_SQL = (
    """CREATE TABLE {a}_{b}s (
    id bigint GENERATED ALWAYS AS IDENTITY,
    {a}_id text NOT NULL REFERENCES {a}s (id),
    at timestamptz NOT NULL DEFAULT now(),
    value double precision
);
""",
    """CREATE INDEX {a}_{b}s_latest ON {a}_{b}s ({a}_id, at DESC);
ALTER TABLE {a}_{b}s SET (autovacuum_vacuum_scale_factor = 0.0{n});
""",
)
_SHELL = (
    """{v}_{b}s() {{
  local target="$1"
  for part in "$target"/*.{a}; do
    [ -s "$part" ] || {{ echo "{b}: $part is empty" >&2; return {n}; }}
  done
}}
""",
    """set -euo pipefail
: "${{{A}_DIR:=/var/lib/tidewatch/{a}s}}"
find "${A}_DIR" -name '*.{b}' -mtime +{n} -print -delete
""",
)
_WORDS = (
    """## {A}s

Each {a} has its {b}s. After {n} of them without a value the {a} counts as silent, and its people are told once.

""",
    """- `{v}_{b}s` runs every {n} minutes and may run twice.
- A {b} without a {a} is left where it is.

""",
)
_KINDS = {".py": _PYTHON, ".ts": _TYPESCRIPT, ".js": _TYPESCRIPT, ".sql": _SQL, ".sh": _SHELL, ".md": _WORDS}


def lines_of(path: str, about: str) -> Sequence[str]:
    """The lines of a file of a piece of work `about` something, which gives it its words."""
    place = PurePosixPath(path)
    rng = random.Random(f"{about}/{path}")
    blocks = _TESTS if place.name.startswith("test_") else _KINDS.get(place.suffix, _WORDS if place.suffix in (".txt", "") else _PYTHON)
    named = re.findall(r"[a-z]{4,9}", place.stem.lower().replace("_", " "))
    nouns = [word.removesuffix("s") for word in named if word != "test"]
    text = []
    for _ in range(rng.randrange(*BLOCKS)):
        a, b = rng.sample(sorted({*nouns[:3], *COMMON}), 2)
        words = {"a": a, "b": b, "A": a.capitalize(), "B": b.capitalize(), "v": rng.choice(VERBS), "n": rng.randrange(2, 9)}
        text.append(rng.choice(blocks).format(**words))
    return "\n".join(text).splitlines()


def change_of(path: str, about: str, rng: random.Random) -> tuple[str, str]:
    """Some lines of the file, and what stands there afterwards."""
    lines = [line for line in lines_of(path, about) if line.strip()]
    at = rng.randrange(max(1, len(lines) - 3))
    before = lines[at : at + rng.randrange(1, 4)]
    number = str(rng.randrange(10, 60))
    after = [_NUMBER.sub(number, line) for line in before]
    indent = before[0][: len(before[0]) - len(before[0].lstrip())]
    comment = {".sql": "--", ".ts": "//", ".js": "//", ".md": ">"}.get(PurePosixPath(path).suffix, "#")
    return "\n".join(before), "\n".join([f"{indent}{comment} {about}", *after])
