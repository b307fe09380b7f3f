"""A conversation's context window may be unknown, and states from where it is known; a team may set windows by model; it also knows which of its folder and branch a caller gave.

What was taken for 200,000 tokens without anybody saying so is looked up anew by the model, else becomes unknown.
"""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from continuity.windows import Evidence, WindowSource, resolve

ASSUMED = 200_000
TELLING = ("codex", "copilot-cli")  # tools that write their window into their sessions


def learn(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """A few statements for each model; no row is read."""
    rows = apps.get_model("continuity", "Conversation").objects
    told = rows.exclude(max_context_tokens=ASSUMED)
    for source, chosen in ((WindowSource.TRANSCRIPT, told.filter(source_tool__in=TELLING)), (WindowSource.SETTING, told.exclude(source_tool__in=TELLING))):
        for tokens, model in chosen.filter(window_source="").order_by().values_list("max_context_tokens", "model").distinct():
            evidence = Evidence(model=model).told(source, tokens)
            same = chosen.filter(window_source="", max_context_tokens=tokens, model=model)
            same.update(window_source=source.value, window_evidence=evidence.to_json())
    assumed = rows.filter(max_context_tokens=ASSUMED, window_source="")
    for model in assumed.order_by().values_list("model", flat=True).distinct():
        same = assumed.filter(model=model)
        known = resolve(Evidence(model=model), {})
        above = Evidence(model=model).seen(model, same.aggregate(most=models.Max("context_tokens"))["most"] or 0)
        larger = resolve(above, {})
        if larger.source is WindowSource.USAGE:
            much = same.filter(context_tokens__gt=known.tokens or ASSUMED)
            much.update(max_context_tokens=larger.tokens, window_source=larger.source.value, window_evidence=above.to_json())
        values = {"max_context_tokens": known.tokens, "window_source": known.source.value}
        same.filter(window_source="").update(**values, window_evidence=Evidence(model=model).to_json())


class Migration(migrations.Migration):
    dependencies = [("continuity", "0028_isolation")]

    operations = [
        migrations.AddField("team", "windows", models.JSONField(blank=True, db_default={}, default=dict)),
        migrations.AddField("conversation", "window_evidence", models.JSONField(blank=True, db_default={}, default=dict)),
        migrations.AddField(
            "conversation",
            "window_source",
            models.CharField(
                blank=True,
                choices=[(source.value, source.value) for source in WindowSource],
                db_default="",
                default="",
                max_length=12,
            ),
        ),
        migrations.AddField("conversation", "given", models.JSONField(blank=True, db_default={}, default=dict)),
        migrations.AlterField("conversation", "max_context_tokens", models.PositiveIntegerField(blank=True, null=True)),
        migrations.RunPython(learn, migrations.RunPython.noop, elidable=True),
    ]
