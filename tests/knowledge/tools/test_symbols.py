"""The names that edits define, in the languages and forms in which tools edit."""

from __future__ import annotations

from typing import Any

import pytest

from continuity.knowledge.extractors.tools.symbols import NAMES, added, by_diff, defined
from tests.knowledge.talk import call, distil, ran, result

PATCH = """*** Begin Patch
*** Update File: cart.py
*** Move to: basket.py
@@
-def total():
+def grand_total():
*** Add File: cart.ts
+export const total = (a: number) => a
+export class Cart {
*** End Patch
"""
UNIFIED = (
    "--- a/cart.py\n+++ b/cart.py\n@@ -1 +1,2 @@\n-def old():\n+def fresh():\n def same():\n"
    "--- /dev/null\n+++ b/tax.py\n@@ -0,0 +1 @@\n+TAX_RATE = 7\n"
)
BLOCKS = "<<<<<<< SEARCH\n:start_line:3\n-------\ndef old():\n=======\ndef old():\ndef fresh():\n>>>>>>> REPLACE\n"


def test_it_works() -> None:
    assert defined("class Cart(Base):\n    def total(self):\n") == ("Cart", "total")


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("async def fetch_all(a,\n", ("fetch_all",)),
        ("MAX_RETRIES: int = 3\nif MAX_RETRIES == 3:\nOTHER_NAME == 3\n", ("MAX_RETRIES",)),
        ("export default async function handler() {", ("handler",)),
        ("export const useCart = () => {\nconst total: (a: number) => number = (a) => a\nlet x = 3", ("useCart", "total")),
        ("export const API_URL = 'x'", ("API_URL",)),
        ("export interface Props {\nexport type Cart = {\nexport abstract class Base<T> {", ("Props", "Cart", "Base")),
        ("type Cart struct {\nfunc (c *Cart) Total() int {\nfunc Map[T any](x T) {}", ("Cart", "Total", "Map")),
        ("pub(crate) async fn run() {}\npub struct Cart<T> {\npub const MAX_SIZE: usize = 3;", ("run", "Cart", "MAX_SIZE")),
        ("data class Cart(val x: Int)\nsealed interface Shape\nenum class Color {", ("Cart", "Shape", "Color")),
        ("class Cart < Base\r\n  def self.total\r\n", ("Cart", "total")),
        ("CREATE TABLE public.orders (\ncreate unique index if not exists idx_orders ON orders (id);", ("orders", "idx_orders")),
        ('CREATE OR REPLACE FUNCTION total_of(a int)\nCREATE VIEW "sales" AS', ("total_of", "sales")),
    ],
)
def test_definitions_of_many_languages(code: str, names: tuple[str, ...]) -> None:
    assert defined(code) == names


@pytest.mark.parametrize(
    "prose",
    [
        "class name is what the struct that holds it has",
        "module documentation lives here",
        "function calls are slow",
        "  record of what happened",
        "# class Cart",
        "// function total()",
        '<div class="cart">',
        "Create table of contents first",
        "type safety matters",
    ],
)
def test_prose_defines_nothing(prose: str) -> None:
    assert defined(prose) == ()


def test_only_what_is_new_is_told_and_no_more_than_some() -> None:
    assert added("def a_one(): 1", "def a_one(): 2\ndef b_two(): 3") == ("b_two",)
    assert len(added("", "".join(f"def name_{i}():\n" for i in range(99)))) == NAMES


def test_diffs_are_read_by_their_sides() -> None:
    assert by_diff(UNIFIED) == ("fresh", "TAX_RATE")
    assert by_diff(BLOCKS) == ("fresh",)
    assert by_diff("no diff at all") == ()


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("Write", {"file_path": "a.py", "content": "def one():\n"}, {"a.py": ("one",)}),
        ("Edit", {"file_path": "a.go", "old_string": "x", "new_string": "func New() {}"}, {"a.go": ("New",)}),
        ("MultiEdit", {"file_path": "a.py", "edits": [{"old_string": "x", "new_string": "def two():"}, 7]}, {"a.py": ("two",)}),
        ("str_replace_editor", {"command": "create", "path": "a.rs", "file_text": "fn run() {"}, {"a.rs": ("run",)}),
        ("replace_in_file", {"path": "a.py", "diff": BLOCKS}, {"a.py": ("fresh",)}),
        ("apply_patch", {"input": PATCH}, {"basket.py": ("grand_total",), "cart.ts": ("total", "Cart")}),
        ("apply_patch", {"patch": UNIFIED}, {"cart.py": ("fresh",), "tax.py": ("TAX_RATE",)}),
        ("Read", {"file_path": "a.py"}, {"a.py": ()}),
    ],
)
def test_tools_of_every_kind(name: str, arguments: dict[str, Any], told: dict[str, tuple[str, ...]]) -> None:
    done = distil(call(name, **arguments), result("ok"))
    assert {file.path: file.symbols for file in done.knowledge.files} == told


def test_shell_documents_define_too() -> None:
    done = distil(ran("cat > a.py <<'EOF'\ndef one():\n    pass\nEOF"), ran(f"git apply <<'EOF'\n{UNIFIED}EOF"))
    assert {f.path: f.symbols for f in done.knowledge.files} == {"a.py": ("one",), "cart.py": ("fresh",), "tax.py": ("TAX_RATE",)}


def test_later_edits_add_their_names() -> None:
    done = distil(
        *(m for i in range(30) for m in (call("Edit", f"c{i}", file_path="a.py", new_string=f"def n_{i}():"), result("", f"c{i}")))
    )
    assert done.knowledge.files[0].symbols == tuple(f"n_{i}" for i in range(14, 30))


@pytest.mark.parametrize(
    "unit", ["a", "A_", "export ", "export\n", "public ", "const a:", "type a ", " ", "\t", "CREATE ", "+\n", "-\n", "<"]
)
def test_hostile_texts_end(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    assert len(defined(text)) <= 1
    assert len(by_diff(text)) <= 1
    assert len(by_diff("<<<<<<< SEARCH\n" * 5000 + text)) <= 1


def test_a_name_that_an_edit_removes_is_told_no_longer() -> None:
    made = call("Write", "c1", file_path="a.py", content="class Usage:\n    pass\ndef total():\n    pass\n"), result("ok", "c1")
    gone = call("Edit", "c2", file_path="a.py", old_string="class Usage:\n    pass\n", new_string=""), result("ok", "c2")
    kept = call("Edit", "c3", file_path="a.py", old_string="def total():", new_string="def total(rows):"), result("ok", "c3")
    [file, *_] = distil(*made, *gone, *kept).knowledge.files
    assert "Usage" not in file.symbols
    assert "total" in {name for each in distil(*made, *gone, *kept).knowledge.files for name in each.symbols}
