"""Finds the words of a person that ask for work, and the sentence that says what the work is about."""

from __future__ import annotations

import re

from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.sentences import Sentence, lowered
from continuity.knowledge.rules.prefilter import PrefilteredPattern

VERBS = (
    "add|adapt|address|adjust|align|analy[sz]e|apply|ask|audit|branch|bring|build|bump|change|check|clarify|clean|clone|close|combine"
    r"|commit|compare|compile"
    "|complete|configure|connect|continue|convert|copy|create|cut|debug|delete|deploy|describe|design|disable|document|draft|drop|edit"
    r"|enable|ensure"
    "|estimate|evaluate|examine|execute|explain|explore|export|extend|extract|fetch|figure|find|finish|fix|format|generate|get|give|go"
    r"|handle|have|help"
    "|identify|implement|import|improve|include|inline|install|integrate|investigate|keep|list|load|look|make|mark|measure|merge"
    r"|migrate|mock|move|open"
    "|optimi[sz]e|package|parse|patch|plan|polish|port|post|prepare|print|proceed|profile|publish|pull|push|put|read|rebase|recommend"
    r"|record|redo"
    "|refactor|refer|release|remove|rename|reorgani[sz]e|replace|reply|report|reproduce|research|reset|resolve|respond|restore"
    r"|restructure|review|revert"
    "|rewrite|rework|rip|rollback|run|scaffold|scan|search|send|set|setup|shape|ship|show|simplify|sketch|solve|sort|spawn|split|start"
    r"|stop|submit"
    "|summari[sz]e|support|switch|sync|take|tell|test|think|track|translate|triage|try|tweak|turn|update|upgrade|use|validate|verify"
    r"|wire|work|write"
)
_TODOS = PrefilteredPattern(
    r"\bto-?dos?\b|\bto do(?: list|:|$)|\btask list\b|\blist of (?:open |my |our )?(?:tasks|things to do)\b|\bthings (?:\w+ ){0,3}to do\b"
    r"|^(?:open |my |our |the |pending |remaining )*tasks?:?$"
)
TICKED = frozenset({"x", "X", "✓"})  # how an item of a checklist is marked as done
TITLE = 160  # characters of a report's first line that says what it is about
BARE = 2  # words from which a request says what it is about
_SECOND = re.compile(rf"(?:\b(?:and|then)|[;.!?]) (?:also |then |please )?(?:{VERBS})\b")
_LEAD = (
    r"(?:(?:ok|okay|so|and|also|then|now|next|great|cool|alright|right|first|finally|hmm|hey|hi|hello|please|pls|just|yes|no|instead"
    r"|actually|thanks|yeah|yep|yup|sure|well|oh|perfect|fine)[,.!: ]+)*"
)
_ASKS = re.compile(
    _LEAD + r"(?:please |kindly )?(?:(?:can|could|would|will) you(?: please)?|can we|could we|i(?:'d| would)? (?:want|need"
    r"|like) (?:you )?(?:to )?|we (?:need|want|should|have) (?:to )?|you (?:should|need to|can|must)"
    r"|let's|lets|let us|do (?:the|this|that|it|an?|all|both|these|those)\b|go ahead and|feel free to|try to|your (?:task|job"
    r"|goal)(?: is|:)|the (?:task|goal)(?: is|:)|(?:" + VERBS + r")\b)"
)
_PLEASE = re.compile(r"\bplease (?:" + VERBS + r")\b")
_FOREIGN = PrefilteredPattern(
    r"\b(?:bitte|kannst du|könntest du|mach|erstelle|füge|ändere|lösche|peux-tu|pouvez-vous|merci de|ajoute[zr]?|crée[zr]?|corrige[zr]?"
    r"|fais|faites|il faut|veuillez|svp)\b"
)
_TAG = PrefilteredPattern(r"(?<!is)(?<!'s)(?<!re)(?<!was)(?<!be)(?<!that)(?<!it)(?<!all),? (?:right|no|yeah|huh|eh|correct)$")
_WITHIN = PrefilteredPattern(
    r"\bdo you think\b|\b(?:wouldn't|isn't|won't|doesn't|shouldn't|aren't) (?:it|that|we|they|there)\b|\bis there (?:like |any |an? )"
    r"|\bhow (?:hard|difficult|easy|complicated|expensive|much (?:work|effort)) (?:would|will|is) (?:it|that|this)\b"
)
_CONCERN = PrefilteredPattern(
    r"\bi(?:'m| am) (?:most |mainly |more )?(?:concerned|interested)\b|\b(?:the|our|my) (?:goal|aim|objective|priority)\b"
    r"|\bi (?:just |really )?(?:want|need)\b"
)
_TASK = PrefilteredPattern(r"\b(?:your|the) (?:task|job|goal|objective)(?: is|:)|\bgoal:")
_TALK = re.compile(
    _LEAD + r"(?:please )?(?:think|explain|tell|describe|say|rank|guess|commit|push|continue|proceed|go|run|let me know|give me|show me)\b"
)
_MANNER = re.compile(r"\bi(?:'d| would)? (?:prefer|rather)\b|\bkeep (?:to|in mind|doing)\b|\bfrom now on\b|\bin (?:the )?future\b")
_ASIDE = re.compile(r"\b(?:let's|let us|lets|can (?:you|we)|please) (?:\w+ )?(?:check|look|see|read|have a look)\b.{0,60}\bfirst\W{0,5}$")
# A person changes their mind, whatever else they say.
OTHERWISE = r"\bafter all(?=\W*$|[,.;:!?])|\bon second thought\b|\bdoch (?:lieber|nicht)\b|\bfinalement\b"
_OTHERWISE = PrefilteredPattern(OTHERWISE)
_WHAT = r"(?:who(?:se)?|what|which|where|when|why|how|whether|if)\b"
_REPORT = re.compile(
    r"[#*_ ]*(?:describe the (?:bug|issue|problem)|bug (?:report|description)|description|steps to reproduce|to reproduce|reproduction"
    r"|(?:expected|actual|current) (?:behaviou?r|results?|output)|what happen(?:s|ed)|beschreibung|schritte|comportement)\b",
    re.I,
)
_UNDECIDED = re.compile(
    r"\b(?:still (?:have|need) to (?:find out|ask|decide|figure out|clarify|check)|(?:nobody|no one|noone) (?:has |could |can )?(?:told"
    r"|tell|knows?|said)"
    r"|(?:don't|do not|didn't) (?:yet )?(?:know|understand)(?: yet)?|not (?:yet )?(?:sure|clear|decided|settled)(?: yet)?|(?:is"
    r"|it's) (?:still )?"
    r"(?:unclear|undecided)|i (?:still )?wonder|remains to be seen)\b[^.!?]{0,30}?\b(?P<what>" + _WHAT + r".{6,})"
    r"|^(?P<first>(?:whether|who|which|how|when|if|where) .{8,}?) is (?:still )?(?:open|undecided|unclear|unknown|to be decided)\b"
)
# What somebody says of what there is, and not of what is to be done.
_TELLS = re.compile(r"(?:and |but |so )?(?:i|it|they|there|this|that)(?:'m|'ve|'s|'re)? (?!should|must|needs?|has|have|shall)[a-z]")
_CHANGES = PrefilteredPattern(
    r"\b(?:fix|add|implement|creat|build|writ|refactor|renam|remov|delet|updat|migrat|replac|convert|chang|improv|optimi[sz]|extend|integrat"
    r"|restructur|rewrit|port|upgrad|wir|support|enabl|disabl|resolv|solv|mak|mov)(?:e|es|ing|t)?\b(?! (?:sure|sense))"
)
# What an answer in words is all of.
_IN_WORDS = PrefilteredPattern(
    r"\b(?:summar(?:y|ies|i[sz]e)|descriptions?|explanations?|overview|lists?|tables?|plans?|proposals?|drafts?|messages?|e-?mails?|reports?"
    r"|comparisons?|outline|poem|story|essay|letter|translation|examples?|ideas?|suggestions?|recommendations?)\b"
)
_TELL_ME = re.compile(
    r"(?:[\w' ]{1,20}, )?(?:can you |could you |please )*(?:explain|tell|describe|show|think|plan|review|check|how|what|why)\b"
)
_QUESTION = re.compile(
    r"^(?:so |and |but |also |hmm,? |ok(?:ay)?,? )*(?!what (?:i|we|they|matters|counts|bothers)\b[^?]* (?:is|are|isn't"
    r"|aren't)\b[^?]*$)(?:what|which|who|where|when|why|how|is|are|was|were|does"
    r"|do(?! (?:not|nothing|whatever|everything|anything|something|so|make|be|keep|as|it|only|just)\b)|did|has|have|isn't"
    r"|aren't|doesn't|should|shouldn't|would|any)\b"
)


