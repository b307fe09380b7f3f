"""Reading what was said: each sentence is held against the rules, and what one finds is entered with its reason and place."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from continuity.knowledge.anchor_types import ADDRESSED, FINDINGS
from continuity.knowledge.anchors import claims, recording
from continuity.knowledge.anchors.thoughts import unsaid
from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.content_words import content, is_identifier, tokens
from continuity.knowledge.language.reply_structure import announces
from continuity.knowledge.language.sections import is_labelled, section_of
from continuity.knowledge.language.sentences import Sentence, lowered
from continuity.knowledge.language.subjects import covers, reason
from continuity.knowledge.model import AnchorType, Ref, Truth
from continuity.knowledge.rules.catalogue import RuleLine, Setting
from continuity.knowledge.state.step import FoldStep

PER_MESSAGE = 40  # anchors that one message can yield
HEAD = 800  # sentences read at the beginning of a very long text
TAIL = 400  # and at its end
UNSAID = 0.1  # what a finding loses by having been thought and not said
SHOWN = 400  # characters of an agent's lead-in with the code that it leads to
BRIEF = 1500  # characters from which the person's text is a brief

ABOUT = 3  # sentences before one that points back
# How a rule begins that says by itself not what it is about.
_POINTS_BACK = re.compile(
    r"(?:(?:and|but|so|also|please|ok(?:ay)?)[, ]+)*(?:(?:that|this|it|which|same|the same|all of (?:that|this|it)|these|those)"
    r"(?: (?:also|always))? (?:goes|holds|applies|counts|is a rule|stays)|(?:goes|holds|applies|counts) for\b"
    r"|leave (?:that|this|it|those|these)\b"
    r"|(?:das|dies|gleiches|dasselbe) gilt|gilt (?:für|auch))"
)

# "Like there should always be one" says what they expect to see.
_LIKENS = re.compile(r"(?:(?:and|but|so|i mean)[, ]+)*like,? (?:there|when|if|for|in)\b", re.I)
# A person's example decides nothing, nor does an aside in brackets; words that end in what comes of it tell of a fault, and rule nothing.
_EXAMPLE = re.compile(r"(?:for (?:example|instance)|e\.g\.|zum beispiel|z\. ?b\.|par exemple|por ejemplo)(?!\w)", re.I)
_IN_BRACKETS = re.compile(r"\([^()]*\)[.!]?", re.S)
_FAULT = re.compile(r"[,;–—-] ?(?:leading to|resulting in|causing|which (?:causes|leads to|results in))\b", re.I)
# How a sentence ends that names an option by its number alone: what it is stands behind.
_BY_NUMBER = re.compile(r"\b(?:at|with|for|option|do|take|use|try|prefer|like|choose|pick|number)\s+#?\d\.\Z", re.I)

RESTATED = 0.8  # of an agent's words that a request holds which says the same
_RAW = re.compile(r"[{}<>|=;$\\/_\[\]()\d:%#@~^&*+\"'`.,-]")
_LOG = re.compile(
    r"^(?:\[?\d{4}-\d\d-\d\d|\w{3}\s+\d+ \d\d:\d\d|\d\d:\d\d:\d\d|\s*at \S+ ?\(|Traceback|File \"|\[[A-Z]\w+\] |[❯$➜⏺⎿>%]"
    r"\s|[+-]{1,3} ?\S+$|[^\s@]{1,64}@[^\s@:]{1,255}:)"
)


def stretches(sentences: list[Sentence]) -> list[list[Sentence]]:
    """The parts of a text that are read: all of it, or the beginning and the end of a very long one."""
    return [sentences] if len(sentences) <= HEAD + TAIL else [sentences[:HEAD], sentences[-TAIL:]]


def is_prose(text: str) -> bool:
    """Whether a person or agent wrote this as words: pasted logs, code and data are not statements."""
    if _LOG.match(text):
        return False
    marks = len(_RAW.findall(text))
    names = sum(len(t) for t in tokens(text) if is_identifier(t)) if marks > len(text) * 0.2 else 0
    return marks <= (len(text) - names) * 0.25 + names * 0.6 + 4 and " " in text.strip()


_COURTESY = re.compile(r"(?:my (?:sincere )?apologies|i apologi[sz]e|(?:so |i'm |i am )?sorry|thank you|thanks)\b[^,;:]{0,40}$", re.I)
# Code between fences or on a line of its own, behind a lead-in.
_CODE = re.compile(
    r"\s*\n[ \t]*(?:(?P<fence>```|~~~)[^\n]*\n(?:(?!\s*(?P=fence))[^\n]*\n){0,20}[ \t]*(?P=fence)|`[^`\n]{1,300}`(?=[ \t]*(?:\n|\Z)))"
)


@dataclass(frozen=True, slots=True)
class _Finding:
    """What a sentence holds; `joins` is the neighbour that it is read together with where it is short."""

    type: AnchorType
    importance: float
    method: str
    critical: bool | None = None
    joins: str = ""


def read(
    step: FoldStep, part: int, offset: int, sentences: list[Sentence], setting: Setting, truth: Truth, *, thought: bool = False
) -> list[str]:
    """Enter the anchors that the rules find in `sentences` of a part's text (their offsets begin at `offset`); a `thought` weighs
    less than words, is never critical, and asks and promises nothing.

    Returns the keys entered, in order.
    """
    source = step.message.parts[part].text
    brief = setting is Setting.PERSON and len(source) > BRIEF
    found: list[tuple[_Finding, Sentence, Sentence]] = []
    taken = -1
    for i, sentence in enumerate(sentences):
        if i <= taken or sentence.kind is BlockKind.HEADING or not is_prose(sentence.text):
            continue
        hit = _finding(step, sentence, setting, brief)
        if hit is None or (thought and hit.type in ADDRESSED):
            continue
        if truth is Truth.CLAIMED and hit.type in FINDINGS and _repeats(step, sentence.text):
            continue
        first, last = _joined(step, sentences, i, hit, setting)
        if first is None or last is None:
            continue
        if truth is Truth.STATED:
            last = _led_to(step, sentences, last, setting, source, offset)
        elif setting is Setting.REPORT:
            last = _with_code(last, source, offset, SHOWN)
        taken = last.index - sentences[0].index
        found.append((hit, first, last))
    keys: list[str] = []
    for hit, first, last in _weightiest(found):
        start, end = offset + first.start, offset + last.end
        entered = recording.found(
            step,
            hit.type,
            source[start:end],
            Ref(step.seq, part, start, end),
            min(1.0, hit.importance) - (UNSAID if thought else 0.0),
            truth,
            unsaid(hit.method) if thought else hit.method,
            rationale=reason(source[start:end], _following(sentences, last)),
            until=_until(hit, source[start:end], truth, thought=thought),
            critical=False if thought else hit.critical,
        )
        if entered:
            keys.append(entered)
    return keys


def _until(hit: _Finding, text: str, truth: Truth, *, thought: bool) -> str:
    if hit.type is AnchorType.QUESTION:
        return "person"
    return recording.THOUGHT if thought else claims.until_of(hit.type, truth, text)


def _repeats(step: FoldStep, text: str) -> bool:
    """Whether an agent only says again what the person asked about."""
    words = content(text)
    asked = (step.state.objective, step.state.turns[-1].request if step.state.turns else None)
    return len(words) >= 4 and any(quote is not None and covers(" ".join(words), quote.text, RESTATED) for quote in asked)


def _weightiest(found: list[tuple[_Finding, Sentence, Sentence]]) -> list[tuple[_Finding, Sentence, Sentence]]:
    """What one message can yield, in its order: of more than that, what weighs most."""
    if len(found) <= PER_MESSAGE:
        return found
    kept = sorted(found, key=lambda each: (-each[0].importance, each[1].index))[:PER_MESSAGE]
    return sorted(kept, key=lambda each: each[1].index)


def _finding(step: FoldStep, sentence: Sentence, setting: Setting, brief: bool) -> _Finding | None:
    line = RuleLine.of(sentence, setting, 0 if setting is Setting.PERSON else usage(step, sentence.text), brief)
    rule = step.rule_of(line)
    if rule is not None and setting is Setting.PERSON and _lays_nothing_down(rule.type, sentence.text):
        return None
    weight = step.weight(rule, line) if rule else 0.0
    section = section_of(sentence, setting)
    if section is not None and len(content(sentence.text, 3)) >= 2:
        by_section = section.person if setting is Setting.PERSON else section.agent
        if rule is None or by_section > weight or section.type is AnchorType.QUESTION:
            type = section.type if setting is Setting.PERSON else section.reported or section.type
            return _Finding(type, by_section, section.name, section.critical)
    if rule is not None:
        lesser = brief and rule.type in (AnchorType.DECISION, AnchorType.FACT)
        return _Finding(rule.type, weight, rule.name, False if lesser else None, rule.joins)
    if setting is Setting.PERSON and is_labelled(sentence) and not line.asks and len(content(sentence.text, 4)) >= 3:
        return _Finding(AnchorType.DECISION, 0.85, "section.labelled", False if brief else None)
    return None


def _lays_nothing_down(type: AnchorType, text: str) -> bool:
    """Whether a person's words are an example, an aside or the report of a fault, whatever else they look like."""
    text = text.strip()
    if type in (AnchorType.DECISION, AnchorType.CORRECTION):
        return _EXAMPLE.match(text) is not None or _IN_BRACKETS.fullmatch(text) is not None
    likens = _EXAMPLE.match(text) or _LIKENS.match(text)
    return type is AnchorType.CONSTRAINT and (likens is not None or _FAULT.search(text) is not None)


