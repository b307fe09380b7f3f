"""Failures that still matter, their causes, and approaches that were tried and dropped."""

from __future__ import annotations

from continuity.knowledge.language.content_words import content, is_identifier, tokens
from continuity.knowledge.model import AnchorType
from continuity.knowledge.rules.engine import AGENT, ANYONE, PERSON, REPORT, Rule, RuleLine, cue


def _names_something(line: RuleLine) -> bool:
    return any(is_identifier(token) for token in tokens(line.plain)) and len(content(line.plain, 6)) >= 4


RULES = (
    Rule(
        "failed.tried",
        AnchorType.FAILED_APPROACH,
        cue(
            r"\b(?:didn't|did not|doesn't|does not|won't|wouldn't) (?:actually |really |quite )?(?:work|help|fix|solve|apply|scale)\b",
            r"\b(?:tried|attempted|trying)\b.{1,120}\b(?:but|failed|without success|no luck|didn't|however)\b",
            r"\b(?:gave up|abandoned|dead end|no luck|not (?:feasible|viable)|not going to work|backed out|rolled back)\b",
            r"\b(?:i|we)(?:'ve| have)? (?:reverted|undid|undone|removed again)\b",
            r"\breverted (?:the|my|that|this|it|to)\b",
            r"\b(?:unstaged|clobbered|overwrote|wiped|lost) (?:the|my|our|all)\b",
            r"\bthat (?:approach|route|idea|attempt) (?:fails|failed|breaks|broke|is|was|won't)\b",
            r"\b(?:search|command|tool|grep|query|regex|test|approach)\b.{0,40}\bmisses\b",
            r"\bwhen i should (?:just|have)\b",
            r"\bi (?:made|did|used|wrote|built|had) .{3,120}\binstead of just\b",
        ),
        ANYONE,
        0.78,
        cue(r"\bif (?:it|that|this) (?:doesn't|does not|won't)\b|\b(?:make sure|verify|check|confirm) (?:it|that|this)\b"),
        narration=True,
    ),
    Rule(
        "error.still",
        AnchorType.ERROR,
        cue(
            r"\bstill (?:broken|fail\w*|not|doesn't|does not|isn't|wrong|shows?|got|getting|see|seeing|have|has|the same|happening"
            r"|crash\w*)\b",
            r"\b(?:i've|i have|we've|we have|i|we) still (?:got|get|have|see)\b",
            r"\b(?:getting|got|seeing|see|gives|throws|there's|there is|hit|hitting) (?:a |an |the |this |these |some |now )*(?:\w+ )?"
            r"(?:error|exception|failure|crash|warning|bug|conflict|issue)s?\b",
            r"\b(?:ci|build|tests?|deploy\w*|pipeline|it|app|server|page) (?:is |are |just |keeps )?"
            r"(?:fail(?:s|ed|ing)?|crash(?:es|ed|ing)?|broken|hang(?:s|ing)?)\b",
            r"\b(?:doesn't|does not|didn't|isn't|aren't) (?:work|load|show|start|run|build|compile|fire|appear|update)\w*\b",
        ),
        PERSON,
        0.85,
        cue(r"\bstill (?:have|need|got) to\b"),
        questions=True,
    ),
    Rule(
        "error.found",
        AnchorType.ERROR,
        cue(
            r"\b(?:fails|failed|failing|crashes|crashed|panics|panicked|throws|hangs|times out|timed out|breaks|broke|broken|rejected"
            r"|denied)\b",
            r"\b(?:bug|defect|regression|race condition|deadlock|memory leak|data loss|merge conflict|errors? (?:in|when|on|from|with"
            r"|at))\b",
            r"\b(?:silently (?:fail|drop|ignor|skip|swallow|return|discard)\w*|incorrectly|wrongly|unconditionally|unexpectedly)"
            r"\b|\bdropped on the floor\b|\bnever (?:fires|runs|happens|executed|called)\b",
            r"\bstill (?:being|broken|fail\w*|not|get\w*|show\w*|leak\w*|runs?|process\w*)\b",
            r"\b(?:isn't|aren't|wasn't|weren't) (?:\w+ly )?\w+ing\b|\bignores?\b|\bregardless of\b",
        ),
        AGENT,
        0.7,
        cue(
            r"\b(?:0|no|zero|without|any) (?:\w+ )?(?:fail|error|issue|conflict|regression|bug|problem)\w*\b|\bif (?:it|this|that"
            r"|the)\b.{0,40}\bfail",
            # What mends or repeats a failure on purpose is none.
            r"\bfix(?:es)? (?:goes|belongs|that|for)\b|\bprevents?\b|\b(?:reproduc|replicat)\w*\b",
            r"\b(?:pass(?:es|ed|ing)?|fixed|resolved|solved|no longer|as expected)\b|\b(?:don't|doesn't) (?:need|have to|want|worry)\b",
        ),
        test=_names_something,
    ),
    Rule(
        "error.open",
        AnchorType.ERROR,
        cue(
            r"\bnot (?:yet )?(?:tested|verified|rerun|run|checked|committed|pushed|done)\b|\b(?:untested|unverified)\b",
            r"\bwasn't (?:tested|rerun|run)\b|\bstill (?:open|missing|unresolved|failing|pending)\b"
            r"|\bpre-existing\b[^.]{0,40}\b(?:error|issue|fail\w*|bug|problem|warning|flak\w*|break\w*|gap|defect|test)s?\b"
            r"|\bknown (?:issue|limitation|gap)\b",
        ),
        REPORT,
        0.78,
    ),
)
