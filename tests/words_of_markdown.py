"""Markdown as agents, people and tools write it: every block within every other, lists that count on and on."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase

from hypothesis import strategies as st

WORDS = st.sampled_from(
    [
        "Never push to main.",
        "Use Postgres instead of Redis, because it keeps rows.",
        "I decided to use `orders.id` for the index.",
        "The root cause is a missing index on **orders**.",
        "Should I add it, or wait?",
        "Fix `src/app/cart.ts:10` and test it",
        "FAILED tests/test_a.py::test_b - ValueError: x",
        "I'll deliver it by Friday.",
        "Nearly finished, 3 of 12 steps are done.",
        "Option 10: keep the cookies",
        "https://example.com/a?b=c#d (see [the page](https://example.com))",
        "Ich habe den Fehler gefunden: die Größe war falsch.",
        "全部测试通过。",
        "$ rtk git commit -m 'x' && rm -rf build",
        "²³ ① Ⅷ ١٢ 𝟗 ﬁ ẞ İ",
        "",
    ]
)
_MARKS = [
    *[f"{number}." for number in (*range(13), 99, 100, 101, 999, 1000, 123456789012)],
    *[f"{number})" for number in range(1, 13)],
    *[f"{letter}." for letter in ascii_lowercase + ascii_uppercase],
    *["aa)", "bb)", "zz.", "AB.", "ii)", "iv.", "VIII)", "xx.", "١.", "١٢)", "②", "(3)", "#4", "[5]"],
    *["- [x]", "- [ ]", "* [~]", "-", "*", "+", "•", "–"],
]
_RUNS = st.sampled_from(
    [
        *[[f"{number}{end}" for number in range(1, many)] for many in (3, 12, 105) for end in ".)"],
        [f"{letter}." for letter in ascii_lowercase] + [f"{letter}{letter}." for letter in ascii_lowercase],
        [f"{letter})" for letter in ascii_uppercase],
        ["i.", "ii.", "iii.", "iv.", "v.", "vi.", "vii.", "viii.", "ix.", "x.", "xi."],
        [f"- [{box}]" for box in "xX ~✓-" * 3],
        [f"### {number}." for number in range(1, 14)],
        [f"**Option {mark}:**" for mark in [*"ABCDEFGH", *range(1, 14)]],
    ]
)
_INDENTS = st.sampled_from(["", "  ", "   ", "    ", "\t", "        "])


@st.composite
def _list(draw: st.DrawFn) -> str:
    marks = draw(st.one_of(_RUNS, st.lists(st.sampled_from(_MARKS), min_size=1, max_size=15)))
    indent, words = draw(_INDENTS), draw(st.lists(WORDS, min_size=1, max_size=3))
    nested = draw(st.one_of(st.none(), st.sampled_from(["   a) so\n   b) or so", "    - one\n    - two", "   10. ten\n   11. eleven"])))
    items = [f"{indent}{mark} {words[n % len(words)]}" for n, mark in enumerate(marks)]
    return "\n".join(f"{item}\n{nested}" if nested and n % 4 == 0 else item for n, item in enumerate(items))


@st.composite
def _table(draw: st.DrawFn) -> str:
    columns, rows = draw(st.integers(1, 4)), draw(st.integers(0, 12))
    cells = draw(st.lists(WORDS, min_size=1, max_size=4))
    lines = ["|" + "|".join(f" {cells[(row + column) % len(cells)]} " for column in range(columns)) + "|" for row in range(rows + 1)]
    return "\n".join([lines[0], "|" + "---|" * columns, *lines[1:]])


@st.composite
def _fence(draw: st.DrawFn) -> str:
    mark, language = draw(st.sampled_from(["```", "~~~", "````", "``"])), draw(st.sampled_from(["", "py", "diff", "json", "bash"]))
    inner = draw(st.sampled_from(["x = {1: 2}\n", "+ a\n- b\n@@ -1 +1 @@\n", '{"a": [1, {"b": null}]}', "1. no list\n10. nor this\n", ""]))
    return f"{mark}{language}\n{inner}" + draw(st.sampled_from(["", f"\n{mark}", f"\n{mark * 2}"]))


_HEADING = st.builds(lambda level, words: f"{'#' * level} {words}", st.integers(1, 7), WORDS)
_QUOTE = st.builds(lambda words: "\n".join(f"> {each}" for each in words), st.lists(WORDS, min_size=1, max_size=4))
_TAGGED = st.builds(
    lambda tag, words: f"<{tag}>\n{words}\n</{tag}>",
    st.sampled_from(["bash-stdout", "task-notification", "system-reminder", "user_query", "file", "command-name"]),
    WORDS,
)
_BLOCK = st.one_of(_list(), _table(), _fence(), _HEADING, _QUOTE, _TAGGED, WORDS, st.text(max_size=60))

# A text of a few blocks, from a word to some pages.
MARKDOWN = st.builds("\n\n".join, st.lists(_BLOCK, min_size=1, max_size=6))