def _joined(step: FoldStep, sentences: list[Sentence], i: int, hit: _Finding, setting: Setting) -> tuple[Sentence | None, Sentence | None]:
    """First and last sentence of the anchor: a statement of hardly any content is only understood with a neighbour, and a rule that points
    back ("goes for everything you add") with what it is about.

    (None, None) where it needs one and has none.
    """
    sentence = sentences[i]
    if setting is Setting.PERSON and hit.type is AnchorType.CONSTRAINT and _POINTS_BACK.match(lowered(sentence.text)):
        return _about(sentences, i), sentence
    behind = sentences[i + 1] if i + 1 < len(sentences) else None
    if setting is Setting.PERSON and behind is not None and _BY_NUMBER.search(sentence.text) and is_prose(behind.text):
        return sentence, behind
    size = len(content(sentence.text, 6))
    if sentence.kind is not BlockKind.PROSE or size >= (5 if hit.joins else 3):
        return sentence, sentence
    if hit.joins == "before":
        before = sentences[i - 1] if i and sentences[i - 1].block == sentence.block else None
        return (before or sentence, sentence) if before or size >= 2 else (None, None)
    after = sentences[i + 1] if i + 1 < len(sentences) else None
    if after is not None and setting is Setting.PERSON and hit.type is not AnchorType.CONSTRAINT:
        lays_down = _finding(step, after, setting, brief=False)
        after = None if lays_down is not None and lays_down.type is AnchorType.CONSTRAINT else after
    near = after is not None and (after.block == sentence.block or (hit.joins == "after" and after.block == sentence.block + 1))
    if after is not None and near and is_prose(after.text) and after.end - sentence.start <= recording.LONGEST and not _opens(after.text):
        return sentence, after
    return (None, None) if hit.joins == "after" or not size else (sentence, sentence)


