"""A bank of questions that a directive should answer, kept as messages arrive by rules of its own.

Nothing here knows how anchors are found: a question that only repeats the finder would miss what the finder misses.
"""

from handoffs.fidelity.probes.answers import Answer, ask, shares
from handoffs.fidelity.probes.bank import READER, VERSION, Bank
from handoffs.fidelity.probes.model import Probe, ProbeKind
from handoffs.fidelity.probes.questions import questions
from handoffs.fidelity.probes.timeline import Timeline

__all__ = ["READER", "VERSION", "Answer", "Bank", "Probe", "ProbeKind", "Timeline", "ask", "questions", "shares"]
