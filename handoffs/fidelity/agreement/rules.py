"""Lines that bind: a person's standing word, or a project's rule, and nothing else."""

from __future__ import annotations

from handoffs.fidelity.agreement.evidence import RawEvidence
from handoffs.fidelity.agreement.model import ClaimedLine, Disagreement, DisagreementCode
from handoffs.fidelity.agreement.reasons import against, at, quoted
from handoffs.fidelity.probes import imperatives, sentence_forms
from handoffs.fidelity.probes.speech import is_of_program
from handoffs.fidelity.probes.timeline import MASKED
from handoffs.fidelity.probes.timeline import SAID as SAID_MOST
from handoffs.fidelity.probes.turns import SHORT
from handoffs.fidelity.probes.words import words_of

SAID = 0.6
WITHIN = 0.8  # of its words, where they stand in several sentences of one message
ORDER = 240  # characters of a message that may be one order


def rule(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    """A rule is in the words of a person, or of a project's file, and holds beyond the request that it was said in."""
    text = line.words.strip().strip('“”"')
    if any(sentence_forms.hashed(part) in known.course.rules for part in sentence_forms.lines_of(text)):
        return None
    if is_of_program(text):
        return against(line, DisagreementCode.RULE_UNSAID, "A program printed this; no person laid it down.")
    if line.binds and MASKED in text:
        return None  # the timeline keeps no sentence with a secret: that it has none of these words says nothing
    words = words_of(text)
    said = known.said.like(words, SAID) or known.asked.like(words, SAID) or known.messages.like(words, WITHIN)
    if said is None:
        if known.course.carried or known.course.unread or len(known.course.said) >= SAID_MOST:
            return None
        return against(line, DisagreementCode.RULE_UNSAID, "No person and no file of the project's rules was found to say this.")
    if text.rstrip().endswith((":", "?")):
        return against(line, DisagreementCode.RULE_FOR_ONCE, f"This only leads up to something, or asks{at(said.seq)}.", said.seq)
    if sentence_forms.for_good(text):
        return None
    turn = known.turn_at(said.seq)
    if turn is None:
        return None
    if turn.size <= SHORT and not sentence_forms.lays_down(text):
        return against(
            line, DisagreementCode.RULE_FOR_ONCE, f"“{quoted(turn.words)}”{at(turn.seq)} was an answer or an order for once.", said.seq
        )
    if known.is_over(turn) and not sentence_forms.lays_down(text) and not imperatives.forbids(text):
        return against(line, DisagreementCode.RULE_FOR_ONCE, f"This was part of what was asked{at(turn.seq)}, which is over.", said.seq)
    return None


def bound(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    """A binding line outside of the rules disagrees where it is an order that was carried out."""
    if not line.binds:
        return None
    if line.words.rstrip(" *").endswith(":"):
        return against(line, DisagreementCode.RULE_FOR_ONCE, "This only leads up to what bound, and binds nothing itself.")
    said = known.said.like(words_of(line.words), SAID)
    turn = known.turn_at(said.seq) if said else None
    if said is None or turn is None or not known.is_over(turn) or turn.size > ORDER:
        return None
    if sentence_forms.lays_down(line.words) or imperatives.settles(line.words) or not (turn.edits or turn.commits):
        return None
    return against(line, DisagreementCode.RULE_FOR_ONCE, f"This was part of what was asked{at(turn.seq)}, which is over.", said.seq)
