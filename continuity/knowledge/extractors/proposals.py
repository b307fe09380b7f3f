"""Proposals of the agent, and what a short yes or a number then decides."""

from __future__ import annotations

import re
from itertools import takewhile

from continuity.knowledge.anchors import claims, recording
from continuity.knowledge.language.acceptance import Acceptance
from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.clip import one_line, shorten
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.options import options_of
from continuity.knowledge.language.requests import is_question, is_request
from continuity.knowledge.language.sentences import Sentence, lowered
from continuity.knowledge.model import AnchorType, Quote, Truth
from continuity.knowledge.requests.gist import stands_for
from continuity.knowledge.rules.engine import cue
from continuity.knowledge.state.open_items import Proposal
from continuity.knowledge.state.step import FoldStep

OPTIONS = 8
LONGEST = 300  # characters of a question or an option
COURSE = 700  # of what the agent recommends, with the steps of it

_COURSE = cue(
    r"\bi(?:'d| would) (?!like\b|need\b)\w+",
    r"\bi(?:'ll| will)? (?:recommend|suggest|propose)\b",
    r"\b(?:my|the) (?:recommendation|pick|choice|suggestion|proposal|plan)\b",
    r"\b(?:best|simplest|cleanest|right|better|safest|straightforward)\b",
    r"\b(?:should|could)(?: just| probably| simply)? (?:be|use|go|move|keep|drop|add|remove|inline|replace|switch|wait)\b",
    r"\bthe fix\b",
)
ANSWER = 8  # words of an answer that chooses
_OR = re.compile(r"\b(?:or|oder|ou|versus|vs)\b")
_WHICH = re.compile(
    r"\b(?:which|what(?:'s)?|where|how (?:many|much|long|often|far|old|large|big)|when|who(?:se)?|welche[rsmn]?|wie(?: viele?)?|wo"
    r"|wann|wer|quel(?:le)?s?|où|quand|combien|qui)\b"
)
# Questions whose short answer is work to do or a mere remark, not a choice that must be kept.
_OPEN = re.compile(r"\b(?:next|think|would you like|do you want(?: me)? to|help|anything|happen(?:s|ed)?|see|mean|why)\b")
# Few words that choose nothing: they leave the choice to the agent or to later, or speak of something else.
_PUTS_OFF = re.compile(
    r"^(?:(?:ugh|h+m+|oh|well|uh|um|ok(?:ay)?|no|sorry)[,. ]+)*(?:wait|hold on|hang on|stop|thanks?|h+m+|good question|let me|i(?:'ll"
    r"| will)"
    r"|i (?:have|need) to|later|maybe|perhaps|warte|moment|danke|gute frage|vielleicht|später|merci|attends?|gracias)\b"
    r"|\b(?:do(?:n't| not) (?:know|care|mind|remember)|dunno|no idea|not sure|unsure|up to you|you (?:decide|choose|pick)|keine ahnung"
    r"|does(?:n't| not) matter|weiß (?:ich )?(?:es )?(?:noch )?nicht|egal|sais pas|aucune idée|peu importe|no (?:lo )?sé|ni idea)\b"
    r"|\bwh(?:at|ich)ever(?: you \w+)?\W*$"
)
# Questions that put something to the person which a no turns down; a no to others only tells how it is.
_OFFERS = re.compile(
    r"\b(?:should|shall)\b|\b(?:may|can|could) (?:i|we)\b|\b(?:do|would|did) you (?:want|like|prefer)\b|\bwant me to\b"
    r"|\bok(?:ay)? (?:if|to)\b"
    r"|\b(?:soll(?:en|te)?|darf|dürfen|möchtest|willst|wollen)\b|\b(?:dois|puis|peux)-je\b|\b(?:veux-tu|voulez-vous|debo|quieres|puedo)\b"
)
# What a yes to is an order, unless it is about a way of doing things; and questions that say nothing of what they ask to confirm.
_OFFERS_WORK = re.compile(
    r"\b(?:want|like) me to (?!use|keep|switch|stick|drop|prefer|go with|stay)|\bready (?:to|for)\b|\bshall (?:i|we) (?:start|begin)\b"
)
_CONFIRMS = re.compile(
    r"\b(?:does|do|is|are) (?:this|that|it|these|those|the \w+(?: \w+){0,4}) (?:\w+ )?"
    r"(?:look|sound|seem|make sense|match|work for|ok|okay|right|correct|good|fine)\b(?! (?:to|if|that|when|with)\b)"
)
_NOTHING_MORE = re.compile(r"\b(?:anything|questions?|else|noch etwas|sonst|fragen|autre chose|algo más)\b")
_NO = re.compile(r"^(?:no|nope|nah|nein|non|not (?:now|yet|needed|necessary))(?:[, ]+(?:thanks?|thank you|danke|merci))?(?:[.! ]*$|, )")
ANSWERS = 2  # numbered items from which a message answers numbered questions
_NAME = re.compile(r"\b(?!and/or\b)\w[\w-]+[/._]\w[\w./-]+\b")  # of a package, a file, a function
_INTERJECTION = re.compile(r"(?:ugh+|argh+|h+m+|well|wow|oh|ah|aha|hey|damn|sigh|huh|uff|tja|bah)[.!?,…]*", re.I)
_ROUTINE = re.compile(
    r"\b(?:commit|push|go ahead|proceed|continue|run|start|fix (?:it|this|that|the)|take a look|look into|check|do (?:it|this|that))\b"
)


