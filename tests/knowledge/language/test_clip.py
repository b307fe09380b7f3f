"""Commands shortened for a line: whole words, with what they quote, and a mark for the rest."""

from __future__ import annotations

import pytest

from continuity.knowledge.directive_parser.grammar import CLIP
from continuity.knowledge.language.clip import command_within


def test_it_works() -> None:
    command = "gh api repos/a/shop/pulls/7/comments --paginate | jq 'sort_by([.in_reply_to_id // .id, .created_at]) | group_by(.id)'"
    assert command_within(command, 80) == f"gh api repos/a/shop/pulls/7/comments --paginate | jq {CLIP}"


@pytest.mark.parametrize(
    ("command", "limit", "told"),
    [
        ("make  test\n", 40, "make test"),
        ("go test -v ./cmd/shop/cart -run TestTotalOfCart -count=1", 50, f"go test -v {CLIP} -run TestTotalOfCart {CLIP}"),
        ("go test -v ./cmd/shop/cart -run TestTotalOfCart 2>&1 | tail -3", 40, f"go test -v {CLIP} -run TestTotalOfCart"),
        ('go test ./cart -run "TestTotal|TestRounding|TestDiscount" -v', 40, f"go test ./cart -run {CLIP}"),
        ("pytest tests/cart && git push origin feature/rounding", 30, f"pytest tests/cart && git {CLIP}"),
        ("export KIND=a && .tools/check/harness.sh verify-total", 40, ".tools/check/harness.sh verify-total"),
        (".tools/check/harness.sh one && \\\n.tools/harness.sh two", 40, f".tools/check/harness.sh one {CLIP} two"),
        ("git commit -m 'Round the totals of the cart' && git status", 40, f"git commit -m {CLIP}"),
        ("pytest tests/cart/test_total.py -v 2>&1 | tail -30", 40, "pytest tests/cart/test_total.py -v"),
        ("echo 'an open quote that ends nowhere at all", 30, f"echo 'an open quote that {CLIP}"),
    ],
)
def test_a_command_ends_behind_a_word_and_never_within_quotes_where_something_stands_before_them(
    command: str, limit: int, told: str
) -> None:
    assert command_within(command, limit) == told


@pytest.mark.parametrize("limit", [20, 40, 60, 200])
def test_no_more_is_told_than_finds_room(limit: int) -> None:
    for command in (
        "x" * 300,
        "a " * 150,
        '"' * 300,
        "curl " + "y" * 300,
        "go test -v ./a -run " + "T" * 300,
        "go test -v ./a -run T" + "x" * 25,
    ):
        assert len(command_within(command, limit)) <= limit