def is_request(text: str) -> bool:
    """Whether a sentence of the person asks for something to be done."""
    low = lowered(text)
    return bool(_ASKS.match(low) or _PLEASE.search(low) or (_FOREIGN.search(low) and len(low.split()) >= 3))


def is_question(text: str) -> bool:
    low = lowered(text).rstrip(" )\"'*🤣😂😅")
    return low.endswith(("?", "？")) or _QUESTION.match(low) is not None or _WITHIN.search(low) is not None or _TAG.search(low) is not None


def undecided(text: str) -> str:
    """What a statement of the person calls open or unknown ("I still have to find out who owns it"); empty where it does not."""
    low = lowered(text)
    match = _UNDECIDED.search(low) if not low.endswith("?") else None
    return (match["what"] or match["first"] or "") if match else ""


def _names_work(low: str) -> bool:
    """How work is to be done, that it is to be done otherwise, talk about it, and a look at something before it, is not work."""
    asks = is_request(low) or _CONCERN.search(low) is not None
    return asks and not (_TALK.match(low) or _MANNER.search(low) or _OTHERWISE.search(low) or _ASIDE.search(low))


def wants_change(text: str) -> bool:
    """Whether a request asks for something to be changed, rather than looked at or told, as a summary or a plan is."""
    low = lowered(text)
    return _CHANGES.search(low) is not None and _TELL_ME.match(low) is None and _IN_WORDS.search(low) is None


