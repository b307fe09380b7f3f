"""Agreement: whether each line of a directive agrees with what happened, judged by raw evidence and not by the labels it stands under."""

from handoffs.fidelity.agreement.directive_claims import told_lines
from handoffs.fidelity.agreement.evidence import RawEvidence
from handoffs.fidelity.agreement.judgement import agreement_of, disagreements
from handoffs.fidelity.agreement.model import Disagreement, DisagreementCode, ToldLine

__all__ = ["Disagreement", "DisagreementCode", "RawEvidence", "ToldLine", "agreement_of", "disagreements", "told_lines"]
