"""Effects of commands elsewhere than in files: trackers, pull requests, packages, deployments, remote systems."""

from __future__ import annotations

import re
from collections.abc import Iterable

from continuity.knowledge.extractors.shell.parser import Simple
from continuity.knowledge.extractors.tools.git import after_git
from continuity.knowledge.language.clip import clip
from continuity.knowledge.language.word_sets import word_set
from continuity.knowledge.state.step import FoldStep

LISTED = 240  # characters of the objects named for one tool and verb
NAME = 60
VERB_WITHIN = 3
NAMED = 5  # words of a program and its verb

_CHANGING = word_set(
    """
    create update edit comment close reopen merge delete apply deploy publish push upload assign label transfer rename destroy scale
    rollout restart trigger dispatch approve review release promote rollback undo insert patch send post set enable disable archive
    note link unlink upgrade downgrade uninstall rerun cancel
    """
)
# Words behind which a program only tells, and words that beside one of these are things: `gh label list`, `kubectl get deploy`.
_TELLING = word_set(
    """
    get list ls view show describe status history logs log diff plan search inspect top explain download checkout clone help version
    """
)
# What the services of a cloud are asked to do, in the first part of an operation's name: `update-service`.
_OPERATIONS = _CHANGING | word_set("rm mv sync put add remove start stop run terminate register deregister attach detach modify tag untag")
# Programs whose changes stand elsewhere: in the files, in the commits, or nowhere that lasts.
_LOCAL = word_set(
    """
    npm pnpm yarn bun pip uv poetry cargo go make just task mise python python3 node ruby java mvn gradle dotnet brew apt apt-get sed
    awk perl echo cat touch cp mv rm mkdir ln chmod tar zip unzip ls grep rg find head tail sort jq xargs tee cd export ruff eslint
    prettier pytest jest vitest tsc bash sh zsh printf test which type man diff patch vi vim nano code less
    """
)
_PUBLISHING = re.compile(r"^(?:npm|pnpm|yarn|bun|cargo|uv|poetry|twine) (?:publish|upload)\b")
_SENDING = re.compile(r" (?:-[a-zA-Z]*X|--request)[ =]?(?:POST|PUT|PATCH|DELETE)\b")
_BODY = re.compile(r" (?:-[a-zA-Z]*[dFT]|--data(?:-\w+)?|--json|--form|--upload-file)\b")
_FIELDS = re.compile(r" (?:-[fF]|--field|--raw-field|--input)\b")
_READING = re.compile(r" (?:-G|--get|(?:-[a-zA-Z]*X|--request)[ =]?(?:GET|HEAD))\b")
# Options before the verb whose value stands behind them.
_VALUED = word_set(
    """
    -n --namespace --context -R --repo --profile --region -f --file -p --project --project-name -C --cluster -H --host --kubeconfig
    --org -w --workspace -c --config
    """
)
_PUSHED = re.compile(r"^[ +]{1,3}[0-9a-f]{7,40}\.{2,3}(?P<commit>[0-9a-f]{7,40}) +\S+ -> (?P<branch>\S+)", re.M)
AT = " at "
_OBJECT = re.compile(r"#?\d+|[A-Za-z]{1,12}-[A-Za-z0-9]{1,10}(?:\.\d+)*|[\w.-]+/[\w./:@-]+|[\w.@:-]{2,}")
_MADE = re.compile(
    r"https?://[^\s/]{1,100}/[^\s/]{1,100}/[^\s/]{1,100}/(?:-/)?(?:pull|issues|merge_requests|releases|discussions)/(?:tag/)?(?P<id>[\w.-]+)"
    r"|\b(?:created|opened|added|new)\b[^\n]{0,30}?\b(?P<key>[a-z]{2,12}-[0-9a-z]{1,8}(?:\.\d+)*)\b",
    re.I,
)


def observe(step: FoldStep, commands: list[Simple], text: str) -> bool:
    """Enter what a successful run of `commands` changed outside the files, and tell whether it did; `text` is what it printed."""
    changed = False
    for command in commands:
        name, objects = _change(command, text)
        if name:
            changed = True
            known = [each for each in (step.state.outside.get(name) or "").split(", ") if each and not _overtaken(each, objects)]
            step.state.outside.put(name, _latest(dict.fromkeys([*known, *filter(None, objects)])))
    return changed


