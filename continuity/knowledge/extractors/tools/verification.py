"""Commands that check the work, and the outcome that their output states."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.extractors.shell.parser import Simple
from continuity.knowledge.state.fold_cache import cached

TEST = 3
CHECK = 2
BUILD = 1

_SUBJECTS = (
    (
        TEST,
        re.compile(
            r"^(?:\S*/)?(?:pytest|py\.test|jest|vitest|mocha|ava|rspec|phpunit|tox|nox|ctest|bats|ginkgo|nosetests|karma|cypress"
            r"|playwright|behave|gotestsum|nextest)\b"
        ),
    ),
    (
        TEST,
        re.compile(
            r"^(?:python3?|uv run|poetry run|pipenv run|hatch run|pdm run|rye run|bundle exec|npx|bunx|pnpx|pnpm exec|yarn|pnpm"
            r"|coverage run)\b.{0,60}?\b(?:pytest|unittest|tox|nox|jest|vitest|mocha|rspec|playwright test|cypress run|manage\.py test"
            r"|django.*test)\b"
        ),
    ),
    (
        TEST,
        re.compile(
            r"^(?:npm|pnpm|yarn|bun|deno|cargo|go|mvn|\./mvnw|mvnw|gradle|\./gradlew|gradlew|dotnet|swift|flutter|mix|rake|zig|sbt|lein"
            r"|stack|cabal|dart|bazel|buck|make|just|task|mise|hatch|rails|php artisan|composer|meson|moon|turbo|nx)\b.{0,60}?(?:"
            r"\b|:)tests?\b(?!-?data)"
        ),
    ),
    (TEST, re.compile(r"^dbt (?:build|test)\b|^(?:\S*/)?gradlew?\b.{0,80}?\b(?:connected\w*|\w+Tests?)\b")),
    (TEST, re.compile(r"^(?:(?:\./|bash |sh |\S*/)(?:run[-_])?|run[-_])tests?(?:\.sh|\.py)?\b")),
    (
        CHECK,
        re.compile(
            r"^(?:\S*/)?(?:ruff(?! format)|eslint|flake8|pylint|golangci-lint|mypy|pyright|tsc|biome|stylelint|shellcheck|hadolint"
            r"|rubocop|clippy|staticcheck|ktlint|detekt|swiftlint|oxlint|basedpyright|ty|lint-imports|vue-tsc|actionlint)\b"
        ),
    ),
    (
        CHECK,
        re.compile(
            r"^(?:npm|pnpm|yarn|bun|bunx|npx|cargo|go|make|just|task|mise|mvn|gradle|\./gradlew|uv run|poetry run|python3? -m|turbo|nx"
            r"|deno|composer|dart|flutter|pre-commit|prek)\b.{0,60}?(?:\b|:)(?:lint|check|clippy|typecheck|type-check|tsc|vet|mypy"
            r"|ruff check|eslint|biome|verify|pyright|analyze|run --all-files)\b"
        ),
    ),
    (
        CHECK,
        re.compile(r"^(?:terraform|tofu)(?: -chdir=\S+)? validate\b|^(?:tflint|helm lint|kubeconform|kubeval|ansible-lint|yamllint)\b"),
    ),
    (CHECK, re.compile(r"^(?:prettier|black|gofmt|isort)\b.*(?:--check|-l\b|--diff)")),
    (
        BUILD,
        re.compile(
            r"^(?:npm|pnpm|yarn|bun|cargo|go|make|mvn|\./mvnw|gradle|\./gradlew|dotnet|swift|cmake|docker|next|vite|webpack|turbo|nx"
            r"|bazel|zig|just|task|mise|python3? -m|xcodebuild|tsup|rollup)\b.{0,40}?(?:\b|:)(?:build|compile|package|assemble|all"
            r"|py_compile|--build)\b"
        ),
    ),
    (BUILD, re.compile(r"^make$|^(?:gcc|g\+\+|clang|javac|rustc|xcodebuild)\b")),
)
_NOT_ASIDE = (["pop"], ["apply"], ["list"], ["show"], ["drop"], ["clear"], ["branch"])
_RUNS_NONE = re.compile(
    r"^go test\b.*\s(?:-c(?:\s|$)|-run[ =](?:['\"]?\^\$['\"]?|xxx+|NONE)(?:\s|$))|\s--(?:no-run|collect-only|listTests|list-tests)\b"
)
_NOT_ONE = re.compile(
    r"^(?:git|grep|rg|cat|ls|find|echo|sed|awk|head|tail|cd|gh|mkdir|rm|cp|mv|vim|nano|code|which|curl|printf|ps|kill|pkill|pip|sleep)"
    r"\b|^go (?:doc|env|list|mod|get|version|help)"
    r"\b|\b(?:install|--help|--version|test-data|init)\b"
)

_COUNTS = re.compile(
    r"\b\d+ (?:\w+ )?(?:passed|failed|passing|failing|pass|fail|failures?|errors?|skipped|examples?|tests?|specs?|issues?|problems?"
    r"|warnings?)\b|^(?:ok|FAIL|PASS|FAILED|OK)\b|^--- (?:FAIL|PASS)|test result:|BUILD (?:SUCCESS|FAIL)"
    r"|^Tests?:|^Ran \d+|All checks passed|Success: no issues|^✓|^✖|Passed!|Failed!|Compiled successfully|Found \d+ error|error TS\d+"
    r"|[Nn]o issues found|tests? completed|^Checked \d+ files?|[Nn]o offenses|offenses? detected|files? would be|code style",
    re.M,
)
_FAILED = re.compile(
    r"\b[1-9]\d* (?:\w+ )?(?:failed|failing|fail|failures?|errors?)\b|^(?:FAIL|FAILED|ERROR)\b|^--- FAIL|test result: FAILED|BUILD FAIL"
    r"|\berror(?:\[E\d+\]|:| TS\d+)|✖ [1-9]|Failed!|^panic:|^Traceback|\bnpm ERR!|make: \*\*\*|Found [1-9]\d* errors?|command not found"
    r"|\[[1-9]\d* (?:failed|errors?)|(?:failures|errors)=[1-9]|\b[1-9]\d* offenses? detected|\bfiles? would be reformatted"
    r"|Code style issues|Some errors were emitted",
    re.M,
)
_PASSED = re.compile(
    r"\b[1-9]\d* (?:\w+ )?(?:passed|passing|pass)\b|^(?:ok|PASS|OK)\b|^--- PASS|test result: ok|BUILD SUCCESS|All checks passed"
    r"|Success: no issues|\b0 (?:issues|errors|problems|failures|fail|failed)\b|Passed!|Compiled successfully|[Nn]o issues found"
    r"|All tests passed|✓|✔|Finished `?(?:dev|release|test)|successfully|^Checked \d+ files? in .*\. (?:No fixes applied|Fixed \d+ files?)"
    r"|[Nn]o offenses detected|files? would be left unchanged|^All matched files use Prettier|No ESLint warnings"
    r"|\bBuild success\b|\bbuilt in \d",
    re.M,
)
_RUNNER = re.compile(r"\s*(?:> \S|\$ \S|\[[\w:.-]{1,40}\] \$ \S)")  # what a package manager or task runner prints before it runs a script
_PICKS = frozenset(("grep", "rg", "sed", "awk", "jq", "cut", "wc"))
_COUNTED = re.compile(r"^\W*(?:tests?:?\s+)?[1-9]\d* pass(?:ed|ing)?\b|^\W*0 fail(?:ed|ures?|ing)?\b", re.I)
_LINES = re.compile(r"(?:-n?|--lines=)?(\d{1,6})")
HEAD = 10  # lines that `head` leaves where it is not told
CLOSING, BESIDE = 8, 3  # lines in which a run of tests counts, and of those before them that it may count in
_TAIL = 6000
_MARGIN = " =\t\r"
# A line that any of the patterns finds something in has one of these: plain words are found far faster.
_HINTS = (
    *("pass", "fail", "error", "ok", "success", "test", "issue", "problem", "warning", "example", "spec", "skipped", "complete", "ran "),
    *("found", "finished", "panic", "traceback", "npm err", "make:", "compiled", "✓", "✖", "✔"),
    *("checked", "offense", "would be", "code style", "matched files", "no eslint", "built in"),
)


def kind_of(commands: list[Simple]) -> int:
    """The strongest kind of check among the commands: TEST, CHECK, BUILD, or 0; 0 also where the work was put aside before it ran."""
    if any(command.words[:2] == ["git", "stash"] and command.words[2:3] not in _NOT_ASIDE for command in commands):
        return 0
    return max((_rank(command) for command in commands), default=0)


def passed_before_failing(commands: list[Simple], text: str) -> bool:
    """Whether of a chain that failed the check passed, and another command after it failed: its output counts what passed, and nothing
    that failed."""
    places = [place for place, command in enumerate(commands) if _rank(command)]
    after = commands[places[-1] + 1 :] if places else []
    if not any(command.before == "&&" for command in after) or any(command.before in (";", "||") for command in commands):
        return False
    tail = text[-_TAIL:]
    return _PASSED.search(tail) is not None and _FAILED.search(tail) is None


def _rank(command: Simple) -> int:
    line = " ".join(command.words[:12])[:200]
    if not line or _NOT_ONE.search(line):
        return 0
    rank = next((rank for rank, pattern in _SUBJECTS if pattern.search(line)), 0)
    return BUILD if rank == TEST and compiles_only(line) else rank


def compiles_only(line: str) -> bool:
    """Whether a command of a test runner builds or lists the tests and runs none of them."""
    return _RUNS_NONE.search(line) is not None


def outcome(text: str, exit_code: int | None, failed: bool | None, piped: bool, *, silent: bool = False) -> bool | None:
    """Whether a check passed: its exit code, unless a pipe hid it; then what its output says; None where nothing tells. A `silent` one
    prints nothing of its own where all is well."""
    if exit_code:
        return False
    if failed:
        return False
    if exit_code == 0 and not piped:
        return True
    if failed is False and _ends_well(text):
        return True
    tail = "\n".join(_telling(text[:1000] + "\n" + text[-_TAIL:] if len(text) > _TAIL + 1000 else text))
    if _FAILED.search(tail):
        return False
    if exit_code == 0 or _PASSED.search(tail):
        return True
    if silent and failed is False and all(_RUNNER.match(line) for line in text.splitlines() if line.strip()):
        return True
    return True if failed is False and not piped else None


def is_silent(commands: list[Simple]) -> bool:
    """Whether the check that matters is a linter or a compiler, whose whole output is seen: nothing picks lines out of it."""
    return kind_of(commands) in (CHECK, BUILD) and not any(command.program in _PICKS for command in commands)


def is_cut(commands: list[Simple], text: str) -> bool:
    """Whether `head` left off the end of a check's output, which tells how it ended."""
    filters = [command for command in commands if command.before in ("|", "|&")]
    if not filters or filters[-1].program != "head" or any(word.startswith("-c") for word in filters[-1].words):
        return False
    lines = next((int(found[1]) for word in filters[-1].words[1:] if (found := _LINES.fullmatch(word))), HEAD)
    return len(text.rstrip("\n").splitlines()) >= lines and not _ends_well(text)


