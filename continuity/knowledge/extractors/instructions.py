"""Rules from instructions that no person typed: those of a short system prompt, and of the project's own files.

A tool gives its system prompt, and a project its instruction file, to every session again, so they are referred to and not
repeated; but a session in another tool may lack them, and a rule that forbids is too dear to lose. These are entered, with less
weight than the person's words and never as critical.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from posixpath import basename
from typing import TypeAlias

from continuity.knowledge.anchors import recording
from continuity.knowledge.anchors.keys import digest
from continuity.knowledge.anchors.rules_in_force import FROM
from continuity.knowledge.extractors.shell.line_numbers import Plain, unnumbered
from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.requests import is_request
from continuity.knowledge.language.sentences import Sentence, lowered, split
from continuity.knowledge.language.standing import is_standing
from continuity.knowledge.model import AnchorType, FileAction, Ref, Truth
from continuity.knowledge.rules import apply
from continuity.knowledge.rules.catalogue import Rule, RuleLine, Setting
from continuity.knowledge.rules.prefilter import PrefilteredPattern
from continuity.knowledge.state.step import FoldStep
from continuity.transcripts.base.model import Part, Role
from continuity.transcripts.directive_spans import GAP

PROMPT = 1500  # characters up to which a system prompt is short
PROJECT = 40_000  # characters read of a project's instructions
RULES = 16  # entered from one of them
RULE_CHARS = 400

PROJECT_RULE = "project.rule"
LEAST = 80  # characters of a file that holds rules
NAMED = 200  # characters behind the beginning in which the file is named
_FILE = re.compile(
    r"(?:CLAUDE|AGENTS|GEMINI|CONVENTIONS|CONTRIBUTING)(?:\.local)?\.md|copilot-instructions\.md|\.cursorrules|\.windsurfrules"
)

Match: TypeAlias = Callable[[RuleLine], Rule | None]

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
    r"^(?:start|use|run|stage|prefer|keep|require|follow|read|write|match|apply|design|document|rewrite|no)\b"
    r"|^(?:every|each|all)\b.{1,120}?\b(?:must|should|shall|needs? to|ha(?:s|ve) to|goes?|belongs?)\b"
)
# What binds whoever works there, and what is not done.
_BINDS = re.compile(
    r"\b(?:must|never (?!\w+[^s]s\b)|always (?!\w+ed\b)|do not|don't"
    r"|should not|shouldn't|may only|may not|are not allowed|forbidden|required)\b"
    r"|\b(?:is|are|may|can|should|must)(?: not|n't| never| only)(?: be)? \w+ed\b"
)
_CASE = re.compile(r"(?:if|when|while|once|because|since|as)\b(?![^,]{3,120}, (?:do not|don't|never|always|use|ask|run|stop|you must)\b)")
_LABEL = re.compile(r"^(?:[\w /&-]{2,40}: )")
_WALKED = re.compile(r"(?:check|see|set|show|start|open|list|load|run|test|read|write|store|track|work|plan)s? (?:to|is|are|of|for)\b")
_WRONG_WAYS = re.compile(r"(?:do not|don't|avoid|never|anti|bad|wrong|not to)\b")


def is_instruction_file(path: str) -> bool:
    """Whether a project's instructions to agents stand in a file of this name."""
    return _FILE.fullmatch(basename(path)) is not None


def project_rules(text: str, rule_of: Match) -> list[tuple[float, Sentence]]:
    """The rules of a project's instructions with what each weighs, at most RULES, the gravest first; `rule_of` finds the rule of a line."""
    graded = [(grade, sentence) for sentence in split(text) if (grade := _grade(rule_of, sentence))]
    return sorted(graded, key=lambda each: (-each[0], each[1].index))[:RULES]


