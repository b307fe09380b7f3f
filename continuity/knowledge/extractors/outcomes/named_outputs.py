"""Files that formatters and generators say they wrote."""

from __future__ import annotations

import re

from continuity.knowledge.extractors.shell.parser import Simple
from continuity.knowledge.extractors.shell.paths import is_path, is_temporary
from continuity.knowledge.language.word_sets import word_set
from continuity.knowledge.model import FileAction
from continuity.knowledge.state.open_items import Effect

READ = 6_000
MOST = 12  # files of one run

_FORMATTERS = word_set(
    "gofmt goimports gofumpt prettier black isort ruff rustfmt shfmt clang-format eslint biome swiftformat ktlint rubocop"
)
_WRITES = word_set("-w --write -i --fix --in-place -a -A --autocorrect")
_ALWAYS = frozenset(("black", "isort", "rustfmt"))
_FORMATTED = re.compile(
    r"^(?:reformatted |Fixing |Fixed |Formatted )(?P<path>[^\s:]{3,200})$"
    r"|^(?P<timed>[\w./@-]{3,200}\.\w{1,8}) \d{1,6}ms(?P<same> \(unchanged\))?$",
    re.M,
)
_VERBS = ("created ", "create ", "generated ", "wrote ", "written ", "writing ", "updated ", "update ", "created:", "generated:")
_GENERATED = re.compile(
    r"^[ \t✓✔*>-]{0,6}(?:(?:successfully )?(?P<new>created?|generated|wrote|written|writing)|(?P<old>updated?))(?: file)?:?(?: to)?"
    r" ['\"`]?(?P<path>(?:[\w.@-]{1,60}/){1,12}[\w.@-]{1,80}\.\w{1,8})['\"`]?(?: \(\d[^)\n]{0,20}\))?[.!]?$",
    re.M | re.I,
)
# A generator's sentence with a whole path: "OpenAPI spec written to: /srv/app/openapi.json". Its lists of what it went over say less.
_TOLD = re.compile(
    r"^[ \t✓✔*>-]{0,6}(?:[\w./@-]{1,40} ){0,5}(?:written|saved|exported|generated|emitted) (?:to|at|in):?"
    r" ['\"`]?(?P<path>(?:[\w.@-]{1,60}|~)?/(?:[\w.@-]{1,60}/){0,14}[\w.@-]{1,80}\.\w{1,8})['\"`]?[.!]?$",
    re.M | re.I,
)
_TELLS = ("written ", "saved ", "exported ", "generated ", "emitted ")
# Folders of what is built and measured anew each time.
_BUILT = re.compile(r"(?:^|/)(?:dist|build|out|target|coverage|node_modules|htmlcov|test-results|\.\w[\w-]*|logs?)/")


def written(commands: list[Simple], text: str) -> list[Effect]:
    """What a run wrote, by what it printed; of a formatter that is silent, the files that it was given."""
    window = text[-READ:]
    found: dict[str, Effect] = {}
    formats = [command for command in commands if _formats(command)]
    if formats:
        told = list(_FORMATTED.finditer(window))
        for match in told:
            path = match["path"] or match["timed"]
            if not match["same"]:
                found.setdefault(path, Effect(FileAction.MODIFIED, path))
        for command in formats if not told and "unchanged" not in window else ():
            for word in command.words[1:]:
                if "." in word.rsplit("/", 1)[-1][1:] and is_path(word):
                    found.setdefault(word, Effect(FileAction.MODIFIED, word))
    low = window.lower()
    for match in _GENERATED.finditer(window) if any(verb in low for verb in _VERBS) else ():
        action = FileAction.CREATED if match["new"] else FileAction.MODIFIED
        found.setdefault(match["path"], Effect(action, match["path"]))
    return [each for each in found.values() if not is_temporary(each.path)][:MOST]


def generated(text: str) -> list[Effect]:
    """What a generator says it wrote anew, whole paths outside of what is built each time: it may be as it was before."""
    window = text[-READ:]
    low = window.lower()
    paths = [match["path"] for match in _TOLD.finditer(window)] if any(verb in low for verb in _TELLS) else []
    return [Effect(FileAction.MODIFIED, path) for path in dict.fromkeys(paths) if not (_BUILT.search(path) or is_temporary(path))][:MOST]


def _formats(command: Simple) -> bool:
    """Whether a command formats files in place."""
    words = command.words
    name = next((word.rsplit("/", 1)[-1] for word in words[:3] if word.rsplit("/", 1)[-1] in _FORMATTERS), "")
    if not name or any(word in ("--check", "--diff", "-d", "--list-different") for word in words):
        return False
    return name in _ALWAYS or (name == "ruff" and "format" in words) or any(word in _WRITES for word in words)
