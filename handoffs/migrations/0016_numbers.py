"""A number of its own for each package of a chain, and who prepared it, whoever owns it now."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# Who prepared one that was handed over since is not known any more.
NUMBER = """
UPDATE session_handoffs AS its SET number = known.number, made_by_id = CASE WHEN its.automatic OR EXISTS (
    SELECT FROM handoffs_offeranswer AS answer WHERE answer.handoff_id = its.id AND answer.accepted
) THEN NULL ELSE its.owner_id END
FROM (SELECT id, row_number() OVER (PARTITION BY chain_id ORDER BY created_at, id) AS number FROM session_handoffs) AS known
WHERE known.id = its.id
"""
CHAINS = """
UPDATE handoff_chains AS its SET numbered = known.most
FROM (SELECT chain_id, max(number) AS most FROM session_handoffs GROUP BY chain_id) AS known WHERE known.chain_id = its.id
"""


class Migration(migrations.Migration):
    dependencies = [("handoffs", "0015_rules_in_order"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.AddField("handoffchain", "numbered", models.PositiveIntegerField(db_default=0, default=0)),
        migrations.AddField("handoff", "number", models.PositiveIntegerField(db_default=1, default=1)),
        migrations.AddField(
            "handoff",
            "made_by",
            models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunSQL(NUMBER, migrations.RunSQL.noop),
        migrations.RunSQL(CHAINS, migrations.RunSQL.noop),
    ]