def proposal(step: FoldStep, part: int, sentences: list[Sentence], asks: tuple[Sentence, ...]) -> Proposal | None:
    """What an agent's text puts to the person: its last question, the course it recommends, its numbered options; None where
    it neither asks nor recommends."""
    question = asks[-1] if asks else None
    before = [s for s in sentences if (question is None or s.index < question.index) and s.kind is not BlockKind.HEADING]
    courses = [s for s in before[-8 if asks else -4 :] if _COURSE.search(lowered(s.text)) and s.kind is BlockKind.PROSE]
    listed = options_of(sentences, LONGEST)

    def quote(sentence: Sentence) -> Quote:
        return shorten(step.quote(part, sentence.start, sentence.end), LONGEST)

    if question is None and not courses:
        return None
    return Proposal(
        quote(question) if question else None,
        shorten(step.quote(part, _begins(sentences, courses[-1]), _led_to(sentences, courses[-1]).end), COURSE) if courses else None,
        tuple(shorten(step.quote(part, first.start, last.end), LONGEST) for first, last in listed[:OPTIONS]),
    )


def _begins(sentences: list[Sentence], course: Sentence) -> int:
    """Where a course begins: with the sentence before it, where its first word stands for what that says."""
    before = next((each for each in sentences if each.index == course.index - 1 and each.block == course.block), None)
    joined = before is not None and stands_for(course.text) and course.end - before.start <= COURSE
    return before.start if before is not None and joined else course.start


def _led_to(sentences: list[Sentence], course: Sentence) -> Sentence:
    """The last item of the list that a lead-in ("I recommend:") leads to, as far as there is room, or the sentence behind it where there is
    no list; any other course itself."""
    if not course.text.rstrip(" *_").endswith(":"):
        return course
    behind = [s for s in sentences if s.index > course.index and s.end - course.start <= COURSE and not s.text.endswith("?")]
    items = list(takewhile(lambda sentence: sentence.kind is BlockKind.ITEM, behind))
    return (items or behind[:1] or [course])[-1]


def accept(step: FoldStep, accepted: Acceptance, words: Quote) -> str:
    """Enter as decisions what the person's short answer accepts; returns the last one's key, or nothing where a yes to a
    routine question decides nothing that must survive."""
    offer = step.state.proposal
    if offer is None or (offer.question is None and not accepted.firm):
        return ""
    if accepted.choices and accepted.rest:
        return _accept_changed(step, offer, accepted, words)
    if not accepted.choices and _names_another(accepted.rest, offer):
        return ""  # their own words say what they decided
    key = ""
    for text in _accepted(offer, accepted):
        others = [o.text for o in offer.options if o != text] if accepted.choices and "all" not in accepted.choices else []
        key = (
            recording.found(
                step,
                AnchorType.DECISION,
                text.text,
                text.ref,
                0.95,
                Truth.STATED,
                "decision.accepted",
                rationale=words.text[:200],
                rejected="; ".join(others),
            )
            or key
        )
    if key and accepted.choices and "all" not in accepted.choices and offer.options:
        claims.not_taken(step, offer.options[0].ref.seq, key)
    return key


