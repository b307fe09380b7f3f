"""Agreement: whether each line of a directive agrees with what happened, judged by raw evidence and not by the labels it stands under."""

from handoffs.fidelity.agreement.directive_claims import claimed_lines
from handoffs.fidelity.agreement.evidence import RawEvidence
from handoffs.fidelity.agreement.judgement import agreement_of, disagreements
from handoffs.fidelity.agreement.model import ClaimedLine, Disagreement, DisagreementCode

__all__ = ["ClaimedLine", "Disagreement", "DisagreementCode", "RawEvidence", "agreement_of", "claimed_lines", "disagreements"]
