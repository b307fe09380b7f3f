"""The styles of a directive, one module each."""

from handoffs.packages.model import Style
from handoffs.packages.styles import concise, narrative, structured
from handoffs.packages.styles.manner import ORDER, Manner

MANNERS: dict[Style, Manner] = {
    Style.STRUCTURED: structured.MANNER,
    Style.CONCISE: concise.MANNER,
    Style.NARRATIVE: narrative.MANNER,
}

__all__ = ["MANNERS", "ORDER", "Manner"]
