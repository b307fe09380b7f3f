"""A job that failed can be dismissed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("continuity", "0020_anchor_latest")]

    operations = [migrations.AddField("job", "dismissed", models.BooleanField(default=False, db_default=False))]
