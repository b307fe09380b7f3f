"""Tiers open gates; a refusal names gate and tier."""

import pytest

from continuity.core.errors import GateClosed
from continuity.models import Team, Tier
from continuity.services.accounts import gates


def test_it_works():
    gates.require(Team(tier=Tier.TEAMS), "Agents.Continuity.Metrics")


@pytest.mark.parametrize(
    ("tier", "gate", "is_open"),
    [
        (Tier.CORE, "Agents.Continuity.Model", False),
        (Tier.WRITER_PRO, "Agents.Continuity.Model", True),
        (Tier.WRITER_PRO, "Agents.Continuity.Storage", True),
        (Tier.WRITER_PRO, "Agents.Continuity.Metrics", False),
        (Tier.TEAMS, "Agents.Continuity.Service", True),
        (Tier.ENTERPRISE, "Agents.Compression.Tags", True),
    ],
)
def test_a_tier_opens_its_gates_and_those_below(tier, gate, is_open):
    assert gates.is_open(Team(tier=tier), gate) is is_open


def test_a_refusal_names_gate_and_tier():
    with pytest.raises(GateClosed, match=r"Agents\.Continuity\.Storage.*Writer Pro.*Core") as caught:
        gates.require(Team(tier=Tier.CORE), "Agents.Continuity.Storage")
    assert caught.value.status == 403
