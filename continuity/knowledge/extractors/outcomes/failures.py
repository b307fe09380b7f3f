"""Failures of a check as typed lines: the test, where, what was expected and got, why. Any common runner, linter or compiler."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from continuity.knowledge.anchors.keys import digest
from continuity.knowledge.evidence import Failure
from continuity.knowledge.extractors.outcomes import failure_patterns as known
from continuity.knowledge.extractors.shell.parser import Simple, name_of
from continuity.knowledge.extractors.tools.errors import base_of, key_line
from continuity.knowledge.extractors.tools.verification import TEST
from continuity.knowledge.language.clip import one_line
from continuity.knowledge.model import CommandRun
from continuity.knowledge.state.step import FoldStep

HEAD, TAIL = 4_000, 12_000  # characters read of an output, at its two ends
LINES = 360
LINE = 320
KEPT = 5  # failures of one check
CHECK, TEST_NAME, PLACE, VALUE, CAUSE = 120, 110, 90, 110, 160  # characters; at most 600 in all

_FILTERED = re.compile(r"\s-{1,2}(?:k|t|run|-?grep|filter|test|only|m)\b|::|\s\S+\.(?:py|go|rb|php|[jt]sx?)\b")
_RUNNERS = frozenset(
    ("mise", "make", "just", "task", "npm", "pnpm", "yarn", "bun", "turbo", "nx", "gradle", "gradlew", "mvn", "tox", "nox")
)
_EXPRESSION = re.compile(r"^\s*(?:>|E\b|expect|assert)")


@dataclass(slots=True)
class _Account:
    """What was read of one failure so far."""

    test: str = ""
    at: str = ""
    expected: str = ""
    got: str = ""
    cause: str = ""
    rank: int = 99  # of the pattern that told the cause
    fails: bool = False
    side: str = ""  # whose value the next line tells

    def says(self) -> bool:
        return bool(self.at or self.expected or self.got or self.cause)


def read(text: str) -> list[Failure]:
    """The failures that an output tells of, without the command and place: tests first, else errors with places, else its key line."""
    lines = list(_lines(text))
    found = _of_tests(lines) or _of_places(lines)
    if not found and (span := key_line(text)):
        found = [_Account(cause=text[span[0] : span[1]])]
    return [_typed(each) for each in found[:KEPT]]


def failed(step: FoldStep, run: CommandRun, text: str) -> None:
    """A check failed: its failures take the place of those that it had."""
    failures, key = step.state.failures, _key(run.command)
    _forget(step, key)
    for number, each in enumerate(read(text)):
        failures.put(f"{key}#{number}", replace(each, check=one_line(run.command, CHECK), seq=step.seq))


def passed(step: FoldStep, run: CommandRun, commands: list[Simple], rank: int, text: str) -> None:
    """A check passed: its failures are over, those of a part of it too, and those of tests that it names."""
    failures = step.state.failures
    if not len(failures):
        return
    key, base = _key(run.command), base_of(commands)
    whole = rank == TEST and not _FILTERED.search(run.command)
    by_runner = whole and base.split(" ")[0] in _RUNNERS
    for name, each in failures.items():
        same = name.partition("#")[0] == key
        test = each.test.rsplit("/", 1)[-1].rsplit("::", 1)[-1]
        named = len(test) > 5 and (test in run.command or f"PASS: {each.test}" in text)
        covers = whole and bool(_is_test(each)) and (by_runner or each.check.split(" ")[:2] == run.command.split(" ")[:2])
        if same or named or covers:
            failures.pop(name)


def _is_test(failure: Failure) -> bool:
    return bool(failure.test) and re.search(r"\btests?\b|\bspec|jest|vitest|mocha|tox|nox", failure.check) is not None


def _key(command: str) -> str:
    return digest(name_of(command))


def _forget(step: FoldStep, key: str) -> None:
    for name in [name for name in step.state.failures if name.partition("#")[0] == key]:
        step.state.failures.pop(name)


def _lines(text: str) -> Iterator[str]:
    """The lines of both ends of an output without colours, times of a day and logs."""
    window = text if len(text) <= HEAD + TAIL else f"{text[:HEAD]}\n{text[-TAIL:]}"
    if "\x1b" in window:
        window = known.COLOURS.sub("", window)
    lines = window.splitlines()
    for line in lines[:LINES] if len(lines) <= LINES else [*lines[: LINES // 4], *lines[-LINES * 3 // 4 :]]:
        plain = known.PREFIX.sub("", known.TIMES.sub("", line[:LINE])).rstrip()
        if plain and not known.NOISE.match(plain):
            yield plain


def _of_tests(lines: list[str]) -> list[_Account]:
    """The accounts of failing tests, in order. Some runners tell what went wrong before they name the test."""
    accounts: dict[str, _Account] = {}
    current = loose = _Account()
    for line in lines:
        if head := next((match for pattern in known.HEADS if (match := pattern.match(line))), None):
            test = " ".join(head["test"].split())
            account = accounts.setdefault(_bare(test), _Account(test))
            account.test = max(account.test, test, key=len) if "::" in test else account.test
            account.fails = True
            if loose.says() and not account.says() and current is loose:
                loose.test, loose.fails = account.test, True
                accounts[_bare(test)] = account = loose
            account.cause = account.cause or head.groupdict().get("cause") or ""
            _compare(account, account.cause)
            current, loose = account, _Account()
        elif run := known.RUNS.match(line):
            current = accounts.setdefault(_bare(run["test"]), _Account(run["test"]))
        elif known.ENDS.match(line):
            current = loose = _Account()
        else:
            _read(current, line)
    failing = [each for each in accounts.values() if each.fails]
    named = [each.test for each in failing]
    return sorted(
        (each for each in failing if each.says() or not any(test.startswith(f"{each.test}/") for test in named)),
        key=lambda each: not each.says(),
    )


def _bare(test: str) -> str:
    """By what two lines name the same test."""
    return test.split("[")[0].rsplit("::", 1)[-1].rsplit(".", 1)[-1] if "::" in test or " " not in test else test


def _read(account: _Account, line: str) -> None:
    """What one line of an account says; one below a cause that only leads in to it, "no id in the message:", belongs to that."""
    if account.cause.endswith(":") and not account.side and _says_more(line):
        account.cause = f"{account.cause} {line.strip()}"
        return
    logged = known.LOGGED.match(line)
    if logged and "Error Trace" not in line and not (account.at and account.cause and known.TELLING.search(account.cause)):
        account.at, account.cause = logged["at"], logged["cause"]
    if account.side and line.strip():
        _set(account, account.side, line)
        account.side = ""
    if not _compare(account, logged["cause"] if logged else line):
        if match := known.EXPECTED.match(line):
            account.expected = account.expected or match["value"]
        elif match := known.GOT.match(line):
            account.got = account.got or match["value"]
        elif not account.expected and (value := line.strip().lower()) in ("expected:", "expected", "want:"):
            account.side = "expected" if value.endswith(":") else ""
        elif not account.got and line.strip().lower() in ("received:", "actual:", "got:"):
            account.side = "got"
    if not account.at:
        place = next((match for pattern in known.PLACES if (match := pattern.search(line))), None)
        if place is not None and not known.NOT_OURS.search(line):
            account.at = place["at"]
    if (frame := known.PYTHON_PLACE.match(line)) and not known.NOT_OURS.search(frame["path"]):
        account.at = f"{frame['path']}:{frame['line']}"  # the last frame is where it broke
    for rank, pattern in enumerate(known.CAUSES[: account.rank]):
        if match := pattern.match(line):
            account.cause, account.rank = match["cause"], rank
            break


def _says_more(line: str) -> bool:
    """Whether a line goes on what the one above it leads in to: it tells neither a place, nor what was expected and got."""
    plain = line.strip().lower().rstrip(":")
    patterns = (known.LOGGED, known.EXPECTED, known.GOT, *known.PLACES, *known.BOTH, *known.CAUSES)
    told = plain in ("expected", "want", "received", "actual", "got") or any(pattern.search(line) for pattern in patterns)
    return line[:1].isspace() and plain.count(" ") > 0 and not told


def _compare(account: _Account, words: str) -> bool:
    """Take what was expected and got from words that tell both."""
    match = next((match for pattern in known.BOTH if (match := pattern.search(words))), None) if not account.expected else None
    if match is not None:
        account.expected, account.got = match["expected"].strip(), match["got"].strip()
    return match is not None


def _set(account: _Account, side: str, line: str) -> None:
    value = line.strip().lstrip("+-").strip()
    if side == "expected":
        account.expected = value
    else:
        account.got = value


_SAYS_WHY = re.compile(r"E {2,}\S")  # as pytest marks what went wrong
_KIND = re.compile(r"\w*(?:Error|Exception)")


def _of_places(lines: list[str]) -> list[_Account]:
    """Errors with their places, each place once. Where a place has but the kind of an error, the lines above it say what went wrong."""
    found: dict[str, _Account] = {}
    file, message, above = "", None, _Account()
    for line in lines:
        if _SAYS_WHY.match(line):
            _read(above, line)
            continue
        located = next((match for pattern in known.LOCATED if (match := pattern.match(line))), None)
        groups = located.groupdict() if located else {}
        if located:
            at = groups.get("at") or f"{groups['path']}:{groups['line']}"
            account = _Account(groups.get("test") or groups.get("code") or "", at, cause=groups["cause"])
            if _KIND.fullmatch(account.cause) and above.says():
                account.cause, account.expected, account.got = above.cause or account.cause, above.expected, above.got
            found.setdefault(f"{at} {groups['cause'][:60]}", account)
            above = _Account()
        elif shown := known.ESLINT_FILE.match(line):
            file = shown["path"]
        elif (hit := known.ESLINT.match(line)) and file:
            at = f"{file}:{hit['line']}"
            found.setdefault(f"{at} {hit['test']}", _Account(hit["test"], at, cause=hit["cause"]))
        elif told := known.MESSAGE.match(line):
            message = told
        elif (arrow := known.ARROW.match(line)) and message:
            found.setdefault(arrow["at"], _Account(message["code"] or message["rule"] or "", arrow["at"], cause=message["cause"]))
            message = None
    return list(found.values())


def _typed(account: _Account) -> Failure:
    cause = "" if _EXPRESSION.match(account.cause) and account.expected and len(account.cause) > CAUSE else account.cause
    return Failure(
        "",
        0,
        one_line(account.test, TEST_NAME),
        one_line(account.at, PLACE),
        one_line(account.expected, VALUE),
        one_line(account.got, VALUE),
        one_line(cause, CAUSE),
    )
