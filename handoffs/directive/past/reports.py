"""What counts of a report or an answer that is over: what it names and found out, without praise and without the checks of then."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile, takewhile

from continuity.knowledge.coverage.terms import is_name, terms_in
from continuity.knowledge.language.content_words import content
from continuity.knowledge.requests.beginnings import beginning_of
from continuity.knowledge.requests.excerpt import excerpt, last_question, tells, with_end
from continuity.knowledge.requests.gist import gist
from continuity.knowledge.requests.outline import is_item, is_title, leads_in, plain_title, title_rank
from continuity.knowledge.requests.report_points import NUMBER
from continuity.knowledge.requests.whole_sentences import asks, first_clause, sentences_of
from handoffs.directive.lines.wording import CLIP, one_line

LED = 9  # the rank of words that lead in to a list
ITEM, ITEMS = 110, 4  # characters of an item of a report that is told in one line, and items
BETWEEN = "; "
# The share of a report's lines that a later one has where it stands for it, and lines from which one may be told twice.
SAME, LINES = 0.35, 4
ALIKE = 0.6  # the share of the words of a line that another has which says the same
SHOWN = 100  # characters of a line of code that an answer leads in to
WORDS = 40
_OPENINGS = frozenset(("summary", "changes", "summary of changes", "overview"))
_NO_PROSE = ("|", "```", "~~~", ">")
LEAST, SAYS_IT = 12, 32  # characters of a line that says something, and of what an answer comes to
CODE_NAME = re.compile(r"[`/]|\w\.\w|\w_\w|\w\(\)|[a-z][A-Z]|#\d")  # signs of a name of code, a path or a number of an issue

# Headings below which a report praises what it did, or tells of the checks of then, which what is so now tells better.
_PRAISES = re.compile(
    r"(?:what(?:'s|’s| is| was) (?:good|great|nice|working(?: well)?|solid)|(?:key )?benefits?|strengths?|positives?|highlights?"
    r"|why this (?:is better|matters|works)|advantages|impact|(?:final |current )?(?:test(?:ing)?|tests|lint(?:ing)?|check|build|ci|quality"
    r"|coverage|validation|verification)(?: (?:&|and) \w+)?"
    r"(?: (?:results?|status|summary|achievements?|checks?|improvements?|suite|gates?))?|checks|well[- ]covered|what works"
    r"|all (?:tests|checks) pass(?:ed|ing)?)\W*$",
    re.I,
)
_CHECKED = re.compile(
    r"\W*(?:(?:great|good|perfect|excellent|now|ok(?:ay)?|yes|also|and)[,!.: —–-]+)*"
    r"(?:all |the |both |these |existing |full |new |clean |\d+ )*"
    r"(?:(?:unit|integration|e2e|test|lint|type|new|other|existing|go|race)[ -])*"
    r"(?:tests?|test (?:suite|functions?)|lint(?:er|ing)?|checks?|builds?|suites?|types?|typecheck|typescript|code|ci|format(?:ting)?)\b"
    r"(?:[^.:;`]|\.\d){0,60}?"
    r"\b(?:pass(?:es|ed|ing)?|clean(?:ly)?|green|succeed(?:s|ed)?|successful(?:ly)?|formatted|compiles?|0 (?:issues|errors|failures))\b"
    r"[^`]{0,90}$",
    re.I,
)
_CLEAN = re.compile(r"\W*(?:yes\W+)?all (?:clean|green|checks pass(?:ed)?|good)\b[^`]{0,120}$", re.I)
_CHEERS = re.compile(r"\W*(?:this|that|the|these|it|all|everything|now|both|you)\b[^`]*!\W*$", re.I)
_VERDICT = re.compile(
    r"\*\*(?:overall|(?:(?:my|the|final|overall) )?(?:verdict|recommendation|conclusion|assessment)|bottom line):(?:\*\* )?[ ]*\w", re.I
)
# What lists in a report below such words tell is seen in the files.
_DETAILS = re.compile(r"(?:test )?(?:cases|scenarios)|(?:it |this |also )?(?:tests|verifies|covers)(?: that)?|examples?|before|after", re.I)
# How a claim begins that names a test and what it is for.
OF_TESTS = re.compile(r"\W*(?:added )?\W*(?:Test[A-Z_]\w+|test_\w+)[`*]* *(?:[—–-] |: )")
# How an answer begins to say what it comes to.
_CONCLUDES = re.compile(
    r"[*_]*(?:so|thus|therefore|overall|in (?:short|summary)|bottom line|(?:my |the )?(?:pick|recommendation|advice|conclusion|verdict)"
    r"|i(?:'|’)d (?:pick|recommend|go|start)|i recommend)\b",
    re.I,
)
_FENCED = re.compile(r"\s*```\w*\n([^\n]+)\n")
_EMPTY = re.compile(r"^[ \t]*```\w*\n\s*```[ \t]*$\n?", re.M)
_FENCE = re.compile(r"\s*```\w*\n[^\n]+\n```")
_SIGNS = re.compile(r"(`[^`\n]*`)|(?:(?<!\s)\s*[✅✓✔☑🎉🚀❌⚠]\ufe0f?)+")  # but for those in code, which say something there
_IN_CODE = r"\1"
_MARK = re.compile(r"(?:[-*+•|>#]+|\d{1,3}[.)])\s*")
_ANSWERS = re.compile(
    r"[*_\s]*(?:yes|no|nope|yep|correct|exactly|not (?:yet|quite|really)|partly|partially|ja|nein|doch|oui|non|sí)\b"
    r"(?=\W*[,.!;:—–]|\*)",
    re.I,
)
_LEAD = re.compile(
    r"\W*(?:(?:ah|ok(?:ay)?|now|so)\W+)?(?:i (?:can )?(?:see|understand|found) (?:the|now|what)\b(?: \w+){0,3}[.!:]*$"
    r"|(?:(?:perfect|great|done|excellent)\W+)?(?:here(?:'s|’s| is| are)|(?:in )?summary|changes(?: made)?|all (?:done|set|changes)"
    r"|(?:i(?:'ve|’ve| have) )?successfully (?:completed|implemented) (?:all|everything)|(?:implementation|task) (?:summary|complete))\b"
    r"[^`]{0,80}$)",
    re.I,
)


def plainly(text: str, *, details: bool = True) -> str:
    """A report without what praises it and what tells of the checks of then: whole sections with such a heading, and single sentences;
    without `details` nor what tests there are in a test. Words of which nothing would be left stay as they are."""
    kept: list[str] = []
    praised: int | None = None  # the rank of the heading whose section is left out
    listed = ""  # how the list below it begins
    fenced = False
    for line in text.split("\n"):
        words = line.strip()
        fenced ^= words.startswith("```")
        if not fenced and _VERDICT.match(words):  # in bold it looks like a heading
            kept.append(_SIGNS.sub(_IN_CODE, words.replace("**", "")).strip())
            continue
        is_heading = (
            bool(words) and not fenced and not is_item(words) and (is_title(words) or (leads_in(words) and len(words.split()) <= 6))
        )
        if is_heading:
            rank = title_rank(words) if is_title(words) else LED
            if praised is None or rank <= praised:
                plain = _plain(words)
                praised = rank if _PRAISES.fullmatch(plain) or (not details and _DETAILS.fullmatch(plain)) else None
            listed = ""
        elif praised is not None and words and (listed or praised == LED) and _ends_list(line, listed):
            praised = None
        elif praised is not None and not listed and is_item(words):
            listed = words[:1]
        if praised is not None:
            continue
        if not words or is_heading or fenced or words.startswith(("|", "```")):
            kept.append(line)
            continue
        said = [each for each in sentences_of(line) if not only_praises(each)]
        if said:
            indent = line[: len(line) - len(line.lstrip())]
            kept.append(indent + _SIGNS.sub(_IN_CODE, " ".join(said)).strip())
    first = next((place for place, line in enumerate(kept) if not _opens(line)), 0)
    told = _without_empty_titles(kept[first:])
    return told if any(len(_MARK.sub("", line)) >= LEAST for line in told.split("\n")) else text


def in_one_line(text: str, room: int) -> str:
    """What a report comes to, in one line of about `room` characters: its first sentences that tell something, else what the items of its
    list begin with."""
    lines = [_as_item(line) for line in plainly(text).split("\n") if line.strip()]
    telling: list[str] = []
    for line in map(str.strip, lines):
        if is_item(line) or line.startswith(("|", "```", ">")):
            break
        telling += [each for each in sentences_of(line) if tells(each) and not _leads(each) and not is_title(each)]
    found = ""
    for each in telling:
        if found and len(found) + len(each) + 1 > room:
            break
        found = f"{found} {each}".strip()
    if len(found) >= room // 3 or not _items(lines):
        return first_clause(one_line(found), room) if found else first_clause(one_line(gist(text, room)), room)
    items = [first_clause(_MARK.sub("", line, count=1).strip(), ITEM).rstrip(" .;:") for line in _items(lines)]
    return f"{found}{' ' if found else ''}{_listed(items, room - len(found))}" if items else found


def comes_to(text: str, room: int) -> str:
    """What an answer comes to, in one line of about `room` characters: its first sentences before any list, and its last words, where these
    are prose. Empty where it begins with no sentence that tells something."""
    lines = [line.strip() for line in plainly(text, details=False).split("\n") if line.strip()]
    prose = list(takewhile(lambda line: not (is_item(line) or line.startswith(_NO_PROSE)), dropwhile(is_title, lines)))
    said = [each for line in prose for each in sentences_of(line) if (tells(each) or _ANSWERS.match(each)) and not _heads(each)]
    said = [each for each in said if not _leads(each)]
    below = [line for line in lines[len(prose) :] if not (_heads(line) or is_item(line) or line.startswith(_NO_PROSE))]
    concluding = next(filter(_CONCLUDES.match, below[::-1]), "")
    last = concluding or (below[-1] if below and below[-1] == lines[-1] else "")
    end = next((each for each in sentences_of(last) if tells(each) and not asks(each) and len(each) <= room), "")
    found = ""
    for each in said:
        if found and len(found) + len(each) + (len(end) if concluding else 0) > room:
            break
        found = f"{found} {each}".strip()
    end = end if concluding or len(found) + len(end) <= room else ""
    told = f"{found} {CLIP} {end}" if found and end and end not in found else found
    return told if len(told) >= SAYS_IT else ""


def answered(text: str, room: int, *, asked: bool = False, asking: bool = False, details: bool = True) -> str:
    """What an answer found out, or a report tells, within about `room` characters: what it begins with, whole. Where it was `asked` for,
    the sentence that says yes or no comes first; where it is `asking`, the question that it ends with is the last."""
    told = plainly(text, details=details)
    if len(told) <= room:
        return excerpt(told, room, asking=asking) or told
    first = _answer(told) if asked else ""
    if first and len(first) < room * 0.6:
        above, _, below = told.partition(first)
        fenced = _FENCED.match(below)
        shown = fenced[1].strip() if fenced else ""
        if leads_in(first) and shown and len(shown) <= SHOWN:
            below, first = _FENCE.sub("", below, count=1), f"{first} `{shown}`"
        left = below.strip() or above.strip()
        rest = with_end(left, beginning_of(left, room - len(first) - 1), room - len(first) - 1)
        return f"{first}\n{rest}" if rest else first
    question = last_question(told) if asking else ""
    said = told.removesuffix(question).rstrip() if question else told
    words = with_end(said, beginning_of(said, room - len(question) - 1), room - len(question) - 1)
    words = words if any(map(tells, words.split("\n"))) else in_one_line(text, room)
    return f"{words}\n{question}" if question else words


def without_told_later(text: str, later: Sequence[str]) -> str:
    """The lines of a report that no later one says again: where both share most of their lines, the later one stands for it."""
    lines = _with_code_whole(text)
    told = [words for line in "\n".join(later).split("\n") if len(words := frozenset(content(line, WORDS))) > 1]
    said = [frozenset() if "\n" in line or _heads(line.strip()) else frozenset(content(line, WORDS)) for line in lines]
    counted = [words for words in said if len(words) > 1]
    again = [any(len(words & each) >= _least(words) for each in told) for words in counted]
    if len(counted) < LINES or sum(again) < SAME * len(counted):
        return text
    fresh = [
        line
        for line, words in zip(lines, said, strict=True)
        if len(words) <= 1 or not any(len(words & each) >= _least(words) for each in told)
    ]
    left = _without_empty_titles(fresh)
    return left if any(is_item(line.strip()) for line in left.split("\n")) else ""


def _with_code_whole(text: str) -> list[str]:
    """The lines of a text, a block of code as one: what is left of one with lines taken out of it is none."""
    lines: list[str] = []
    fence = False
    for line in text.split("\n"):
        if fence:
            lines[-1] = f"{lines[-1]}\n{line}"
        else:
            lines.append(line)
        fence ^= line.lstrip().startswith("```")
    return lines


def _ends_list(line: str, listed: str) -> bool:
    """Whether a line is none of the list that begins with this sign, nor below one."""
    words = line.strip()
    return not line.startswith((" ", "\t")) and (not is_item(words) or (words[0].isdigit() and listed in ("-", "*", "+", "•")))


def only_praises(text: str) -> bool:
    """Whether words praise what was done, or say that checks passed, and name nothing."""
    plain = (_SIGNS.sub(_IN_CODE, _MARK.sub("", each.strip(), count=1)).replace("**", "").strip() for each in sentences_of(text))
    return all(not CODE_NAME.search(each) and any(form.match(each) for form in (_CHECKED, _CLEAN, _CHEERS)) for each in plain)


def names_of(text: str) -> frozenset[str]:
    """The names of code, files and the like in words."""
    return frozenset(term for term in terms_in(text) if is_name(term) and CODE_NAME.search(term))


def _least(words: frozenset[str]) -> float:
    return max(2.0, ALIKE * len(words))


def _plain(title: str) -> str:
    return _SIGNS.sub(_IN_CODE, plain_title(title)).strip(" *_#:`")


def _leads(sentence: str) -> bool:
    plain = sentence.replace("**", "")
    return leads_in(plain) or _LEAD.match(plain) is not None


def _as_item(line: str) -> str:
    """A line; of a heading with a number the item that it is."""
    title = plain_title(line.strip())
    words = title if is_title(line.strip()) and NUMBER.match(title) else line.rstrip()
    return _SIGNS.sub(_IN_CODE, words).rstrip()


def _items(lines: Sequence[str]) -> list[str]:
    """The items of a report's lists: those with a number where it has some, else those that stand in no other."""
    items = [line for line in lines if is_item(line.strip())]
    numbered = [line for line in items if NUMBER.match(line)]
    least = min((len(line) - len(line.lstrip()) for line in items), default=0)
    return numbered if len(numbered) > 1 else [line for line in items if len(line) - len(line.lstrip()) == least]