def _overtaken(known: str, objects: Iterable[str]) -> bool:
    """Whether a branch was pushed again since, on to another commit."""
    return any(AT in each and known.split(AT)[0] == each.split(AT)[0] for each in objects)


def _latest(names: Iterable[str]) -> str:
    """The names in order, without the oldest where they are too many: whole names only."""
    told = ", ".join(names)
    while len(told) > LISTED and ", " in told:
        told = told.split(", ", 1)[1]
    return clip(told, LISTED)


def recall(step: FoldStep, text: str) -> None:
    """Enter a change as `observe` told it: the words up to the verb, and what it was applied to."""
    words = text.split(" ")
    verb = next((place for place, word in enumerate(words[:NAMED]) if word in _CHANGING), None)
    place = len(words) if verb is None else verb + 1
    step.state.outside.replace(" ".join(words[:place])[:NAME], clip(" ".join(words[place:]), LISTED))


def _change(command: Simple, text: str) -> tuple[str, list[str]]:
    """The tool with its changing verb, and what it was applied to; ("", []) where the command changes nothing elsewhere."""
    words, program = command.words, command.program
    if any(word.startswith(("--help", "--dry-run", "--dryrun")) for word in words):
        return "", []
    line = " ".join(words)[:400]
    if program == "git":
        words = after_git(command)
        return (
            ("git push", _pushed(text) or [" ".join(w for w in words[1:4] if not w.startswith("-"))[:NAME]])
            if words[:1] == ["push"]
            else ("", [])
        )
    if program == "curl" or (program == "gh" and words[1:2] == ["api"]):
        return _sent(program, words, line)
    if program in _LOCAL:
        return (" ".join(words[:2]), []) if _PUBLISHING.match(line) else ("", [])
    verbs = _OPERATIONS if program == "aws" else _CHANGING
    spoken = _without_options(words[1:])
    for place, word in enumerate(spoken[:VERB_WITHIN]):
        if word in _TELLING or (program == "aws" and word.split("-")[0] in _TELLING):
            break
        if word in verbs or (program == "aws" and place and word.split("-")[0] in verbs):
            return _applied(program, spoken, place, words, text)
    return "", []


def _pushed(text: str) -> list[str]:
    """The branches that a push moved on, each with the commit that it stands at now."""
    return [f"{match['branch'][:NAME]}{AT}{match['commit']}" for match in _PUSHED.finditer(text[-2000:])]


def _applied(program: str, spoken: list[str], place: int, words: list[str], text: str) -> tuple[str, list[str]]:
    """A verb at `place` of the words `spoken` after the program; another verb behind it says it more exactly (`release create`)."""
    following = spoken[place + 1] if place + 1 < len(spoken) else ""
    if following in _TELLING:
        return "", []
    place += following in _CHANGING
    behind = words[words.index(spoken[place], 1) + 1 :]
    return " ".join([program, *spoken[: place + 1]])[:NAME], _objects(behind) or _made(text)


def _without_options(words: list[str]) -> list[str]:
    """The words without options and the values of the known ones."""
    return [w for i, w in enumerate(words) if not w.startswith("-") and not (i and words[i - 1] in _VALUED)]


def _sent(program: str, words: list[str], line: str) -> tuple[str, list[str]]:
    """A request that sends something: by its method, or by the body that it has."""
    if program == "curl":
        sends = _SENDING.search(line) or (_BODY.search(line) and not _READING.search(line))
        return ("curl", [next((word for word in words[1:] if "://" in word), "")[:NAME]]) if sends else ("", [])
    reads = _READING.search(line) or ("graphql" in words and "mutation" not in line)
    sends = not reads and (_SENDING.search(line) or _FIELDS.search(line))
    return ("gh api", [next((word for word in words[2:] if "/" in word and not word.startswith("-")), "")[:NAME]]) if sends else ("", [])


def _objects(words: list[str]) -> list[str]:
    """The positional arguments up to the first option with a value that are names, not prose; or the file that says what."""
    found: list[str] = []
    for place, word in enumerate(words):
        if word in ("-f", "--filename") and not found:
            return [each[:NAME] for each in words[place + 1 : place + 2]]
        if word.startswith("-") and "=" not in word:
            break
        if len(word) <= NAME and _OBJECT.fullmatch(word):
            found.append(word)
    return found


def _made(text: str) -> list[str]:
    """What the output says was made."""
    match = _MADE.search(text[:2000])
    return [match["key"] or f"#{match['id']}"] if match else []
