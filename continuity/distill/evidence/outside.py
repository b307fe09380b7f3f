"""What commands change elsewhere than in files: trackers, pull requests, packages, deployments, remote systems."""

from __future__ import annotations

import re

from continuity.distill.clip import clip
from continuity.distill.evidence.shell import Simple
from continuity.distill.step import Step
from continuity.distill.wordset import word_set

LISTED = 240  # characters of the objects named for one tool and verb
NAME = 60
VERB_WITHIN = 3
NAMED = 5  # words of a program and its verb

_CHANGING = word_set(
    """
    create update edit comment close reopen merge delete apply deploy publish push upload assign label transfer rename destroy scale
    rollout restart trigger dispatch approve review release promote rollback insert patch send post set enable disable archive note
    link unlink
    """
)
# Programs whose changes stand elsewhere: in the files, in the commits, or nowhere that lasts.
_LOCAL = word_set(
    """
    npm pnpm yarn bun pip uv poetry cargo go make just task mise python python3 node ruby java mvn gradle dotnet brew apt apt-get sed
    awk perl echo cat touch cp mv rm mkdir ln chmod tar zip unzip ls grep rg find head tail sort jq xargs tee cd export ruff eslint
    prettier pytest jest vitest tsc bash sh zsh
    """
)
_PUBLISHING = re.compile(r"^(?:npm|pnpm|yarn|bun|cargo|uv|poetry|twine) (?:publish|upload)\b")
_SENDING = re.compile(r"-X\s*(?:POST|PUT|PATCH|DELETE)\b|--request[ =](?:POST|PUT|PATCH|DELETE)\b")
_OBJECT = re.compile(r"#?\d+|[A-Za-z]{1,12}-[A-Za-z0-9]{1,10}(?:\.\d+)*|[\w.-]+/[\w./-]+|[\w.@:-]{2,}")
_MADE = re.compile(
    r"https?://\S+/(?:pull|issues|releases|discussions)/(?:tag/)?(?P<id>[\w.-]+)"
    r"|\b(?:created|opened|added|new)\b[^\n]{0,30}?\b(?P<key>[a-z]{2,12}-[0-9a-z]{1,8}(?:\.\d+)*)\b",
    re.I,
)


def observe(step: Step, commands: list[Simple], text: str) -> bool:
    """Enter what a successful run of `commands` changed outside the files, and tell whether it did; `text` is what it printed."""
    changed = False
    for command in commands:
        name, objects = _change(command, text)
        if name:
            changed = True
            known = step.state.outside.get(name) or ""
            new = [each for each in objects if each and each not in known.split(", ")]
            step.state.outside.put(name, clip(", ".join([*filter(None, [known]), *new]), LISTED))
    return changed


def recall(step: Step, text: str) -> None:
    """Enter a change as `observe` told it: the words up to the verb, and what it was applied to."""
    words = text.split(" ")
    verb = next((place for place, word in enumerate(words[:NAMED]) if word in _CHANGING), None)
    place = len(words) if verb is None else verb + 1
    step.state.outside.replace(" ".join(words[:place])[:NAME], clip(" ".join(words[place:]), LISTED))


def _change(command: Simple, text: str) -> tuple[str, list[str]]:
    """The tool with its changing verb, and what it was applied to; ("", []) where the command changes nothing elsewhere."""
    words = command.words
    program = command.program
    if "--help" in words or "--dry-run" in words:
        return "", []
    line = " ".join(words)[:400]
    if program == "curl" and _SENDING.search(line):
        return "curl", [next((word for word in words[1:] if "://" in word), "")[:NAME]]
    if program == "git":
        return ("git push", [" ".join(w for w in words[2:5] if not w.startswith("-"))[:NAME]]) if words[1:2] == ["push"] else ("", [])
    if program in _LOCAL:
        return (" ".join(words[:2]), [""]) if _PUBLISHING.match(line) else ("", [])
    for place, word in enumerate(words[1 : VERB_WITHIN + 1], start=1):
        if word in _CHANGING:
            plain = [each for each in words[1:place] if not each.startswith("-")]
            return " ".join([program, *plain, word])[:NAME], _objects(words[place + 1 :]) or _made(text)
    return "", []


def _objects(words: list[str]) -> list[str]:
    """The positional arguments up to the first option that are names, not prose."""
    found: list[str] = []
    for word in words:
        if word.startswith("-"):
            break
        if len(word) <= NAME and _OBJECT.fullmatch(word):
            found.append(word)
    return found


def _made(text: str) -> list[str]:
    """What the output says was made."""
    match = _MADE.search(text[:2000])
    return [match["key"] or f"#{match['id']}"] if match else []
