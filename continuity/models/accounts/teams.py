"""Teams, which own everything, and the people in them."""

from django.conf import settings
from django.db import models

from continuity.models.base import StoredModel


class Tier(models.IntegerChoices):
    """Licence tiers in their order: a higher one has everything of those below."""

    CORE = 0, "Core"
    WRITER_PRO = 1, "Writer Pro"
    TEAMS = 2, "Teams"
    ENTERPRISE = 3, "Enterprise"


class Role(models.IntegerChoices):
    """What a member may do; a higher role may do everything of those below."""

    VIEWER = 0, "Viewer"
    MEMBER = 1, "Member"
    OPERATOR = 2, "Operator"
    OWNER = 3, "Owner"


class Team(StoredModel):
    """A team; the one of a `demo` is made up, is named so on its pages, and does not count in the metrics of the installation.

    `windows` are the context windows that it set, in tokens by the beginning of a model's name (`*`: every other model).
    """

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=120)
    tier = models.PositiveSmallIntegerField(choices=Tier.choices, default=Tier.TEAMS)
    demo = models.BooleanField(default=False)
    windows = models.JSONField(default=dict, db_default={}, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(tier__in=Tier.values), name="team_tier_known")]

    def __str__(self) -> str:
        return self.name


class Membership(StoredModel):
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.PositiveSmallIntegerField(choices=Role.choices, default=Role.MEMBER)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "team"], name="membership_once"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.team_id}"
