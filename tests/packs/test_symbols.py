"""What files define, by family of language."""

import time

import pytest

from continuity.repository.limits import DEFAULT
from continuity.repository.symbols import symbols

CASES = {
    "a.go": ("func (s *Store) Save(x int) error {\ntype Store struct {\nconst Limit = 3\n// func no()\n", ["Save", "Store", "Limit"]),
    "a.py": ("class A:\n    async def run(self):\n        pass\nLIMIT = 3\nx = 1\n", ["A", "run", "LIMIT"]),
    "a.ts": (
        "export class A {\n  async load(id: string): Promise<void> {\n  if (x) {\nexport const f = () => 1\ninterface I {\n",
        ["A", "load", "f", "I"],
    ),
    "a.rs": ("pub struct S;\n    pub(crate) fn go() {}\n", ["S", "go"]),
    "A.java": ("public final class A {\n    private static int sum(int a) {\n        return sum(a);\n", ["A", "sum"]),
    "a.rb": ("module M\n  def self.call\n", ["M", "call"]),
    "a.sh": ("build() {\nexport HOME_DIR=/x\n", ["build", "HOME_DIR"]),
    "a.md": ("# Title\n```\n# no title\n```\n## Part\n", ["Title", "Part"]),
    "a.yml": ("jobs:\n  x: 1\non: push\n", ["jobs", "on"]),
    "a.toml": ("[tool.ruff]\nx = 1\n", ["tool.ruff"]),
    "a.sql": ("CREATE TABLE users (id int);\n", ["users"]),
    "a.unknown": ("def f():\n", []),
}


@pytest.mark.parametrize("path", CASES)
def test_it_works(path):
    text, names = CASES[path]
    assert [symbol.name for symbol in symbols(path, text)] == names


def test_a_signature_holds_no_value():
    text = 'def connect(password="hunter2", *, key=\'abc\'):\nAPI_TOKEN = "sk-123"\n'
    told = " ".join(symbol.signature for symbol in symbols("a.py", text))
    assert "def connect(password" in told and not {"hunter2", "abc", "sk-123"} & set(told.replace('"', " ").split())
    assert all(secret not in told for secret in ("hunter2", "'abc'", "sk-123"))
    assert [symbol.signature for symbol in symbols("a.sh", "API_KEY=sk-123\n")] == [""]


def test_lines_count_from_one():
    assert [(symbol.name, symbol.line) for symbol in symbols("a.py", "\n\ndef f():\n")] == [("f", 3)]


@pytest.mark.parametrize("piece", ["func (", "class ", "public static ", "a<b,", "export default async ", "    def ", '"x": [', "const "])
@pytest.mark.parametrize("path", ["a.go", "a.py", "a.ts", "a.java", "a.rs", "a.json"])
def test_long_hostile_text_is_read_to_its_end(path, piece):
    """The largest file that is read, all of one piece; the bound is a guard against hanging: a quadratic reading takes minutes."""
    text = piece * (DEFAULT.file_bytes // len(piece))
    begun = time.process_time()
    symbols(path, text)
    symbols(path, text.replace(" ", "\n"))
    assert time.process_time() - begun < 60
