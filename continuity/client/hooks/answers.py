"""The answer to a hook: what is added to the agent's context, and what the person in front of the tool is told."""

from __future__ import annotations


class HookAnswer:
    __slots__ = ("context", "told")

    def __init__(self, context: str = "", told: str = "") -> None:
        self.context, self.told = context, told


def moment(written: str, now: float) -> str:
    """How long ago a time of the API was (`2026-11-24T15:02:03.123Z`), in words; empty where it can't be read.

    `now` is seconds since 1970.
    """
    try:
        year, month, day = int(written[:4]), int(written[5:7]), int(written[8:10])
        hour, minute, second = int(written[11:13]), int(written[14:16]), int(written[17:19])
    except ValueError:
        return ""
    ago = int(now) - (_days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
    for size, name in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if ago >= size:
            count = ago // size
            return f"{count} {name}{'' if count == 1 else 's'} ago"
    return "just now"


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970: neither `datetime` nor `calendar` loads as fast as a hook has to."""
    year -= month <= 2
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468
