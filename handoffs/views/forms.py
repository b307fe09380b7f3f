"""The forms that prepare, change and resume handoffs."""

from collections.abc import Sequence
from typing import Any

from django import forms

from continuity.client.setup.targets import TARGETS
from continuity.knowledge.model import AnchorType
from continuity.models import User
from continuity.views.fields import WordsField
from handoffs.contract.model import Style
from handoffs.models import EditAction
from handoffs.services.chains import offers
from handoffs.services.edits.package_edits import LONGEST, TASK
from handoffs.services.packages import check_override
from handoffs.services.packages.preparation import MAX_BUDGET, MIN_BUDGET

STYLES = {
    Style.STRUCTURED: "Structured: headings and lists",
    Style.CONCISE: "Concise: as few words as possible",
    Style.NARRATIVE: "Narrative: sentences",
}
CHANGES = (EditAction.PIN, EditAction.UNPIN, EditAction.EDIT, EditAction.DISMISS, EditAction.ADD)
NOBODY_CHOSEN = "Choose a teammate to offer it to."
TOOLS = tuple(sorted(TARGETS))  # that Continuity can be put into, as their recorders call them


class PrepareForm(forms.Form):
    budget = forms.IntegerField(
        label="Budget in tokens",
        initial=4000,
        min_value=MIN_BUDGET,
        max_value=MAX_BUDGET,
        help_text=f"{MIN_BUDGET:,} to {MAX_BUDGET:,}. What a person decided or ruled, and open commitments, are never left out.",
    )
    style = forms.ChoiceField(initial=Style.STRUCTURED, choices=[(style.value, label) for style, label in STYLES.items()])

    @property
    def unusual(self) -> bool:
        """Whether an option was chosen that is not the usual one, or can't be: then it stands open."""
        chosen = [self[name] for name in ("budget", "style")]
        return self.is_bound and any(field.errors or str(field.value()) != str(field.initial) for field in chosen)


class HandOverForm(PrepareForm):
    """A handoff, and to whom of the `teammates` it is offered as soon as it is made. One that `gives` the session over needs a teammate."""

    to = forms.ChoiceField(label="To whom", required=False)
    note = WordsField(
        label="Your note for them and their agent",
        required=False,
        max_length=offers.LONGEST,
        widget=forms.Textarea({"rows": 2}),
    )

    def __init__(self, *given: Any, teammates: Sequence[User], gives: bool = False, **more: Any) -> None:
        super().__init__(*given, **more)
        self.fields["to"].required = gives
        self.fields["to"].error_messages["required"] = NOBODY_CHOSEN
        named = [(mate.email, f"{mate} ({mate.email})" if mate.name else mate.email) for mate in teammates]
        self.fields["to"].choices = [("", "Choose a teammate" if gives else "Nobody yet"), *named]  # type: ignore[attr-defined]


class OverrideForm(forms.Form):
    reason = WordsField(
        label="Reason for overriding the failed check",
        max_length=check_override.LONGEST,
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
        help_text="Leave empty to keep the same window for the same tool and model; otherwise the new tool reports it.",
    )
    fork = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def texts(self) -> list[forms.BoundField]:
        """All fields but the fork, which is offered where there is something to fork from."""
        return [field for field in self if field.name != "fork"]


class RemakeForm(PrepareForm):
    note = WordsField(
        label="Your note for whoever resumes",
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 3}),
    )


class OfferForm(forms.Form):
    to = forms.EmailField(error_messages={"required": NOBODY_CHOSEN})
    note = WordsField(required=False, max_length=offers.LONGEST)


class EditForm(forms.Form):
    """A change of a line, named by its key, or by its reference where the key holds a secret; `add` takes a type instead.

    `version` is the one that the page was made of.
    """

    action = forms.ChoiceField(choices=[(action.value, action.label) for action in EditAction if action in CHANGES])
    key = forms.CharField(required=False, max_length=5000, strip=False)
    ref = forms.CharField(required=False, max_length=12)
    type = forms.ChoiceField(required=False, choices=[*((kind.value, kind.value) for kind in AnchorType), (TASK, TASK)])
    text = WordsField(required=False, max_length=LONGEST)
    version = forms.IntegerField(required=False, min_value=1)
