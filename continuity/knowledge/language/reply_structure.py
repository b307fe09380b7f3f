"""The form of an agent's words: a report or a remark between acts, what it asks, promises or declares done at its end."""

from __future__ import annotations

import re
from dataclasses import dataclass

from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.commitments import COMING, LATER, promise
from continuity.knowledge.language.sentences import Sentence, lowered
from continuity.knowledge.language.status import stuck
from continuity.knowledge.rules.engine import GUESS, Setting
from continuity.knowledge.rules.prefilter import PrefilteredPattern

_NOW = PrefilteredPattern(
    r"^(?:(?:now|next|first|then|so|ok|okay|good|great|perfect|alright|right|and|also|excellent|hmm|finally|wait)[,.:!—-]*\s+)*"
    r"(?:(?:let me|let's|i'll|i will|i'm going to|i am going to|i'm about to|next,? i|i need to|i should|i'm now \w+ing|time to)"
    r"\b|now (?!(?:that|i see|i have|i understand|it|its|the|we|this|these|those|they|there|you|a|an|no|not|all|both|each|every|any|only"
    r"|when(?:ever)?|if|where|while|with(?:out)?|on|in|at|for|from|by|as|is|are|was|were|has|have|had|can|could|will|would|must|should"
    r"|\w+(?:[^su\W]s|n't))\b)\w+ )"
)
_ABROAD = PrefilteredPattern(
    r"^(?:(?:gut|so|also|und|dann|okay|ok|bon|bien|alors|et|d'accord|bueno|vale|entonces)[,.:!—-]*\s+)*(?:"
    r"als (?:nächstes|erstes|letztes)\b|(?:jetzt|nun|zuerst|danach|zunächst|gleich) (?!(?:ist|sind|war|bin|habe?|hatte|brauche?|warte"
    r"|kann|könnte"
    r"|weiß|sehe|verstehe|möchte|würde|hätte|bräuchte|denke|glaube|hoffe|frage)\b)\w+ ich\b|lass mich\b(?! wissen\b)"
    r"|ich (?:werde(?!\b.{0,80}\bwarten\b)|schaue|sehe mir|prüfe|lese|schreibe|baue|ändere|lösche|teste|starte|beginne|füge|passe"
    r"|ergänze|korrigiere|schließe(?! daraus\b))\b"
    r"|je (?:vais(?! (?:attendre|bien)\b)|vérifie|regarde|lis|lance|commence|corrige|modifie|crée|ajoute)\b|(?:ensuite|maintenant"
    r"|d'abord|puis),? je\b"
    r"|laisse[zr]?-moi\b(?! savoir\b)|(?:ahora |primero |luego )?voy a\b(?! esperar\b)|a continuación\b)"
)
_CODEX = PrefilteredPattern(
    r"\b(?:i'm|i am) (?:now |also |just |going to )?(?!not\b|going\b|done\b|sure\b|concerned\b|assuming\b|missing\b)\w+ing\b"
)
_DONE = PrefilteredPattern(
    r"\b(?:done|fixed|completed?|finished|implemented|updated|added|removed|pushed|committed|merged|created|posted|resolved|ready"
    r"|all (?:tests|green|clean|tasks|good)|everything (?:works|passes)"
    r"|(?:tests?|lint|build|checks?|ci)\b.{0,30}\b(?:pass(?:es|ed|ing)?|green|clean)|here(?:'s| is| are) (?:a |the |what|your)"
    r"|in summary|summary|erledigt|fertig|terminé|fait)\b|✅|✓"
)
_REASON = PrefilteredPattern(
    r"\b(?:because|since|requires?|can't|cannot|only (?:works?|when|if|with)|must(?:n't| not)|weil|braucht|benötigt|erfordert"
    r"|parce que|porque)\b"
)
_FOUND = PrefilteredPattern(
    r"\b(?:the (?:\w+ ){0,2}(?:issue|problem|bug|cause|culprit|fault|reason|difference) (?:is|was|lies)|root cause|turns out|it's not \w"
    r"|isn't the|this (?:means|explains|is why)|that(?:'s| is) why"
    r"|das problem|der fehler|die ursache|es liegt|liegt (?:an|daran)|le problème|la cause|el problema)\b"
)
# How a report of what was done begins: too common a word anywhere else.
_DID = re.compile(
    r"(?:written|wrote|renamed|moved|replaced|changed|deployed|installed|reverted|deleted|dropped|switched|documented|cleaned up|rewritten"
    r"|geschrieben|umbenannt|geändert)\b"
)
# What the agent asks itself in announcing where it looks ("Let me check the parser — does it keep the order?").
_OWN = re.compile(
    r"(?:(?:now|next|first|then|so|ok|okay|good|and|also|hmm|wait|but)[,.:!—-]*\s+)*(?:let me|i'll|i need to|i should|i want to)"
    r" (?:\w+ )?(?:check|look|see|verify|find|read|trace|search|confirm|examine|inspect|understand|figure|dig|investigate|make sure)\b"
)
# What hands the work to the person without a question: they are to look, choose or try, or to say how it goes on.
_CALLED_ON = PrefilteredPattern(
    r"^(?:(?:so|ok|okay|now|and|then|when you(?:'re| are) (?:back|ready|done)|once (?:that's|it's|you're) done)[,:]? )*(?:please|kindly)"
    r" (?:\w+ )?(?:review|confirm|check|try|test|verify|approve|choose|pick|decide|answer|provide|share|send|paste|upload|restart|reload"
    r"|rerun|re-run|retry|look (?:at|over|through))\b"
    r"|\bsay the word\b|\b(?:waiting|standing by) (?:on|for) (?:you|your)\b|\bawaiting your\b|^(?:your (?:call|turn|move)|over to you)\b"
    r"|\bready (?:to [\w ]{2,30} )?(?:when|whenever|once|as soon as) you\b"
    r"|^(?:bitte (?:prüf|teste|schau|bestätig|entscheid)\w*|sag (?:mir )?bescheid|gib bescheid|dis-moi|dites-moi)\b"
)
_TO_BE_TOLD = PrefilteredPattern(
    r"\b(?:let me know|tell me) (?:which|what|how|when|where|whether|once|your|if (?:you(?:'d| would)?"
    r" (?:like|want|prefer|agree|see|hit|run)|that|this|it|the))\b"
)
_COURTESY = re.compile(r"\b(?:anything else|any (?:other )?(?:questions|issues|problems|changes)|further|more help)\b")
_OPTION = frozenset({BlockKind.ITEM, BlockKind.ROW})

