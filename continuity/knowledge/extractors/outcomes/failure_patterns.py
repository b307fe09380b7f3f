"""How the runners of checks tell of a failure: what begins one, and what its lines say. Every pattern is tried on single, short lines."""

from __future__ import annotations

import re

_PATH = r"(?:[A-Za-z]:)?[\w@./\\+-]{1,200}\.[A-Za-z]{1,8}"

# A line that begins the account of one failing test.
HEADS = tuple(
    re.compile(pattern)
    for pattern in (
        r"^_{3,} (?:ERROR (?:at \w+ of |collecting ))?(?P<test>\S.{0,200}?) _{3,}$",  # pytest
        r"^(?:FAILED|ERROR) (?P<test>\S+?\.py(?:::\S+)?)(?: - (?P<cause>.+))?$",
        r"^(?:FAIL|ERROR): (?P<test>\w+ \([\w.]+\))",  # unittest
        r"^\s*--- FAIL: (?P<test>\S+)",  # go
        r"^\s*● (?P<test>\S.{0,300})$",  # jest
        r"^\s*(?:×|✗|✕|✘) (?P<test>\S.{0,300}?)(?: \(?\d+\s?ms\)?)?$",
        r"^\s*FAIL\s+(?P<test>\S+ > .{1,300})$",  # vitest
        r"^\s{0,6}\d{1,4}\) (?P<test>\S.{0,300}?):?$",  # mocha, rspec, phpunit, playwright
        r"^\(fail\) (?P<test>.{1,300}?)(?: \[[\d.]+m?s\])?$",  # bun
        r"^\s*not ok \d+ (?:- )?(?P<test>.{1,300})$",  # tap
        r"^---- (?P<test>\S+) stdout ----$",  # cargo
        r"^(?P<test>\S+(?: > .{1,200})+) FAILED$",  # gradle
        r"^\[ERROR\]\s+(?P<test>[\w$.]+\.\w+):\d+ (?P<cause>.+)$",  # maven
    )
)
# A line that begins the account of a test which need not fail.
RUNS = re.compile(r"^=== (?:RUN|CONT|NAME)\s+(?P<test>\S+)")
# What ends the accounts.
ENDS = re.compile(r"^(?:={3,} .* ={3,}|Test Suites:|Tests:|\s*Test Files |failures:$|ok\s+\S|\?\s+\S|PASS$|=== (?:PASS|FAIL))")

# An error with its place, as compilers, linters and type checkers print it.
LOCATED = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^\s*(?P<at>{_PATH}:\d+(?::\d+)?):?(?: -)?\s+(?:fatal )?error(?: (?P<test>TS\d+)|\[(?P<code>E\d+)\])?: ?(?P<cause>\S.*)$",
        rf"^\s*(?P<path>{_PATH})\((?P<line>\d+),\d+\): error (?P<test>TS\d+): (?P<cause>.+)$",
        rf"^(?:vet: )?(?P<at>{_PATH}:\d+:\d+): (?P<test>[A-Z]{{1,4}}\d{{2,4}}) (?:\[\*\] )?(?P<cause>.+)$",
        rf"^(?:vet: )?(?P<at>{_PATH}:\d+(?::\d+)?): (?!warning|note|info)(?P<cause>\S.*?)(?: \((?P<test>[a-z][\w-]+)\))?$",
        rf"^\[ERROR\] (?P<path>{_PATH}):\[(?P<line>\d+),\d+\] (?P<cause>.+)$",
    )
)
ESLINT = re.compile(r"^\s+(?P<line>\d+):\d+\s+error\s+(?P<cause>\S.*?)\s{2,}(?P<test>[@\w/-]+)$")
ESLINT_FILE = re.compile(rf"^(?P<path>/?{_PATH})$")
# A message whose place stands in the next line: rustc, ruff.
MESSAGE = re.compile(r"^(?:error(?:\[(?P<code>E\d+)\])?: |(?P<rule>[A-Z]{1,4}\d{2,4}) (?:\[\*\] )?)(?P<cause>\S.*)$")
ARROW = re.compile(rf"^\s*--> (?P<at>{_PATH}:\d+(?::\d+)?)")

