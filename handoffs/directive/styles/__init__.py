"""The styles of a directive, one module each."""

from handoffs.contract.model import Style
from handoffs.directive.styles import concise, narrative, structured
from handoffs.directive.styles.template import ORDER, StyleTemplate

MANNERS: dict[Style, StyleTemplate] = {
    Style.STRUCTURED: structured.MANNER,
    Style.CONCISE: concise.MANNER,
    Style.NARRATIVE: narrative.MANNER,
}

__all__ = ["MANNERS", "ORDER", "StyleTemplate"]
