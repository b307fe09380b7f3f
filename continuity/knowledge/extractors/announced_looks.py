"""Announcements of a look or a run, "Let me read the file": the call that follows carries them out, and nothing of them is left."""

from __future__ import annotations

import re

_LEADS = r"(?:\blet me|\blet['’]s|\bI['’]ll|\bI will|\bI need to|\bI['’]m going to|\bI (?:should|want to)|^(?:now|next|first),?)"
_BETWEEN = r"(?:\s+(?:also|now|first|just|quickly|then|next|again|quick|double[- ]|re-?|try to|take a|have a))*\s*(?:double[- ]|re-?)?"
_LOOKS = (
    r"(?:read|look|check|see|view|verify|find|search|explore|examine|inspect|open|grep|list|confirm|get|fetch|locate|compare|investigate"
    r"|gather)"
)
_RUNS = r"(?:run|rerun|test|execute|build|compile|lint)"
_LOOK = re.compile(rf"{_LEADS}{_BETWEEN}{_LOOKS}\b", re.I)
_RUN = re.compile(rf"{_LEADS}{_BETWEEN}{_RUNS}\b", re.I)
# What the words go on to, which a look or a run does not do.
_GOES_ON = re.compile(
    r"(?:\b(?:and|then|(?<!where )(?<!how )(?<!what )to|before|so)\b|,)\s+(?:(?:then|also|I|we|can|that)\s+)*"
    r"(?:fix|update|add|change|implement|write|create|remove|delete|refactor|replace|rename|edit|make|commit|push|mend|apply|move|adjust|clean"
    r"|start|continue|do|get .* (?:done|working))\b",
    re.I,
)


def announces_look(words: str) -> bool:
    return _LOOK.search(words) is not None and _GOES_ON.search(words) is None


def announces_run(words: str) -> bool:
    return _RUN.search(words) is not None and _GOES_ON.search(words) is None
