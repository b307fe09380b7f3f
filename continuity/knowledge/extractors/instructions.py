"""Rules from instructions that no person typed: those of a short system prompt, and of the project's own files.

A tool gives its system prompt, and a project its instruction file, to every session again, so they are referred to and not
repeated; but a session in another tool may lack them, and a rule that forbids is too dear to lose. These are entered, with less
weight than the person's words and never as critical.
"""

from __future__ import annotations

import re

from continuity.knowledge.anchors import recording
from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.sentences import Sentence, lowered, split
from continuity.knowledge.model import AnchorType, Ref, Truth
from continuity.knowledge.rules import apply
from continuity.knowledge.rules.catalogue import Rule, RuleLine, Setting
from continuity.knowledge.rules.prefilter import PrefilteredPattern
from continuity.knowledge.state.step import FoldStep
from continuity.transcripts.base.model import Role
from continuity.transcripts.directive_spans import GAP

PROMPT = 1500  # characters up to which a system prompt is short
PROJECT = 40_000  # characters read of a project's instructions
RULES = 8  # entered from one of them
RULE_CHARS = 400

# Where a project's instructions begin, in a text of their own or within a tool's system prompt.
_BEGINS = PrefilteredPattern(
    r"# AGENTS\.md instructions\b|<(?:custom_instructions?|INSTRUCTIONS|project_instructions|user_instructions|repository_instructions)>"
    r"|^INSTRUCTIONS:[ \t]*$|\A<(?:/pr_description|/issue_description|/problem_statement|/issue)>"
    r"|\bContents of \S*(?:CLAUDE|AGENTS|GEMINI)(?:\.local)?\.md\b|^# (?:Project|Repository|Repo) (?:guidelines|instructions|rules)\b",
    re.M | re.I,
)
_ENDS = re.compile(r"</(?:custom_instructions?|INSTRUCTIONS|project_instructions|user_instructions|repository_instructions)>", re.I)
# Instructions that a person called up for what they want done now: a skill.
_CALLED = re.compile(r"\ABase directory for this skill: ")
CALLED = 3  # entered from one of them
WEIGHT = 0.5  # of each: the next session can call them up too
_STRESS = re.compile(r"\b(?:NOT|NEVER|CANNOT|MUST|ONLY|ALWAYS|FIRST|BEFORE|AFTER)\b")
_FORBIDS = frozenset(("constraint.never", "constraint.prohibit", "constraint.forbid", "constraint.avoid", "constraint.without"))
_DEMANDS = frozenset(("constraint.always", "constraint.must", "constraint.only", "constraint.standing", "constraint.ensure"))
_ORDERED = frozenset(("constraint.order", "constraint.standing"))
# What is hard to undo, or to explain afterwards.
_GRAVE = re.compile(
    r"\b(?:push|force|stash|reset|rebase|main|master|production|prod|deploy|release|publish|delete|drop|secrets?|credentials?|tokens?"
    r"|keys?|commit|merge|pull request|branch|migrations?|database|private|public)\b"
)
_ORDERS = re.compile(
    r"^(?:start|use|run|stage|prefer|keep|require|follow|read|write|match|apply|design|document|rewrite|every|each|all|no)\b"
)


def instructed(step: FoldStep, part: int) -> None:
    """Enter the rules that a text in the harness' voice holds."""
    text = step.message.parts[part].text
    if step.message.parts[part].data.get("demonstration"):
        return
    if begins := _BEGINS.search(text[:PROJECT]):
        ends = _ENDS.search(text, begins.end())
        _project(step, part, begins.start(), min(ends.start() if ends else len(text), begins.start() + PROJECT))
    elif _CALLED.match(text):
        _called(step, part)
    elif step.message.role is Role.SYSTEM and not step.state.phase and not step.state.turn_count:
        _prompt(step, part)


def _prompt(step: FoldStep, part: int) -> None:
    """The rules of a short system prompt hold like the person's; a long one is given to every session anyway."""
    text = step.message.parts[part].text
    if len(text.replace(GAP, "")) > PROMPT or text.lstrip().startswith("<"):
        return
    for sentence in split(text):
        rule = _rule(step, sentence)
        if rule is not None:
            ref = Ref(step.seq, part, sentence.start, sentence.end)
            recording.found(step, rule.type, sentence.text, ref, rule.importance, Truth.STATED, f"system.{rule.name}")


def _project(step: FoldStep, part: int, start: int, end: int) -> None:
    """The rules of a project's instructions, those first that forbid what is hard to undo."""
    graded = [(grade, sentence) for sentence in split(step.message.parts[part].text[start:end]) if (grade := _grade(step, sentence))]
    kept = sorted(graded, key=lambda each: (-each[0], each[1].index))[:RULES]
    for grade, sentence in sorted(kept, key=lambda each: each[1].index):
        ref = Ref(step.seq, part, start + sentence.start, start + sentence.end)
        recording.found(step, AnchorType.CONSTRAINT, sentence.text, ref, grade, Truth.OBSERVED, "project.rule", critical=False)


def _called(step: FoldStep, part: int) -> None:
    """Of the instructions that were called up, what orders the work, said with stress: of their many rules it holds beyond the moment."""
    found = 0
    for sentence in split(step.message.parts[part].text[:PROJECT]):
        if found == CALLED or len(sentence.text) > RULE_CHARS or sentence.kind not in (BlockKind.PROSE, BlockKind.ITEM):
            continue
        rule = _rule(step, sentence) if _STRESS.search(sentence.text) else None
        if rule is not None and rule.name in _ORDERED:
            ref = Ref(step.seq, part, sentence.start, sentence.end)
            recording.found(step, AnchorType.CONSTRAINT, sentence.text, ref, WEIGHT, Truth.OBSERVED, "skill.rule", critical=False)
            found += 1


def _grade(step: FoldStep, sentence: Sentence) -> float:
    """What a sentence of a project's instructions weighs; 0 where it is no rule."""
    if len(sentence.text) > RULE_CHARS or sentence.kind not in (BlockKind.PROSE, BlockKind.ITEM):
        return 0.0
    rule = _rule(step, sentence)
    low = lowered(sentence.text)
    if rule is None:
        grade = 0.4 if sentence.kind is BlockKind.ITEM and _ORDERS.match(low) else 0.0
    else:
        grade = 0.6 if rule.name in _FORBIDS else 0.52 if rule.name in _DEMANDS else 0.45
    grade += 0.1 if grade and _STRESS.search(sentence.text) else 0.0
    return grade + 0.15 if grade and _GRAVE.search(low) else grade


def _rule(step: FoldStep, sentence: Sentence) -> Rule | None:
    rule = step.rule_of(RuleLine.of(sentence, Setting.PERSON)) if apply.is_prose(sentence.text) else None
    return rule if rule is not None and rule.type in (AnchorType.CONSTRAINT, AnchorType.PREFERENCE) else None
