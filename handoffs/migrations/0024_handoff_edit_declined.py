"""The history of a handoff tells that an offer was declined, and why."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("handoffs", "0023_handoff_made_with"),
    ]

    operations = [
        migrations.AlterField(
            model_name="handoffedit",
            name="action",
            field=models.CharField(
                choices=[
                    ("pin", "Pin"),
                    ("unpin", "Unpin"),
                    ("edit", "Edit"),
                    ("dismiss", "Dismiss"),
                    ("add", "Add"),
                    ("regenerate", "Regenerate"),
                    ("ready", "Ready"),
                    ("withdraw", "Withdraw"),
                    ("accept", "Accept"),
                    ("decline", "Decline"),
                ],
                max_length=10,
            ),
        ),
    ]
