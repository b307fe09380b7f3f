"""Failures of checks as typed lines: test, place, expected, got, cause."""

from __future__ import annotations

import time

import pytest

from continuity.knowledge.evidence import Failure
from continuity.knowledge.extractors.outcomes.failures import read
from tests.knowledge.talk import call, distil, person, ran, result

PYTEST = """
____________________________ test_total[eur] _____________________________
    def test_total(currency):
>       assert total([1, 2]) == 4
E       assert 3 == 4
E        +  where 3 = total([1, 2])

tests/test_cart.py:12: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total[eur] - assert 3 == 4
1 failed, 5 passed in 0.10s"""
GO = """=== RUN   TestTotal
    cart_test.go:10: starting
    cart_test.go:31: Total() = 3, want 4
--- FAIL: TestTotal (0.00s)
FAIL"""
TESTIFY = """--- FAIL: TestTotal (0.00s)
        \tError Trace:\t/home/ada/shop/cart_test.go:12
        \tError:      \tNot equal:
        \t            \texpected: 4
        \t            \tactual  : 3
FAIL"""
JEST = """FAIL src/cart.test.ts
  ● cart › adds up

    expect(received).toBe(expected) // Object.is equality

    Expected: 4
    Received: 3

      at Object.<anonymous> (src/cart.test.ts:12:25)
      at node_modules/jest-circus/build/run.js:1:1

Tests:       1 failed, 3 passed, 4 total"""
VITEST = """ FAIL  src/cart.test.ts > cart > adds up
AssertionError: expected 3 to be 4 // Object.is equality
 ❯ src/cart.test.ts:12:25
 Test Files  1 failed (1)"""
MOCHA = """  1) cart adds up:
     AssertionError: expected 3 to equal 4
      at Context.<anonymous> (test/cart.js:12:25)"""
CARGO = """---- cart::tests::adds_up stdout ----
thread 'cart::tests::adds_up' panicked at src/cart.rs:31:9:
assertion `left == right` failed: the total
  left: 3
 right: 4
failures:"""
BUN = """error: expect(received).toBe(expected)
Expected: 4
Received: 3
      at <anonymous> (/home/ada/shop/src/cart.test.ts:12:25)
(fail) cart > adds up [0.41ms]"""
RSPEC = """  1) Cart adds up
     Failure/Error: expect(cart.total).to eq(4)
       expected: 4
            got: 3
     # ./spec/cart_spec.rb:12:in `block'"""
PHPUNIT = """1) CartTest::testAddsUp
Failed asserting that 3 matches expected 4.
/home/ada/shop/tests/CartTest.php:12"""
UNITTEST = """FAIL: test_total (tests.CartTest)
Traceback (most recent call last):
  File "/home/ada/shop/tests/test_cart.py", line 12, in test_total
    self.assertEqual(total, 4)
AssertionError: 3 != 4"""
MAVEN = "[ERROR]   CartTest.addsUp:12 expected:<4> but was:<3>"
GRADLE = """CartTest > addsUp FAILED
    org.opentest4j.AssertionFailedError: expected: <4> but was: <3>
        at CartTest.java:12"""


@pytest.mark.parametrize(("text", "test", "at"), [
    (PYTEST, "tests/test_cart.py::test_total[eur]", "tests/test_cart.py:12"), (GO, "TestTotal", "cart_test.go:31"),
    (TESTIFY, "TestTotal", "/home/ada/shop/cart_test.go:12"), (JEST, "cart › adds up", "src/cart.test.ts:12:25"),
    (VITEST, "src/cart.test.ts > cart > adds up", "src/cart.test.ts:12:25"), (MOCHA, "cart adds up", "test/cart.js:12:25"),
    (CARGO, "cart::tests::adds_up", "src/cart.rs:31:9"), (BUN, "cart > adds up", "/home/ada/shop/src/cart.test.ts:12:25"),
    (RSPEC, "Cart adds up", "./spec/cart_spec.rb:12"), (PHPUNIT, "CartTest::testAddsUp", "/home/ada/shop/tests/CartTest.php:12"),
    (UNITTEST, "test_total (tests.CartTest)", "/home/ada/shop/tests/test_cart.py:12"), (MAVEN, "CartTest.addsUp", ""),
    (GRADLE, "CartTest > addsUp", "CartTest.java:12"),
])  # fmt: skip
def test_it_works(text: str, test: str, at: str) -> None:
    found = read(text)
    assert [(each.test, each.at, each.expected, each.got) for each in found] == [(test, at, "4", "3")]
    assert found[0].cause or found[0].expected


