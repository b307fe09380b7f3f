"""The time that a search takes in a big team: words of every conversation, of some, of one, and of none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from uuid import UUID

from continuity.models import Conversation, Team
from continuity.services.recording import conversations
from continuity.services.search import indexing, searching
from continuity.services.search.searching import Filters
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from diagnostics.bench.counting import measure
from diagnostics.bench.rows import BenchRow

TARGET_MS = 100.0
# What the seed's conversations all hold (diagnostics/bench/material.py), and what only those hold that are added for the measurement.
OFTEN, NEVER, RARE = "handle empty input", "zymurgy", "quokka"
RARE_CONVERSATIONS, SOME = 5, 300

LOOKED_FOR: Mapping[str, tuple[str, Filters]] = {
    "a word of every conversation": ("handle", Filters()),
    "three words of every conversation": (OFTEN, Filters()),
    "a phrase of every conversation": (f'"{OFTEN}"', Filters()),
    "the beginning of a word": ("sched", Filters()),
    "words but not a third": ("handle empty -nobody", Filters()),
    "a path": ("src/billing_page", Filters()),
    "what people said": ("limit", Filters(role="user")),
    "where a tool is called": ("pytest", Filters(tool="Bash")),
    "of one tool's sessions": ("handle", Filters(source_tool="codex")),
    "decisions and the like": ("decided", Filters(kind="anchor")),
    "a rare word": (RARE, Filters()),
    "a rare word and a frequent one": (f"{RARE} handle", Filters()),
    "a word that nobody said": (NEVER, Filters()),
}


def measured(team: Team, n: int) -> Iterator[BenchRow]:
    """A row for each kind of search, `n` of each after one that is not counted."""
    added = _rare(team)
    try:
        for name, (words, filters) in LOOKED_FOR.items():
            yield measure(f"search, {name}", partial(searching.find, team=team, words=words, filters=filters), n, TARGET_MS)
        ids = list(Conversation.objects.filter(team=team).order_by("id").values_list("id", flat=True)[:200])
        yield measure("search, one conversation", _each(ids, lambda id_: _in_conversation(team, id_)), n, TARGET_MS)
        yield measure("search, the tenth page", partial(_page, team, 10), n, None)
    finally:
        Conversation.objects.filter(id__in=added).delete()


def _in_conversation(team: Team, conversation: UUID) -> None:
    searching.find(team=team, words="handle empty", filters=Filters(conversation=conversation))


def _each(ids: list[UUID], work: Callable[[UUID], None]) -> Callable[[], None]:
    waiting = iter(ids * 50)
    return lambda: work(next(waiting))


def _page(team: Team, number: int) -> None:
    """Every page up to this one, as somebody turns them."""
    cursor = ""
    for _ in range(number):
        cursor = searching.find(team=team, words="handle", cursor=cursor).next_cursor or ""


def _rare(team: Team) -> list[UUID]:
    """Conversations with a word that no other has, in one message of many; as recorded and indexed as any."""
    found = []
    for number in range(RARE_CONVERSATIONS):
        made = conversations.create(team=team, title=f"Rare {number}", source_tool="bench")
        said = [_said(index, f"The {RARE if index == SOME // 2 else 'cache'} handles {index} rows.") for index in range(SOME)]
        conversations.append(team=team, conversation_id=made.id, messages=said)
        found.append(made.id)
    while indexing.catch_up():
        pass
    return found


def _said(index: int, text: str) -> Message:
    return Message(Role.ASSISTANT, (Part(PartKind.TEXT, Voice.AGENT, text),), external_id=str(index))
