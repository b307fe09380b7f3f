"""How a disagreement is put into words."""

from __future__ import annotations

from handoffs.fidelity.agreement.model import ClaimedLine, Disagreement, DisagreementCode

QUOTED = 80


def against(line: ClaimedLine, code: DisagreementCode, reason: str, seq: int = 0) -> Disagreement:
    return Disagreement(code, line.telling, line.number, quoted(line.words, 2 * QUOTED), reason, seq)


def quoted(text: str, most: int = QUOTED) -> str:
    words = " ".join(text.split())
    return words if len(words) <= most else f"{words[:most].rstrip()}…"


def at(seq: int) -> str:
    return f" in message {seq}" if seq else ""