@pytest.mark.parametrize(("text", "test", "at", "cause"), [
    ("./cart.go:12:5: undefined: json", "", "./cart.go:12:5", "undefined: json"),
    ("src/cart.ts(12,5): error TS2322: Type 'string' is wrong.", "TS2322", "src/cart.ts:12", "Type 'string' is wrong."),
    ("src/cart.ts:12:5 - error TS2322: Type 'string' is wrong.", "TS2322", "src/cart.ts:12:5", "Type 'string' is wrong."),
    ("src/cart.py:12: error: Incompatible types  [assignment]", "", "src/cart.py:12", "Incompatible types  [assignment]"),
    ("src/cart.py:1:8: F401 [*] `os` imported but unused", "F401", "src/cart.py:1:8", "`os` imported but unused"),
    ("F401 [*] `os` imported but unused\n --> src/cart.py:1:8", "F401", "src/cart.py:1:8", "`os` imported but unused"),
    ("error[E0308]: mismatched types\n  --> src/cart.rs:12:9", "E0308", "src/cart.rs:12:9", "mismatched types"),
    ("/ada/src/cart.ts\n  12:5  error  'x' is never used  no-unused-vars", "no-unused-vars", "/ada/src/cart.ts:12", "'x' is never used"),
    ("cart.go:12:5: Error return value is not checked (errcheck)", "errcheck", "cart.go:12:5", "Error return value is not checked"),
    ("[ERROR] /home/ada/Cart.java:[12,5] cannot find symbol", "", "/home/ada/Cart.java:12", "cannot find symbol"),
    ("[lint] cart.go:12:5: unused (unused)", "unused", "cart.go:12:5", "unused"),
    ("make: *** [Makefile:3: all] Error 1", "", "", "make: *** [Makefile:3: all] Error 1"),
])  # fmt: skip
def test_linters_and_compilers(text: str, test: str, at: str, cause: str) -> None:
    assert [(each.test, each.at, " ".join(each.cause.split())) for each in read(text)] == [(test, at, " ".join(cause.split()))]


def test_logs_colours_and_passing_tests_are_left_out() -> None:
    log = "2026-01-02T10:00:00Z level=info msg=x\n\x1b[31m--- FAIL: TestTotal (0.00s)\x1b[0m\n"
    text = f"{log}    cart_test.go:3: got 1, want 2\n--- PASS: TestTax\n"
    assert read(text) == [Failure("", 0, "TestTotal", "cart_test.go:3", "2", "1", "got 1, want 2")]


def test_a_parent_that_only_contains_the_failing_test_is_left_out() -> None:
    text = "--- FAIL: TestTotal (0.00s)\n    --- FAIL: TestTotal/eur (0.00s)\n        cart_test.go:3: got 1, want 2\n"
    assert [each.test for each in read(text)] == ["TestTotal/eur"]


def failures(*messages: object) -> list[tuple[str, bool]]:
    return [(each.test, each.stale) for each in distil(person("Fix it."), *messages).knowledge.situation.failures]  # type: ignore[arg-type]


def test_a_change_makes_them_stale_and_a_pass_clears_them() -> None:
    failing = ran("pytest -q tests/test_cart.py", PYTEST, 1)
    edit = call("Edit", "e1", file_path="cart.py", old_string="a", new_string="b"), result("ok", "e1")
    named = "tests/test_cart.py::test_total[eur]"
    assert failures(failing) == [(named, False)]
    assert failures(failing, edit) == [(named, True)]
    assert failures(failing, edit, ran("pytest -q tests/test_cart.py", "6 passed")) == []
    assert failures(failing, edit, ran("pytest -q", "6 passed")) == []
    assert failures(failing, edit, ran("pytest tests/test_tax.py", "6 passed")) == [(named, True)]
    assert failures(failing, edit, ran("ruff check .", "All checks passed!")) == [(named, True)]


def test_they_are_bounded_and_linear() -> None:
    started = time.perf_counter()
    for text in (
        "a" * 300_000,
        "a.b/" * 80_000,
        "--- FAIL: " * 30_000,
        "\n".join("x.py:1: error " * 9 for _ in range(4000)),
        "(at " * 70_000,
    ):
        assert len(read(text)) <= 5
    many = read("\n".join(f"--- FAIL: Test{n} (0s)\n    x_test.go:{n}: {'got ' * 400}" for n in range(400)))
    assert len(many) == 5
    assert all(sum(map(len, (f.test, f.at, f.expected, f.got, f.cause))) <= 600 for f in many)
    assert time.perf_counter() - started < 5


def test_a_short_output_tells_at_its_place_what_went_wrong() -> None:
    quiet = (
        ">       assert total([1, 2]) == 4\nE       AssertionError: assert 3 == 4\ntests/test_cart.py:8: AssertionError\n1 failed in 0.9s"
    )
    (failure,) = read(quiet)
    assert (failure.at, failure.expected, failure.got) == ("tests/test_cart.py:8", "4", "3")
    assert failure.cause == "AssertionError: assert 3 == 4"


def test_a_cause_that_leads_in_is_told_with_the_line_below_it() -> None:
    (failure,) = read(
        "--- FAIL: TestTrailer (0.40s)\n    work_test.go:7: Commit made\n    work_test.go:12: could not find an id in the commit message:\n"
        "        Initialize the branch of data\n        \n        This branch stores data.\nFAIL"
    )
    assert failure.cause == "could not find an id in the commit message: Initialize the branch of data"
    (compared,) = read("--- FAIL: TestSum (0.40s)\n    sum_test.go:12: Not equal:\n        expected: 4\n        actual  : 3 of them\nFAIL")
    assert (compared.cause, compared.expected) == ("Not equal:", "4")


def test_a_cause_that_leads_in_takes_the_next_line_along() -> None:
    said = "--- FAIL: TestTotal (0.00s)\n    cart_test.go:12: no total in:\n        an empty cart\n        of the shop\nFAIL"
    assert read(said)[0].cause == "no total in: an empty cart"
