"""The forms that prepare and resume handoffs."""

from django import forms

from handoffs.packages.model import Style
from handoffs.services.overriding import LONGEST
from handoffs.services.preparation import MAX_BUDGET, MIN_BUDGET

STYLES = {
    Style.STRUCTURED: "Structured: headings and lists",
    Style.CONCISE: "Concise: as few words as possible",
    Style.NARRATIVE: "Narrative: sentences",
}
TOOLS = ("claude_code", "codex", "cursor", "gemini_cli", "opencode")


class PrepareForm(forms.Form):
    budget = forms.IntegerField(
        label="Budget in tokens",
        initial=4000,
        min_value=MIN_BUDGET,
        max_value=MAX_BUDGET,
        help_text=f"{MIN_BUDGET:,} to {MAX_BUDGET:,}. Rules, decisions and open commitments are never left out.",
    )
    style = forms.ChoiceField(initial=Style.STRUCTURED, choices=[(style.value, label) for style, label in STYLES.items()])


class OverrideForm(forms.Form):
    reason = forms.CharField(
        label="Let this package pass although its check failed, because",
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 3}),
        help_text="Kept with your name, the time and what was missing.",
    )


class ResumeForm(forms.Form):
    source_tool = forms.CharField(
        label="Tool",
        required=False,
        max_length=40,
        help_text="Leave empty to stay in the same tool.",
        widget=forms.TextInput({"list": "tools", "autocomplete": "off"}),
    )
    model = forms.CharField(required=False, max_length=120, help_text="Leave empty for the same model.")
    max_context_tokens = forms.IntegerField(
        label="Context window in tokens",
        required=False,
        min_value=1000,
        max_value=100_000_000,
        help_text="Leave empty for the same size.",
    )
    fork = forms.BooleanField(label="Open a second branch from this handoff", required=False)

    def texts(self) -> list[forms.BoundField]:
        """All fields but the fork, which is offered where there is something to fork from."""
        return [field for field in self if field.name != "fork"]