def _about(sentences: list[Sentence], i: int) -> Sentence:
    """The first of the sentences, at most ABOUT, that one which points back goes on from: those of its paragraph, or the one before."""
    place = i
    while place > 0 and i - place < ABOUT and sentences[i].end - sentences[place - 1].start <= recording.LONGEST:
        before = sentences[place - 1]
        if not is_prose(before.text) or (place < i and before.block != sentences[i].block):
            break
        place -= 1
    return sentences[place]


def _led_to(step: FoldStep, sentences: list[Sentence], lead: Sentence, setting: Setting, source: str, offset: int) -> Sentence:
    """The lead-in with the code or the items that it leads to, which say nothing without it, nor it without them; else itself."""
    if not lead.text.rstrip(" *_").endswith(":"):
        return lead
    last = _with_code(lead, source, offset, recording.LONGEST)
    if last is not lead:
        return last
    for item in sentences[lead.index - sentences[0].index + 1 :]:
        follows = item.kind is BlockKind.ITEM and item.block == last.block + 1 and item.end - lead.start <= recording.LONGEST
        if not follows or _finding(step, item, setting, brief=False):
            return last
        last = item
    return last


def _with_code(lead: Sentence, source: str, offset: int, longest: int) -> Sentence:
    """The lead-in with the code that follows it, where both have at most `longest` characters; else itself."""
    if not lead.text.rstrip(" *_").endswith(":"):
        return lead
    code = _CODE.match(source, offset + lead.end, offset + lead.start + longest)
    return replace(lead, end=code.end() - offset) if code else lead


def _opens(text: str) -> bool:
    """Whether a sentence only leads on to what comes next, an act announced, a question, a lead-in, or is mere courtesy."""
    return announces(text) or _COURTESY.match(text) is not None or text.rstrip(' *_`")').endswith((":", "?"))


def _following(sentences: list[Sentence], last: Sentence) -> str:
    """The sentence behind `last` in its paragraph."""
    i = last.index - sentences[0].index + 1
    return sentences[i].text if i < len(sentences) and sentences[i].block == last.block else ""


def usage(step: FoldStep, text: str) -> int:
    """In how many earlier messages the most used identifier of a text stands."""
    return max(step.state.usage.among(tokens(text)), default=0)


def count_names(step: FoldStep, text: str) -> None:
    """Remember which exact names the message uses; each counts once a message."""
    for token in dict.fromkeys(tokens(text[:6000])):
        if 4 <= len(token) <= 60 and is_identifier(token):
            step.state.usage.put(token, (step.state.usage.get(token) or 0) + 1)