def instructed(step: FoldStep, part: int) -> None:
    """Enter the rules that a text in the harness' voice holds."""
    text = step.message.parts[part].text
    if step.message.parts[part].data.get("demonstration"):
        return
    if begins := _BEGINS.search(text[:PROJECT]):
        ends = _ENDS.search(text, begins.end())
        start, end = begins.start(), min(ends.start() if ends else len(text), begins.start() + PROJECT)
        named = _FILE.search(text, start, begins.end() + NAMED)
        _project(step, part, unnumbered(text[start:end]), start, named[0] if named else "")
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
        rule = _rule(step.rule_of, sentence)
        if rule is not None:
            ref = Ref(step.seq, part, sentence.start, sentence.end)
            recording.found(step, rule.type, sentence.text, ref, rule.importance, Truth.STATED, f"system.{rule.name}")


def shown(step: FoldStep, index: int, part: Part) -> None:
    """Enter the rules of a project's instruction file when the agent is first shown it."""
    pending = step.state.pending.get(part.call_id)
    if pending is None or part.failed or len(part.text) < LEAST:
        return
    path = next((each.path for each in pending.effects if each.action is FileAction.READ and is_instruction_file(each.path)), "")
    if not path or step.state.known.get(digest(f"rules {path}")) is not None:
        return
    step.state.known.put(digest(f"rules {path}"), "rules")
    _project(step, index, unnumbered(part.text[:PROJECT]), 0, basename(path))


def _project(step: FoldStep, part: int, plain: Plain, offset: int, source: str) -> None:
    """The rules of a project's instructions, those first that forbid what is hard to undo; `source` names their file."""
    kept = project_rules(plain.text, step.rule_of)
    method = f"{PROJECT_RULE}{FROM}{source}" if source else PROJECT_RULE
    for grade, sentence in sorted(kept, key=lambda each: each[1].index):
        ref = Ref(step.seq, part, offset + plain.at(sentence.start), offset + plain.at(sentence.end))
        recording.found(step, AnchorType.CONSTRAINT, sentence.text, ref, grade, Truth.OBSERVED, method, critical=False)


def _called(step: FoldStep, part: int) -> None:
    """Of the instructions that were called up, what orders the work, said with stress: of their many rules it holds beyond the moment."""
    found = 0
    for sentence in split(step.message.parts[part].text[:PROJECT]):
        if found == CALLED or len(sentence.text) > RULE_CHARS or sentence.kind not in (BlockKind.PROSE, BlockKind.ITEM):
            continue
        rule = _rule(step.rule_of, sentence) if _STRESS.search(sentence.text) else None
        if rule is not None and rule.name in _ORDERED:
            ref = Ref(step.seq, part, sentence.start, sentence.end)
            recording.found(step, AnchorType.CONSTRAINT, sentence.text, ref, WEIGHT, Truth.OBSERVED, "skill.rule", critical=False)
            found += 1


def _grade(rule_of: Match, sentence: Sentence) -> float:
    """What a sentence of a project's instructions weighs; 0 where it is no rule, but tells how things are, or what is not to be done by
    its heading alone."""
    if len(sentence.text) > RULE_CHARS or sentence.kind not in (BlockKind.PROSE, BlockKind.ITEM) or _WRONG_WAYS.search(sentence.under):
        return 0.0
    low = _LABEL.sub("", lowered(sentence.text))
    binds = _ORDERS.match(low) or _BINDS.search(low) or (is_request(low) and not _WALKED.match(low)) or is_standing(low)
    if not binds or _CASE.match(low):
        return 0.0
    rule = _rule(rule_of, sentence)
    if rule is None:
        grade = 0.4 if sentence.kind is BlockKind.ITEM else 0.0
    else:
        grade = 0.6 if rule.name in _FORBIDS else 0.52 if rule.name in _DEMANDS else 0.45
    grade += 0.1 if grade and _STRESS.search(sentence.text) else 0.0
    return grade + 0.15 if grade and _GRAVE.search(low) else grade


def _rule(rule_of: Match, sentence: Sentence) -> Rule | None:
    rule = rule_of(RuleLine.of(sentence, Setting.PERSON)) if apply.is_prose(sentence.text) else None
    return rule if rule is not None and rule.type in (AnchorType.CONSTRAINT, AnchorType.PREFERENCE) else None
