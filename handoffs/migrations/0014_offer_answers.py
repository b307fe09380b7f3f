"""What was answered to an offer is told to whoever made it. Processes of the version before still write resumptions."""

import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('continuity', '0021_dismissed_jobs'),
        ('handoffs', '0013_known_by_directive'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='OfferAnswer',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('accepted', models.BooleanField()),
                ('answered_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('giver', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('handoff', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='handoffs.handoff')),
                ('team', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.team')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('handoff', 'giver'), name='offer_answer_once')],
            },
        ),
        # An answer belongs to the team of its handoff.
        migrations.RunSQL(
            'ALTER TABLE handoffs_offeranswer ADD CONSTRAINT handoffs_offeranswer_handoff_id_same_team FOREIGN KEY (handoff_id, team_id) '
            'REFERENCES session_handoffs (id, team_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED',
            'ALTER TABLE handoffs_offeranswer DROP CONSTRAINT handoffs_offeranswer_handoff_id_same_team',
        ),
        migrations.AlterField('resumption', 'directive_digest', models.CharField(blank=True, max_length=64, default='', db_default='')),
    ]