def _ends_well(text: str) -> bool:
    """Whether the last lines count what passed and nothing that failed: what was printed before them is the work's own output."""
    last = text[-_TAIL:].rstrip().splitlines()[-CLOSING:]
    first = next((place for place, line in enumerate(last) if _COUNTED.match(line)), None)
    return first is not None and _FAILED.search("\n".join(last[max(0, first - BESIDE) :])) is None


def _telling(text: str) -> Sequence[str]:
    """The lines of a text that may say how a check ended."""
    return _found_telling(text.rstrip("\n"))


def _find_telling(text: str) -> Sequence[str]:
    low = text.lower()
    telling: set[int] = set()
    for hint in _HINTS:
        place = low.find(hint)
        while place >= 0:
            telling.add(low.count("\n", 0, place))
            end = low.find("\n", place)
            place = low.find(hint, end) if end >= 0 else -1
    lines = text.split("\n")
    return [lines[number] for number in sorted(telling)]


# An output is asked for its outcome and then for what sums that up.
_found_telling = cached(_find_telling, most=1, longest=2 * _TAIL)


def summary(text: str) -> str:
    """The line of the output that sums up the outcome, or its last line."""
    lines = text[-_TAIL:].splitlines()
    telling = [line.strip(_MARGIN) for line in _telling("\n".join(lines))]
    for pattern in (_FAILED, _COUNTS):
        counted = [line for line in telling if pattern.search(line)]
        best = [
            line
            for line in counted
            if re.search(r"\d+ (?:\w+ )?(?:failed|passed|fail|pass|passing|failing|tests?|examples?|errors?|issues?)\b", line)
        ] or counted
        if best:
            return best[-1]
    last = next((line.strip(_MARGIN) for line in reversed(lines) if line.strip(_MARGIN + "-")), "")
    return last if re.search(r"[A-Za-z]{3}", last) else ""


def counts(line: str) -> bool:
    """Whether a line tells of failures, or how many there are."""
    return _FAILED.search(line) is not None or _COUNTS.search(line) is not None


def is_piped(commands: list[Simple]) -> bool:
    """Whether the last command only filters the output of the one that matters, hiding its exit code."""
    return (bool(commands) and commands[-1].before in ("|", "|&")) or (
        len(commands) > 1 and commands[-1].before == ";" and commands[-1].program in ("echo", "true")
    )
