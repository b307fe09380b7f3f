"""In words, by what an anchor was found that no rule of the catalogue found."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ACCEPTED = "decision.accepted"  # the method of a decision that the agent proposed; its reason is the person's answer

ANSWERED, ASKED = "decision.answered", "decision.asked"  # of a decision that answers the agent's question, which is its reason

# By the anchor's `method`, or where that goes on behind it (`project.rule@AGENTS.md`), by how it begins.
METHODS: Mapping[str, str] = MappingProxyType(
    {
        "added.agent": "An agent added it by hand",
        "added.person": "A person added it by hand",
        "by hand": "It was recorded by hand",
        "commitment.listed": "The person put it off for later",
        "commitment.person": "The person promises something",
        "correction.refusal": "The person said it when they refused a call of a tool",
        ACCEPTED: "The agent proposed it, and the person agreed",
        ANSWERED: "The person answered a question of the agent’s",
        ASKED: "The person chose it in a form that the agent showed",
        "decision.plan": "The person approved a plan with this title",
        "directive": "The directive that the session started from states it",
        "document.told": "A document that the person named states it",
        "error.command": "A command printed it when it failed",
        "error.pasted": "The person pasted it as output",
        "error.told": "The tool reported it of itself",
        "failed.undone": "The tool took its own commit back",
        "model": "The configured model proposed it, and its quotation was checked",
        "note.written": "The agent wrote it down in a note of its tool",
        "project.rule": "A file of the project states it as a rule",
        "question.agent": "The agent asks it at the end of its turn",
        "question.person": "The person asks it",
        "question.undecided": "The person says that it is not decided yet",
        "section.causes": "It stands under a heading about causes or findings",
        "section.constraints": "It stands under a heading about rules or requirements",
        "section.decisions": "It stands under a heading about decisions",
        "section.failed": "It stands under a heading about what did not work",
        "section.labelled": "It stands in a list of the person’s, behind a label",
        "section.problems": "It stands under a heading about known problems",
        "section.questions": "It stands under a heading about open questions",
        "section.verification": "It stands under a heading about how to check the work",
        "skill.rule": "A skill that the agent loaded states it as a rule",
        "system": "The instructions that the agent runs under state it",
        "ticket": "The ticket states it as a rule",
    }
)


def found_in_words(method: str) -> str:
    """By what an anchor with this `method` was found; empty where that is a rule of the catalogue, or unknown."""
    if method in METHODS:
        return METHODS[method]
    whole = method.partition("@")[0]
    return METHODS.get(whole) or METHODS.get(whole.partition(".")[0], "")