def _names_another(rest: str, offer: Proposal) -> bool:
    """Whether behind a yes stands the name of something that the agent's proposal does not have."""
    quotes = (offer.question, offer.course, *offer.options)
    proposed = " ".join(quote.text for quote in quotes if quote is not None).lower()
    return any(name not in proposed for name in _NAME.findall(rest.lower()))


def _accept_changed(step: FoldStep, offer: Proposal, accepted: Acceptance, words: Quote) -> str:
    """Enter as a decision what the person takes of the options and changes ("B, but 5 seconds"), in their words."""
    option = next(iter(_accepted(offer, accepted)), None)
    if option is None:
        return ""
    about = one_line(" ".join(quote.text for quote in (offer.question, option) if quote), LONGEST)
    key = recording.found(step, AnchorType.DECISION, words.text, words.ref, 0.95, Truth.STATED, "decision.answered", rationale=about)
    if key:
        claims.not_taken(step, option.ref.seq, key)
    return key


def answer(step: FoldStep, part: int, sentences: list[Sentence]) -> str:
    """Enter as a decision what the person's few words choose of what the agent's question offers ("7 or 30 days?" — "30 days."), or that
    they turn it down; returns its key, or nothing where they say something of their own."""
    offer = step.state.proposal
    if offer is None or offer.question is None or not sentences:
        return ""
    spoken = [each for each in sentences if not _INTERJECTION.fullmatch(each.text.strip())] or sentences
    first, question = spoken[0], lowered(offer.question.text)
    if len(first.text.split()) > ANSWER or not (_turns_down(first, question) or _chooses(first, question)):
        return ""
    said, asked = step.quote(part, first.start, first.end), one_line(offer.question.text, LONGEST)
    key = recording.found(step, AnchorType.DECISION, said.text, said.ref, 0.95, Truth.STATED, "decision.answered", rationale=asked)
    if key and _turns_down(first, question):
        claims.not_taken(step, offer.question.ref.seq, key)
    return key


def answer_each(step: FoldStep, part: int, sentences: list[Sentence]) -> str:
    """Enter as decisions what the person answers to numbered questions, by the same numbers; returns the last one's key, or nothing
    where they do otherwise."""
    offer = step.state.proposal
    items = [each for each in sentences if each.kind is BlockKind.ITEM and each.marker.isdecimal()]
    if offer is None or len(items) < ANSWERS or [int(each.marker) for each in items] != list(range(1, len(items) + 1)):
        return ""
    questions = offer.options[: len(items)]
    if len(questions) < len(items) or not all(each.text.rstrip(" *_`").endswith("?") for each in questions):
        return ""
    key = ""
    for item, question in zip(items, questions, strict=True):
        said, asked = step.quote(part, item.start, item.end), one_line(question.text, LONGEST)
        found = recording.found(step, AnchorType.DECISION, said.text, said.ref, 0.95, Truth.STATED, "decision.answered", rationale=asked)
        key = found or key
    return key


def _chooses(first: Sentence, question: str) -> bool:
    words = content(first.text, 8)
    if not words or is_question(first.text) or is_request(first.text) or _PUTS_OFF.search(lowered(first.text)):
        return False
    named = _OR.search(question) is not None and set(words) <= set(content(question, 60))
    return named or (_WHICH.search(question) is not None and _OPEN.search(question) is None)


def _turns_down(first: Sentence, question: str) -> bool:
    if not _OFFERS.search(question) or _NOTHING_MORE.search(question):
        return False
    return _NO.match(lowered(first.text)) is not None and not _OR.search(question) and not _WHICH.search(question)


def _accepted(offer: Proposal, accepted: Acceptance) -> list[Quote]:
    options = offer.options
    if "all" in accepted.choices:
        return list(options[:4])
    if accepted.choices:
        places = [len(options) - 1 if c == "last" else int(c) - 1 if c.isdigit() else ord(c) - ord("a") for c in accepted.choices]
        return [options[i] for i in places if 0 <= i < len(options)]
    if offer.course is not None:
        return [offer.course]
    question = lowered(offer.question.text) if offer.question else ""
    if offer.question is None or _ROUTINE.search(question) or len(content(question, 6)) < 4:
        return []
    if _OFFERS_WORK.search(question) or _CONFIRMS.search(question):
        return []  # the yes is to work, which the ledger has, or to what stands before the question
    return [offer.question]
