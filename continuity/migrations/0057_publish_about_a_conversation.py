from django.db import migrations

from continuity.upgrades.sql_files import from_file


class Migration(migrations.Migration):
    dependencies = [("continuity", "0056_events_in_one_call")]

    operations = [from_file(__file__, "0057_publish")]
