"""Our own directive read back: what it tells is carried knowledge, wherever in a session it stands."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.directive_parser import anchors, situation, work
from continuity.knowledge.directive_parser.lines import Entry, read_lines
from continuity.knowledge.state.step import FoldStep
from continuity.transcripts.base.model import Part, PartKind, Role, Voice
from continuity.transcripts.directive_spans import DirectiveSpan, find, without

_VOICES = frozenset({Voice.PERSON, Voice.HARNESS, Voice.SUMMARY})
_ATTACHED = frozenset({"attachment", "document", "files", "patch"})


def recall(step: FoldStep) -> None:
    """Fold the directives in a message, and take them out of it: they are no one's fresh words.

    Only what the person, a prompt, a hook or a summary says counts; in a tool's result, a file or the agent's words a
    directive is data.
    """
    if step.aside or step.message.role is Role.ASSISTANT:
        return
    parts = list(step.message.parts)
    changed = False
    for index, part in enumerate(parts):
        if told := _told(part):
            for _, entries in told:
                _fold(step, index, part, entries)
            parts[index] = replace(part, text=without(part.text, [span for span, _ in told]))
            changed = True
    if changed:
        step.message = replace(step.message, parts=tuple(parts))


def own_words(part: Part) -> str:
    """The text of a part with the directives that it tells blanked out, every other character in its place."""
    told = _told(part)
    return without(part.text, [span for span, _ in told]) if told else part.text


def _told(part: Part) -> list[tuple[DirectiveSpan, list[Entry]]]:
    """The directives that a part tells, each with its lines."""
    spans = find(part.text) if _may_tell(part) else []
    read = [(span, read_lines(part.text, span.inner, span.end)) for span in spans]
    return [(span, entries) for span, entries in read if entries]


def _may_tell(part: Part) -> bool:
    return part.kind is PartKind.TEXT and part.voice in _VOICES and not _ATTACHED & part.data.keys()


def _fold(step: FoldStep, index: int, part: Part, entries: list[Entry]) -> None:
    state = step.state
    leads = part.voice is Voice.PERSON or not (state.turn_count or state.acted)
    keys = anchors.enter(step, index, entries)
    anchors.supersede(step, index, entries, keys)
    if leads:
        situation.stand(step, index, entries)
    work.enter_tasks(step, entries, leads=leads)
    work.enter_files(step, entries)
    state.carried = True
