"""Topics and the patterns that subscribe to them (FR-012): segments joined by `:`. Pure; every match is linear in the topic.

`*` alone is every topic; `*` at the end of a pattern is one or more segments; `*` elsewhere is exactly one. Several patterns may stand
together, with commas between: a topic that one of them means is meant.
"""

from __future__ import annotations

LONGEST = 200
SEGMENTS = 16
PATTERNS = 20
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")
ANY = "*"
# What a subscriber's stream calls frames that tell of itself; nobody publishes under these.
CONTROL_FRAMES = frozenset({"gap", "problem"})


class BadTopic(ValueError):
    """A text that can't be a topic or a pattern; the message says why."""


def topic_of(name: str) -> str:
    """The topic of an event of ours: `agent.failed` is told as `agent:failed`."""
    return name.replace(".", ":")


def subject_of(topic: str, name: str) -> str:
    """The topic that subscribers know an event by: the one it was published under, or that of its name."""
    return topic or topic_of(name)


def checked_topic(topic: str) -> str:
    """The topic, where it is one. Raises BadTopic."""
    for segment in _segments(topic, "topic"):
        if not segment or not _LETTERS.issuperset(segment):
            raise BadTopic(
                f"A topic is words of letters, digits, '_', '-' and '.' joined by ':', such as task:completed; not {_cut(topic)}"
            )
    return topic


def checked_pattern(pattern: str) -> str:
    """The pattern, where it is one. Raises BadTopic."""
    for segment in _segments(pattern, "pattern"):
        if segment != ANY and (not segment or not _LETTERS.issuperset(segment)):
            raise BadTopic(f"A pattern is a topic in which '*' may stand for a whole segment, such as task:*; not {_cut(pattern)}")
    return pattern


def checked_patterns(patterns: str) -> str:
    """The patterns, where all of them are. Raises BadTopic."""
    each = patterns.split(",")
    if len(each) > PATTERNS:
        raise BadTopic(f"There are at most {PATTERNS} patterns together, not {len(each):,}")
    return ",".join(checked_pattern(pattern.strip(" ")) for pattern in each)


def matches(patterns: str, topic: str) -> bool:
    """Whether a topic is one that a pattern means."""
    return any(_matches(pattern, topic) for pattern in patterns.split(","))


def _matches(pattern: str, topic: str) -> bool:
    if pattern in (ANY, topic):
        return True
    wanted, given = pattern.split(":"), topic.split(":")
    if wanted[-1] == ANY:
        if len(given) < len(wanted):
            return False
        wanted, given = wanted[:-1], given[: len(wanted) - 1]
    return len(wanted) == len(given) and all(each in (ANY, found) for each, found in zip(wanted, given, strict=True))


def expressions(patterns: str) -> list[str]:
    """Regular expressions of Postgres; a topic is meant where one of them finds something in it."""
    return [_expression(pattern.split(":")) for pattern in patterns.split(",")]


def _expression(wanted: list[str]) -> str:
    if wanted == [ANY]:
        return "^"
    rest = wanted[-1] == ANY
    told = ":".join("[^:]*" if each == ANY else each.replace(".", r"\.") for each in (wanted[:-1] if rest else wanted))
    return f"^{told}:" if rest else f"^{told}$"


def _segments(text: str, noun: str) -> list[str]:
    if not text or len(text) > LONGEST:
        raise BadTopic(f"A {noun} has 1 to {LONGEST} characters, not {len(text):,}")
    segments = text.split(":")
    if len(segments) > SEGMENTS:
        raise BadTopic(f"A {noun} has at most {SEGMENTS} segments, not {len(segments)}")
    return segments


def _cut(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")