def _listed(items: Sequence[str], room: int) -> str:
    shown: list[str] = []
    for item in items[:ITEMS]:
        if shown and sum(map(len, shown)) + len(item) + len(BETWEEN) * len(shown) > room:
            break
        shown.append(item)
    more = len(items) - len(shown)
    return BETWEEN.join(shown) + (f"{BETWEEN}… {more} more" if more else "")


def _answer(text: str) -> str:
    """The words that say yes or no, with the sentence behind them where they are these alone."""
    for line in text.split("\n"):
        said = sentences_of(line) if not is_item(line.strip()) else []
        place = next((place for place, each in enumerate(said) if _ANSWERS.match(each)), None)
        if place is not None:
            alone = len(content(said[place], 3)) < 3
            start = line.find(said[place])
            last = said[place + 1] if alone and place + 1 < len(said) else said[place]
            return line[start : line.find(last, start) + len(last)]
    return ""


def _opens(line: str) -> bool:
    """Whether a line at the beginning of a report says no more than that it is one."""
    words = line.strip()
    return not words or (is_title(words) and _plain(words).lower() in _OPENINGS) or (leads_in(words) and _LEAD.match(words) is not None)


def _heads(words: str) -> bool:
    """Whether words are a heading, or only lead in to what stands below."""
    return is_title(words) or (not is_item(words) and leads_in(words))


def _without_empty_titles(lines: Sequence[str]) -> str:
    """The lines without headings, and without words that lead in, of which nothing is left; without empty blocks of code."""
    kept: list[str] = []
    for line in reversed(_EMPTY.sub("", "\n".join(lines)).split("\n")):
        words = line.strip()
        if words and _heads(words):
            after = next((each.strip() for each in reversed(kept) if each.strip()), "")
            if not after or (is_title(words) and is_title(after) and title_rank(after) <= title_rank(words)):
                continue
        kept.append(line)
    return "\n".join(reversed(kept)).strip("\n")