# Places within the account of a test, the most telling first.
PLACES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^\s*Error Trace:\s+(?P<at>{_PATH}:\d+)",
        rf"^(?P<at>{_PATH}:\d+): [A-Z]\w*(?:Error|Exception|Failed)?$",
        rf"^\s*(?:❯|at|#) (?:.{{0,120}}?\()?(?P<at>(?!node:)(?:\./)?{_PATH}:\d+(?::\d+)?)\)?",
        rf"panicked at (?:'.*', )?(?P<at>{_PATH}:\d+(?::\d+)?)",
        rf"^(?P<at>/{_PATH}:\d+)$",
    )
)
PYTHON_PLACE = re.compile(r'^\s*File "(?P<path>[^"\n]{1,300})", line (?P<line>\d+), in ')
NOT_OURS = re.compile(r"node_modules|site-packages|/usr/l|\bnode:|internal/|runtime/|/go/pkg/mod/|/\.cargo/")

_OF = r"(?: (?:value|substring|pattern|string|length|path))?\s*:\s*(?P<value>\S.*)$"
EXPECTED = re.compile(rf"^\s*(?:-\s*)?(?:expected|want(?:ed)?|right){_OF}", re.I)
GOT = re.compile(rf"^\s*(?:\+\s*)?(?:actual|got|received|left|but was){_OF}", re.I)
# A line of a test's log, and what tells that it is more than that.
LOGGED = re.compile(r"^\s+(?P<at>[\w./-]+_test\.go:\d+): (?P<cause>\S.*)$")
TELLING = re.compile(
    r"\b(?:want(?:ed)?|expected|should|must|errors?|fail(?:ed|ure)?|got|unexpected|missing|timeout|invalid)\b|[!=]=|≠", re.I
)
# Both in one line.
BOTH = tuple(
    re.compile(pattern)
    for pattern in (
        r"expected:? ?<(?P<expected>.{1,300}?)> but was:? ?<(?P<got>.{0,300}?)>",
        r"\bgot (?P<got>.{1,200}?)[,;] ?(?:want(?:ed)?|expected) (?P<expected>.{1,200})$",
        r"\b(?:want(?:ed)?|expected) (?P<expected>.{1,200}?)[,;] ?(?:but )?(?:got|received|found) (?P<got>.{1,200})$",
        r"= (?P<got>.{1,200}?)[,;] want(?:ed)? (?P<expected>.{1,200})$",
        r"(?:^|[ :])(?P<got>\S.{0,200}?)[,;] want(?:ed)? (?P<expected>.{1,200})$",
        r"\bexpected (?P<got>.{1,200}?) to (?:deeply |strictly )?(?:be|equal|match|contain|include|have)(?: \w+){0,2}?"
        r" (?P<expected>['\"\d{\[\-].{0,200}?)(?: //.*)?$",
        r"^(?:E\s+)?(?:AssertionError: )?assert (?P<got>.{1,200}?) (?:==|is|in) (?P<expected>.{1,200})$",
        r"^E?\s*AssertionError: (?P<got>.{1,200}?) != (?P<expected>.{1,200})$",
        r"Failed asserting that (?P<got>.{1,200}?) (?:matches|is identical to|equals) (?:expected )?(?P<expected>.{1,200}?)\.?$",
    )
)
# Lines that say why, the most telling first.
CAUSES = tuple(
    re.compile(pattern)
    for pattern in (
        r"^E   +(?P<cause>\S.*)$",
        r"^\s*(?P<cause>(?:[\w.]+(?:Error|Exception|Failure)|panic|fatal error)\b: ?.+)$",
        r"^\s*Error:\s+(?P<cause>\S.*)$",
        r"^\s*Failure/Error: (?P<cause>.+)$",
        r"^(?P<cause>Failed asserting .+)$",
        r"^\s*(?P<cause>(?:assertion|thread) .+(?:failed|panicked).*)$",
        r"^\s*(?:error|ERROR): (?P<cause>.+)$",
        r"^\s*(?P<cause>expect\(.+)$",
    )
)
TIMES = re.compile(r"^(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d[:\d.,]*(?:Z|[+-]\d\d:?\d\d)?\]?|\d\d:\d\d:\d\d[\d.,]*)\s*")
# What a task runner puts before each line of a task.
PREFIX = re.compile(r"^(?:\[[a-z][\w:./@-]{0,40}\] (?!ERROR)|[@\w/-]{1,40}:[a-z][\w:-]{0,30}: |[\w-]{1,30}(?:-\d+)? +\| )")
COLOURS = re.compile(r"\x1b\[[\d;]{0,12}[A-Za-z]")
NOISE = re.compile(r"^\s*(?:\{?\"?(?:level|time)\"?[=:]|\[?(?:DEBUG|INFO|TRACE)\b|(?:debug|info|trace)[: ]|\d+ passing|\S+ ok\b)")