OPTIONS = 2  # from which a list is one to choose from
ADVICE = 2  # sentences after it that say which


@dataclass(frozen=True, slots=True)
class ReplyStructure:
    """`asks` are the questions at the end, or the words there that hand the work to the person, `acts` the sentence that announces an act
    at once, `done` whether it declares something finished."""

    setting: Setting
    asks: tuple[Sentence, ...]
    acts: Sentence | None
    done: bool


def shape(text: str, sentences: list[Sentence]) -> ReplyStructure:
    """The form of an agent's text that was split into `sentences`."""
    spoken = [s for s in sentences if s.kind in (BlockKind.PROSE, BlockKind.ITEM)]
    last = spoken[-1] if spoken else None
    asks = _questions(spoken) or _handed(spoken)
    acts = None if asks else _announced(spoken)
    structured = sum(1 for s in sentences if s.kind in _OPTION) >= 3 or any(s.kind is BlockKind.HEADING for s in sentences)
    closing_colon = last is not None and text.rstrip().endswith(":")
    long_enough = len(text) >= 400 or structured or (len(spoken) >= 3 and len(text) >= 200) or bool(asks)
    setting = Setting.REPORT if long_enough and acts is None and not closing_colon else Setting.ASIDE
    head = lowered(text[:300])
    tail = lowered(text[-300:])
    return ReplyStructure(setting, asks, acts, bool(_DID.match(head) or _DONE.search(head) or _DONE.search(tail)))


def _questions(spoken: list[Sentence]) -> tuple[Sentence, ...]:
    """Questions in the last two paragraphs or the list that closes the text, at most three; options that a question leads to are no
    words after it."""
    if not spoken:
        return ()
    whole, spoken = spoken, _without_options(spoken)
    final, behind = spoken[-1].block, spoken[-1].left if spoken is not whole else 0
    closing = [
        s
        for s in spoken
        if _is_question(s)
        and _OWN.match(lowered(s.text)) is None
        and final - s.block <= (6 if s.kind is BlockKind.ITEM else 2)
        and s.left - behind <= 8
    ]
    last = max((s.index for s in closing), default=-1)
    trailing = spoken[-1].index - last
    return tuple(closing[-3:]) if closing and trailing <= 4 else ()


def _is_question(sentence: Sentence) -> bool:
    return sentence.text.rstrip(" *_`)\"'").endswith(("?", "？"))


def _without_options(spoken: list[Sentence]) -> list[Sentence]:
    """The sentences up to a question whose options close the text, perhaps with which of them the agent would take."""
    until = len(spoken)
    while until and len(spoken) - until < ADVICE and spoken[until - 1].kind is BlockKind.PROSE and not announces(spoken[until - 1].text):
        until -= 1
    begins = until
    while begins and spoken[begins - 1].kind is BlockKind.ITEM:
        begins -= 1
    listed = {s.block for s in spoken[begins:until] if not _is_question(s)}
    return spoken[:begins] if len(listed) >= OPTIONS and begins and _is_question(spoken[begins - 1]) else spoken


def _handed(spoken: list[Sentence]) -> tuple[Sentence, ...]:
    """The closing sentence, or the one before it, where it leaves the next move to the person; mere courtesy does not."""
    for sentence in reversed(spoken[-2:]):
        low = lowered(sentence.text)
        if _CALLED_ON.search(low) or (_TO_BE_TOLD.search(low) and not _COURTESY.search(low)):
            return (sentence,)
    return ()


def _announced(spoken: list[Sentence]) -> Sentence | None:
    """The closing sentence, or the one before it, that says what the agent does next."""
    for sentence in reversed(spoken[-2:]):
        low = lowered(sentence.text)
        if (
            sentence.kind is BlockKind.PROSE
            and _acts(low)
            and not stuck(sentence.text)
            and promise(sentence.text, announced=False) not in (COMING, LATER)
        ):
            return sentence
    return None


def supposes(text: str) -> bool:
    """Whether words hold a mere supposition."""
    return GUESS.search(lowered(text)) is not None


def gives_reason(text: str) -> bool:
    """Whether words say why something is so, or what it takes."""
    return _REASON.search(lowered(text)) is not None


def finds_out(text: str) -> bool:
    """Whether words say what was found to be so: a cause, or where the fault is."""
    return gives_reason(text) or _FOUND.search(lowered(text)) is not None


def announces(text: str) -> bool:
    """Whether a sentence announces an act of the agent."""
    return _acts(lowered(text))


def begins_act(text: str) -> bool:
    """Whether a sentence begins with the announcement of an act: "Now run the tests.", "Ich prüfe jetzt den Leser."."""
    low = lowered(text)
    return bool(_NOW.search(low) or _ABROAD.search(low))


def _acts(low: str) -> bool:
    return bool(_NOW.search(low) or _CODEX.search(low) or _ABROAD.search(low))
