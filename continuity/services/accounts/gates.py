"""Licence tiers and the features that they open (the specifications' gate keys)."""

from continuity.core.errors import GateClosed
from continuity.models import Team, Tier

GATES: dict[str, Tier] = {
    "Agents.Continuity.Model": Tier.WRITER_PRO,
    "Agents.Continuity.Storage": Tier.WRITER_PRO,
    "Agents.Continuity.Directive": Tier.WRITER_PRO,
    "Agents.Continuity.Service": Tier.TEAMS,
    "Agents.Continuity.TaskExtractor": Tier.TEAMS,
    "Agents.Continuity.Metrics": Tier.TEAMS,
    "Agents.Compression.Levels": Tier.WRITER_PRO,
    "Agents.Compression.Tags": Tier.TEAMS,
}


def is_open(team: Team, gate: str) -> bool:
    return team.tier >= GATES[gate]


def require(team: Team, gate: str) -> None:
    """Raises GateClosed (403), naming gate and tier, unless the team's tier opens `gate`."""
    if not is_open(team, gate):
        raise GateClosed(gate=gate, tier=GATES[gate].label, current=Tier(team.tier).label)
