"""Preferences of the person."""

from __future__ import annotations

from continuity.knowledge.model import AnchorType
from continuity.knowledge.rules.engine import CLAUSE, PERSON, Rule, cue


def _preference(name: str, importance: float, *cues: str, questions: bool = False) -> Rule:
    return Rule(name, AnchorType.PREFERENCE, cue(*cues), PERSON, importance, questions=questions)


RULES = (
    _preference(
        "preference.prefer",
        0.85,
        r"\bi (?:would |'d )?(?:much )?(?:prefer|rather|like it (?:if|when|better)|love)\b",
        r"\bi'd (?:much )?(?:rather|prefer|love)\b",
        r"\bmy preference\b",
        r"\bpreferabl[ey]\b|\bideally\b|\bif possible\b",
        r"\bi'm (?:a fan|not a fan|used to)\b",
        r"\bi(?:'m| am) (?:more of |rather |really )?an? [\w -]{2,40} (?:person|guy|girl|type|fan)\b",
        r"\b(?:reads|looks|works|sounds) better to me\b|\bif you don't mind\b",
    ),
    _preference(
        "preference.taste",
        0.85,
        r"\bi (?:really |absolutely |just )?(?:hate|dislike|can't stand|cannot stand|can't bear|don't like|do not like|enjoy|appreciate)\b",
        r"\bwhat i (?:really |would |most )?(?:like|love|hate|dislike|care about)\b",
        r"\bgo easy on\b|\bspare me\b|\bkeep me (?:posted|informed|updated|in the loop)\b",
        r"\b(?:is|are) (?:plenty|more than enough|enough for me|all i need)\b",
    ),
    _preference(
        "preference.concern",
        0.85,
        r"\b(?:i'm|i am) (?:most |mainly |more |mostly )?(?:concerned|interested|worried)\b",
        r"\bi care (?:about|more)\b",
        r"\bmost important\b|\bthe priority\b|\bpriorit(?:y|ise|ize)\b",
    ),
    _preference(
        "preference.style",
        0.8,
        r"\b(?:be|keep (?:it|them|answers|replies|responses)|make (?:it|them)) (?:\w+ )?(?:concise|brief|short|terse|simple|minimal"
        r"|small|clean|readable|verbose|detailed|consistent|descriptive)\b",
        CLAUSE + r"(?:answer|reply|respond|write|explain) (?:in|only|briefly|with)\b",
        r"\bin the style of\b|\bsame style\b|\bfollow (?:the |our )?(?:existing |same )?(?:style|convention|pattern)s?\b",
        r"\b(?:tabs|spaces|semicolons|single quotes|double quotes|snake_case|camelcase|british|american)\b.*\b(?:please|only|not|over"
        r"|everywhere)\b",
    ),
    _preference(
        "preference.tell_me",
        0.78,
        r"\blet me know (?:if|when|whether|what|before|how)\b",
        r"\b(?:ask|tell|show|ping) me (?:before|first|when|if)\b",
        r"\bcheck with me\b|\brun it by me\b",
        questions=True,
    ),
    _preference("preference.german", 0.8, r"\bich (?:bevorzuge|möchte lieber|hätte gern|mag)\b|\bam liebsten\b|\bmir ist wichtig\b"),
    _preference(
        "preference.language",
        0.85,
        # To write or explain one thing in a language is work; how to write whatever comes is a preference.
        r"\b(?:(?:antworte|kommentiere|kommentare|antworten|texte)\b[^.!?\n]{0,40}|(?:schreibe?|formuliere|erkläre?)(?: (?:mir|uns"
        r"|bitte|immer"
        r"|alles|nur|künftig|ab jetzt|ab sofort))*) auf (?:deutsch|englisch|französisch|spanisch|italienisch)\b",
        r"\b(?:(?:réponds|répondez|commentaires|réponses)\b[^.!?\n]{0,40}|(?:écris|écrivez|explique|expliquez)(?:-moi|-nous"
        r"| (?:toujours|tout"
        r"|désormais|seulement))*) en (?:français|anglais|allemand|espagnol|italien)\b",
        r"\b(?:(?:responde|contesta|comentarios|respuestas)\b[^.!?\n]{0,40}|(?:escribe|explica)(?: (?:siempre|todo))*)"
        r" en (?:español|inglés|alemán|francés|italiano)\b",
    ),
    _preference("preference.french", 0.8, r"\bje (?:préfère|préférerais|voudrais|veux|souhaite)\b|\bde préférence\b|\bj'aimerais\b"),
)
