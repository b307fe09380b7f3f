"""Exclusions from recording: everything in a pause, a folder that says so, a session that was forgotten. Hooks and the recorder look.

A pause leaves out what is said while it lasts: the recorder reads on and drops it, so that nothing of it is recorded afterwards.
"""

from __future__ import annotations

import os
import time
from importlib import import_module

from continuity.client.light import fast_json, files
from continuity.client.light.wording import shown_path

SWITCH = "CONTINUITY_RECORD"
ONLY = "CONTINUITY_ONLY"
IGNORE = ".continuityignore"
PAUSE, FOLDERS = "paused.json", "only.json"
# A folder deeper than this has no parents that are looked at.
DEEPEST = 64
FOREVER = "until `continuity pause --end`"
DAY = 86_400.0
# In a name: any characters, one, one of these. As a whole name: any folders, also none.
WILD, ANY_FOLDERS = "*?[", "**"


def pause(until: float = 0.0) -> None:
    """Until that moment (seconds since 1970), or until `end_pause`. Raises OSError."""
    files.write(_pause(), fast_json.write({"until": repr(until)}))


def end_pause() -> bool:
    """Whether there was one."""
    try:
        os.unlink(_pause())
    except FileNotFoundError:
        return False
    return True


def paused() -> str:
    """Until when, for people; empty where nothing is paused."""
    if not os.path.exists(_pause()):
        return ""
    now = time.time()
    try:
        until = float(files.read_object(_pause()).get("until") or 0.0)
        told = time.strftime("%H:%M" if until < now + DAY else "%Y-%m-%d %H:%M", time.localtime(until))
    except (ValueError, TypeError, OverflowError, OSError):
        return FOREVER  # Somebody asked for a pause; what is not understood of it does not end it.
    if not until:
        return FOREVER
    return f"until {told}" if now < until else ""


def forget(path: str) -> None:
    """The session of this file is recorded no more. Raises OSError."""
    with open(_forgotten(path), "wb"):
        pass


def is_forgotten(path: str) -> bool:
    return os.path.exists(_forgotten(path))


def reason(path: str, cwd: str) -> str:
    """Why the session of this file and folder is not recorded; empty where it is."""
    return "it was forgotten" if is_forgotten(path) else folder_reason(cwd)


def folder_reason(cwd: str) -> str:
    """Why sessions of the folder are not recorded; empty where they are, also where the folder is not known."""
    if os.environ.get(SWITCH, "") == "off":
        return f"{SWITCH} is off"
    if not cwd:
        return ""
    if (only := only_folders()) and not any(is_within(cwd, folder) for folder in only):
        return f"it is outside of {', '.join(map(shown_path, only))}"
    found = next((path for each in dict.fromkeys((os.path.abspath(cwd), os.path.realpath(cwd))) if (path := _ignoring(each))), "")
    return f"{shown_path(found)} says so" if found else ""


def only_folders() -> list[str]:
    """The folders to which recording is limited: of the variable, else of `install --only`; none where it is not."""
    given = os.environ.get(ONLY, "")
    if given:
        return [each for each in given.split(os.pathsep) if each]
    return [str(each) for each in files.read_object(only_file()).get("folders", [])]


def only_file() -> str:
    return f"{files.home()}/{FOLDERS}"


def is_within(folder: str, place: str) -> bool:
    """Also where a link leads there."""
    folder, place = os.path.realpath(folder), os.path.realpath(os.path.expanduser(place))
    return folder == place or folder.startswith(place.rstrip("/") + "/")


def _ignoring(cwd: str) -> str:
    """The file that leaves the folder out, in it or in one above it: an empty one all that is below it, else each line folders there."""
    return next((path for path, folder in files_above(cwd) if _names(path, cwd, folder)), "")


def files_above(cwd: str) -> list[tuple[str, str]]:
    """Each file that may leave the folder out, with the folder where it lies."""
    found, folder = [], cwd
    for _ in range(DEEPEST):
        path = f"{folder.rstrip('/')}/{IGNORE}"
        if os.path.isfile(path):
            found.append((path, folder))
        if folder == "/":
            break
        folder = os.path.dirname(folder)
    return found


def _names(path: str, cwd: str, folder: str) -> bool:
    lines = lines_of(path)
    # It is there, and can't be read: what it leaves out is not known.
    return not lines or any(_is_named(cwd, folder, line) for line in lines)


def lines_of(path: str) -> list[str] | None:
    """The lines of the file; None where it can't be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            lines = [line.strip() for line in stream.read(1 << 16).splitlines()]
    except OSError:
        return None
    return [line for line in lines if line and not line.startswith("#")]


def _is_named(cwd: str, folder: str, line: str) -> bool:
    if is_within(cwd, f"{folder}/{line.strip('/')}"):
        return True
    if not any(sign in line for sign in WILD):
        return False
    return _matches(parts_of(cwd[len(folder) :]), parts_of(line))


def parts_of(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in ("", ".")]


def _matches(below: list[str], named: list[str]) -> bool:
    """Whether the folders, from the first on, have the names; further ones are within what is named."""
    if not named:
        return True
    if named[0] == ANY_FOLDERS:
        return any(_matches(below[number:], named[1:]) for number in range(len(below) + 1))
    if not below or not import_module("fnmatch").fnmatchcase(below[0], named[0]):
        return False
    return _matches(below[1:], named[1:])


def _pause() -> str:
    return f"{files.home()}/{PAUSE}"


def _forgotten(path: str) -> str:
    return f"{files.folder('forgotten')}/{files.key_of(os.path.abspath(path))}"
