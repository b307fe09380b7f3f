"""The state of a git working tree, from what `git status` prints in its long, short and machine-readable forms."""

from __future__ import annotations

import re

from continuity.knowledge.language.clip import clip

NAMES = 6  # files named of each kind
LONGEST = 320
LINES = 400

_LONG = re.compile(r"^Your branch (?:is |and \S+ have )(?P<how>ahead|behind|diverged)(?:[^\n]{0,300} by (?P<count>\d+) commit)?", re.M)
_SHORT = re.compile(r"^## (?P<branch>\S{1,200}(?: \[[^\]\n]{4,40}\])?|No commits yet on \S+|HEAD \(no branch\))[ \t]*$", re.M)
_UPSTREAM = re.compile(r"\.\.\.(?P<upstream>\S+) \[(?P<how>[^\]]{4,40})\]")
_HOW = {"ahead": "ahead of", "behind": "behind", "diverged": "diverged from"}
_SECTIONS = {
    "Changes to be committed:": "staged",
    "Changes not staged for commit:": "not staged",
    "Untracked files:": "untracked",
    "Unmerged paths:": "unmerged",
}
_ENTRY = re.compile(
    r"^\t(?:(?:new file|modified|deleted|renamed|typechange|copied|both \w+|(?:added|deleted) by \w+):\s+)?(?P<path>\S[^\n]*)$"
)
# The second machine-readable form: headers, then entries by their kind.
_HEAD2 = re.compile(r"^# branch\.head \S", re.M)
_SYNC2 = re.compile(r"^# branch\.ab \+(?P<ahead>\d+) -(?P<behind>\d+)$", re.M)
_CHANGE2 = re.compile(
    r"^(?:1 (?P<code>[.MTADRC]{2}) (?:\S+ ){6}|2 (?P<moved>[.MTADRC]{2}) (?:\S+ ){7}|u (?P<unmerged>[A-Z]{2}) (?:\S+ ){8}|(?P<new>\?) )"
    r"(?P<path>[^\t\n]+)(?:\t(?P<old>[^\n]+))?$"
)
_UNDER_WAY = re.compile(
    r"^(?:All conflicts fixed but you are still merging\.|You are currently (?:rebasing|cherry-picking|reverting|bisecting)\b[^\n]{0,160}"
    r"|You are in the middle of an am session\.)$",
    re.M,
)
_CODE = re.compile(r"^(?P<code>[ MADRCU?!]{2}) (?P<path>\S[^\n]*)$")


def tree(text: str) -> str:
    """What a status says, in one line: commits ahead or behind, and files by how they stand; empty where it says nothing."""
    told = [_sync(text), *(f"{kind}: {_named(paths)}" for kind, paths in _files(text).items() if paths)]
    if len(told) == 1 and ("nothing to commit" in text or _SHORT.search(text[:2000]) or _HEAD2.search(text[:2000])):
        told.append("clean")
    return clip("; ".join(filter(None, told)), LONGEST)


def under_way(text: str) -> str:
    """What git says of a merge, a rebase or the like that is not concluded; one with conflicts that are left tells of itself."""
    found = _UNDER_WAY.search(text[:2000])
    return found[0] if found and "Unmerged paths:" not in text else ""


def _sync(text: str) -> str:
    if short := _SHORT.search(text[:2000]):
        match = _UPSTREAM.search(short["branch"])
        return f"{match['how']} ({match['upstream']})" if match else ""
    if exact := _SYNC2.search(text[:2000]):
        return ", ".join(f"{how} {exact[how]}" for how in ("ahead", "behind") if exact[how] != "0")
    match = _LONG.search(text[:2000])
    return f"{_HOW[match['how']]} its upstream{' by ' + match['count'] if match['count'] else ''}" if match else ""


def _files(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"staged": [], "not staged": [], "untracked": [], "unmerged": []}
    section = ""
    for line in text.splitlines()[:LINES]:
        if line in _SECTIONS:
            section = _SECTIONS[line]
        elif section and (entry := _ENTRY.match(line)):
            found[section].append(entry["path"])
        elif section and line and not line.startswith((" ", "\t")):
            section = ""  # another command goes on to print
        elif not section and (change := _CHANGE2.match(line)):
            code = "??" if change["new"] else change["unmerged"] or (change["code"] or change["moved"]).replace(".", " ")
            _short(found, code, f"{change['old']} -> {change['path']}" if change["old"] else change["path"])
        elif not section and (short := _CODE.match(line)) and short["code"].strip():
            _short(found, short["code"], short["path"])
    return found


def _short(found: dict[str, list[str]], code: str, path: str) -> None:
    if code == "??":
        found["untracked"].append(path)
    elif "U" in code or code in ("AA", "DD"):
        found["unmerged"].append(path)
    elif code != "!!":
        for kind, sign in zip(("staged", "not staged"), code, strict=True):
            if sign != " ":
                found[kind].append(path)


def _named(paths: list[str]) -> str:
    more = len(paths) - NAMES
    return ", ".join(paths[:NAMES]) + (f" and {more} more" if more > 0 else "")
