"""A message as far as segmenting looks at it: what it is about, whether it begins a turn, which calls it opens and answers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from continuity.knowledge.directive_parser.parser import own_words
from continuity.knowledge.extractors.tools import tool_names
from continuity.knowledge.language.content_words import content
from continuity.transcripts.base.model import Message, Part, PartKind, Voice
from continuity.transcripts.directive_spans import GAP

WORDS = 30  # content words of one part
NAME = 80
_CUE = re.compile(
    r"^\W*(?:ok(?:ay)?|good|great|thanks?|perfect|alright|so|now|and)?[\s,.!-]*"
    r"(?:(?:a |the |on to (?:a |the )?)?(?:new|next|another|different|separate|unrelated)\s+(?:task|topic|thing|issue|question|feature|bug"
    r"|problem|job|subject)\b|let'?s (?:switch|move on|turn|talk about something)|moving on\b|separately[,:]|unrelated[,:]"
    r"|something else\b|neues thema|autre chose)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """`terms` are stems of content words and names of files; `asked` and `told` the words of the person and the agent."""

    seq: int
    tokens: int
    at: datetime | None = None
    begins_turn: bool = False
    changes_subject: bool = False
    terms: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    asked: str = ""
    told: str = ""


def incoming_message(seq: int, message: Message, tokens: int) -> IncomingMessage:
    """The facts that segmenting needs of message `seq`, which is `tokens` long."""
    person = [] if message.agent else _texts(message, Voice.PERSON)
    agent = _texts(message, Voice.AGENT)
    calls = [(index, part) for index, part in enumerate(message.parts) if part.kind is PartKind.TOOL_CALL]
    files = tuple(dict.fromkeys(path[-NAME:] for _, part in calls if (path := tool_names.path_of(part.input))))
    words = chain.from_iterable(content(text, WORDS) for text in (*person, *agent))
    return IncomingMessage(
        seq=seq,
        tokens=tokens,
        at=message.at,
        begins_turn=bool(person),
        changes_subject=bool(person) and _CUE.search(person[0][:200]) is not None,
        terms=tuple(dict.fromkeys((*words, *(path.rsplit("/", 1)[-1].lower() for path in files)))),
        files=files,
        calls=tuple(part.call_id or f"#{seq}.{index}" for index, part in calls),
        answers=tuple(part.call_id for part in message.parts if part.kind is PartKind.TOOL_RESULT),
        asked=next((own_words(part).replace(GAP, "") for part in message.parts if person and _is_words(part, Voice.PERSON)), ""),
        told=agent[0] if agent else "",
    )


def _texts(message: Message, voice: Voice) -> list[str]:
    return [part.text for part in message.parts if _is_words(part, voice)]


def _is_words(part: Part, voice: Voice) -> bool:
    return part.kind is PartKind.TEXT and part.voice is voice and bool(part.text.strip())
