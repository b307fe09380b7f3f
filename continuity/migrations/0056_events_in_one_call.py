"""Publishing, handing out and acknowledging events in one round trip each: a connection plans the statements of a function once."""

from django.db import migrations

from continuity.upgrades.sql_files import from_file


class Migration(migrations.Migration):
    dependencies = [("continuity", "0055_groups_held_up")]

    operations = [from_file(__file__, f"0056_{name}") for name in ("key_holds", "publish", "take", "acknowledge")]
