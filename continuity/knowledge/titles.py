"""A title for a conversation that nobody gave one: its goal, or where the work is done."""

from pathlib import PurePosixPath

from continuity.transcripts.titles import cut

LONGEST = 90


def title_of(*, goal: str, branch: str, folder: str) -> str:
    """The first line of the goal, cut at a word; else branch and folder; "" where nothing is known."""
    line = next((words for words in (" ".join(each.split()) for each in goal[:2000].splitlines()) if words), "").lstrip("#> ")
    if line:
        return cut(line, LONGEST)
    name = PurePosixPath(folder.replace("\\", "/")).name
    return " · ".join(part for part in (branch, name) if part)[:LONGEST]