def asks_for_several(text: str) -> bool:
    """Whether a request names a second piece of work beside its first."""
    return _SECOND.search(lowered(text)) is not None


def is_goal(sentences: list[Sentence]) -> bool:
    """Whether a message names work of some size: a request or concern with enough words of its own, or a long brief."""
    asked = [s for s in sentences if _names_work(lowered(s.text))]
    about = {word for s in (asked if len(sentences) > 3 or not asked else sentences) for word in content(s.text, 12)}
    return (bool(asked) and len(about) >= 4) or (bool(asked) and len(sentences) >= 4)


def central(sentences: list[Sentence]) -> tuple[int, int] | None:
    """The span of the sentences that say what is asked: from the first request on, at most three of one paragraph; a mere verb takes
    the sentence before it along."""
    spoken = [s for s in sentences if s.kind is not BlockKind.ROW]
    if not spoken:
        return None
    if _is_titled(spoken):
        return spoken[0].start, spoken[0].end
    first = (
        next((s for s in spoken if _TASK.search(lowered(s.text))), None)
        or next((s for s in spoken if is_request(s.text)), None)
        or next((s for s in spoken if is_question(s.text)), spoken[0])
    )
    start, end = first.start, first.end
    before = spoken[spoken.index(first) - 1] if spoken.index(first) else None
    if before is not None and len(content(first.text, 4)) < BARE and before.kind is BlockKind.PROSE and first.block - before.block <= 1:
        start = before.start
    for sentence in spoken[spoken.index(first) + 1 :][:2]:
        if sentence.block != first.block or sentence.end - first.start > 400:
            break
        end = sentence.end
    return start, end


def _is_titled(spoken: list[Sentence]) -> bool:
    """Whether a text is a report with a title: one line, and then parts such as what happens and what should."""
    title, *rest = spoken
    return len(title.text) <= TITLE and any(s.block > title.block and _REPORT.match(s.text) for s in rest[:6])


def todos(sentences: list[Sentence]) -> list[tuple[str, bool]]:
    """The items of a list that calls itself a list of tasks, each with whether it is ticked off; none of another list."""
    items = [s for s in sentences if s.kind is BlockKind.ITEM]
    opening = next((s for s in sentences if s.kind is not BlockKind.ITEM), None)
    before = lowered(opening.text) if opening is not None and items and opening.index == items[0].index - 1 else ""
    named = [s for s in items if _TODOS.search(s.under or before)]
    return [(s.text, s.marker in TICKED) for s in named[:20]] if len(named) >= 2 else []


def ticked(sentences: list[Sentence]) -> tuple[str, ...]:
    """The items of a person's checklist that they call done, in order."""
    return tuple(s.text for s in sentences if s.kind is BlockKind.ITEM and s.marker in TICKED)[:20]


def steps(sentences: list[Sentence]) -> tuple[str, ...]:
    """The items of a list in which the person sets out the work, in order, but for those that they call done; empty where there is no
    such list, or where it tells what the person saw."""
    listed = [
        s
        for s in sentences
        if s.kind is BlockKind.ITEM
        and (s.marker.isdigit() or s.marker.isspace() or s.marker in TICKED or (is_request(s.text) and not s.text.startswith("**")))
    ]
    items = [s for s in listed if s.marker not in TICKED] if len(listed) >= 2 else []
    if any(_TELLS.match(lowered(s.text)) and not is_request(s.text) for s in items):
        return ()
    return tuple(s.text for s in items[:20])


_WISH = re.compile(
    r"\W{0,8}(?:\w[\w’']{0,30}[, ]{1,3}){0,4}?(?:can|could|can['’]t|couldn['’]t|should|shouldn['’]t|shall|would|wouldn['’]t) \S", re.I
)
_ASKS_WHAT = re.compile(r"\b(?:what|which|where|when|why|how|who|whose)\b", re.I)


def is_wish(question: str) -> bool:
    """Whether a question wishes for something that can be done ("can the switch be shared, too?"), and asks for nothing to be told."""
    return _WISH.match(question) is not None and _ASKS_WHAT.search(question) is None
