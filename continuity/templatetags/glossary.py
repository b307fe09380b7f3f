"""Words of the product with their meaning, where they first stand on a page (docs/glossary.md)."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from continuity.core.thresholds import PASSING_FIDELITY

register = template.Library()

# As docs/glossary.md has them.
MEANINGS = {
    "anchor": "One thing that must not be lost: a decision, constraint, correction, fact, problem, preference, question, commitment or "
    "artifact, in the words of its source.",
    "chain": "Conversations that continue one another, joined by handoffs.",
    "context window": "How many tokens the model can hold. Utilisation is how full it is.",
    "fidelity": "The score of a handoff's check: how much of what it must state its text does state. Below the threshold "
    f"({PASSING_FIDELITY:.0%}) it can't be resumed without an override.",
    "handoff": "A checked package made from one conversation, for whoever takes over.",
    "policy": "When to hand off: thresholds, and whether it happens by itself.",
    "agent": "A process of a team's, registered under a name, that beats and may be given work. Before it was registered: whoever "
    "records a conversation.",
    "budget": "The most tokens that a directive may take.",
    "conversation": "One recorded session of an agent: messages in order, from one tool, in one folder.",
    "dead letter": "An event that a subscriber could not take. It waits to be tried again.",
    "event": "A fact that is stored with the change that it tells of, and delivered after it.",
    "group": "Agents that work together in one conversation, one at a time. In a group a turn is one agent's right to speak, with a lease.",
    "handoff note": "What the outgoing agent tells its successor in its own words, statement by statement: by itself, by its tool's "
    "summary, by a person, or by the configured model.",
    "shared state": "A JSON value under a key that several agents read and write, with all its versions. Not the agent state, one "
    "document that only the present instance of an agent writes.",
    "subscription": "Who is told of which topics, and how far they came.",
    "segment": "A stretch of messages on one topic, summarised at three levels.",
}


@register.simple_tag
def term(word: str, shown: str = "") -> SafeString:
    """The word as a button that opens its meaning, without a script; once a page, since its id is the word's."""
    name = f"term-{word.replace(' ', '-')}"
    return format_html(
        '<button type="button" class="term" popovertarget="{}">{}</button>'
        '<span class="card" id="{}" popover><strong>{}:</strong> {}</span>',
        *(name, shown or word, name, word.capitalize(), MEANINGS[word]),
    )
