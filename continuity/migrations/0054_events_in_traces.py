from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("continuity", "0052_checked_out_commits")]

    operations = [
        migrations.AddField(
            model_name="event",
            name="traceparent",
            field=models.CharField(blank=True, db_default="", default="", max_length=55),
        ),
    ]
