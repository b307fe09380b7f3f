"""How far packs are rolled out in a team: off, passive (measure only), snapshot, rehydrate."""

from collections.abc import Mapping
from typing import Any

from continuity.core.errors import Invalid
from continuity.core.transactions import atomic
from continuity.models import Team
from continuity.services.accounts import gates
from continuity.services.events import events
from handoffs.capture import CapturePolicy
from handoffs.models import PackMode, PackPolicy
from handoffs.services.packages.authors import Author
from handoffs.services.packages.policies import GATE

EDITABLE = ("mode", "contents", "boundaries", "diff_lines", "drafts_a_day")
BOUNDARIES, GLOB = 50, 200
MOST_DRAFTS = 1_000
GIVING = (PackMode.SNAPSHOT, PackMode.REHYDRATE)  # sessions are given packs


def effective(team: Team) -> PackPolicy:
    """The team's policy for packs; an unsaved row with the defaults where nothing was set. One query."""
    return PackPolicy.objects.filter(team=team).first() or PackPolicy(team=team)


def mode_of(team: Team, policy: PackPolicy) -> PackMode:
    """The mode that works: what needs a higher tier than the team has is passive. No query."""
    mode = PackMode(policy.mode)
    return PackMode.PASSIVE if mode in GIVING and not gates.is_open(team, GATE) else mode


def capture_policy(policy: PackPolicy) -> CapturePolicy:
    return CapturePolicy(diff_lines=policy.diff_lines, of_day=policy.drafts_a_day, boundaries=tuple(policy.boundaries))


@atomic
def change(*, team: Team, changes: Mapping[str, Any], author: Author) -> PackPolicy:
    """Sets fields. Raises Invalid naming the field, GateClosed where the mode needs a higher tier."""
    Team.objects.select_for_update(no_key=True).get(id=team.id)  # of two changes at the same moment one waits
    _check(team, changes)
    row = effective(team)
    for name, value in changes.items():
        setattr(row, name, value)
    row.updated_by = author.user
    row.save()
    events.publish(name="pack_policy.changed", team=team, subject_id=team.id, payload={"fields": sorted(changes), "mode": row.mode})
    return row


def _check(team: Team, changes: Mapping[str, Any]) -> None:
    for name, value in changes.items():
        if name not in EDITABLE:
            raise Invalid(f"{name} can't be changed.", field=name)
        if value is None:
            raise Invalid(f"{name} can't be null.", field=name)
    if (mode := changes.get("mode")) is not None:
        if mode not in PackMode.values:
            raise Invalid(f"mode must be one of {', '.join(PackMode.values)}.", field="mode")
        if mode in GIVING:
            gates.require(team, GATE)
    globs = changes.get("boundaries", [])
    if len(globs) > BOUNDARIES or any(not glob.strip() or len(glob) > GLOB for glob in globs):
        raise Invalid(f"At most {BOUNDARIES} globs of 1 to {GLOB} characters.", field="boundaries")
    if not 1 <= changes.get("diff_lines", 1) <= 1_000_000:
        raise Invalid("diff_lines must lie between 1 and 1,000,000.", field="diff_lines")
    if not 0 <= changes.get("drafts_a_day", 0) <= MOST_DRAFTS:
        raise Invalid(f"drafts_a_day must lie between 0 and {MOST_DRAFTS:,}.", field="drafts_a_day")
