"""What a handoff note says in several of its parts is told once: where the successor needs it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from continuity.knowledge.directive_parser.grammar import NOTED
from continuity.knowledge.language.content_words import is_identifier, is_stop, stem, tokens
from continuity.knowledge.language.sentences import spans
from continuity.knowledge.language.word_sets import word_set
from handoffs.budgeting.candidate import Candidate
from handoffs.directive.lines.wording import normalise
from handoffs.notes.evidence import denies

# The parts, the most useful first: what an earlier one says is left out of a later one.
USEFUL = ("request", "next", "remaining", "now", "rules", "decisions", "broken_approaches", "lessons", "files", "history")
TO_DO = frozenset(("next", "remaining"))
OF_PRESENT = frozenset(("request", "now"))  # whose first sentences may be left out: what follows them in others leans on them
WHOLE = frozenset(("next", "rules"))  # parts of which nothing is left out
# The share of a sentence's words that one other sentence or statement must have to say the same, less in parts where little is lost; that
# several must have together; and that the present must have of what a file needs. Of a decision hardly a word may lack.
SAME, ALL, NEEDED = {"decisions": 0.95, "files": 0.75, "broken_approaches": 0.7, "lessons": 0.65}, 0.8, 0.5
MOSTLY = 0.6  # that the first of several must have
OTHERWISE = 0.8
# Parts that may be told by several statements together, and by how many; what follows the first sentence tells of a file's state.
TOGETHER, AFTER = {"files": 2, "history": 4}, 4
LEAST, LITTLE, LONG = 3, 4, 5  # words below which a sentence says little by itself; up to which one without a name goes with what it adds
# to; from which several may tell it together
BEGINS = 6  # letters by which a word of the language is known: duplicate, duplication
WORDS = 80  # of a statement that are looked at
SENTENCES, MOST = 6, 600  # of a statement, what follows them being one; sentences and clauses that are looked at
_STANDS_FOR = re.compile(
    r"(?:it|they|this|that(?! (?:the|a|an|each|no)\b)|those|these|its|their|he|she|so|then|also|but|and|or|there|both|each|all|none|not)\b",
    re.I,
)
_NEEDS = re.compile(r"(?:it )?(?:still )?(?:needs?|to be|must|should|has to|braucht|muss)\b", re.I)
_LINES = word_set("line lines zeile zeilen")
_FRAME = word_set("line lines need needs user person human asked asks ask said says told wanted wants reported agreed message session")
_PIECES = re.compile(r"[/:]")
_SEVERAL = re.compile(r"[,;.?!] | - ")  # between what may deny and what does not
# Words of the person's that a statement begins with, and what the agent says of them.
_QUOTING = re.compile(r"""[^"“]{0,60}(?:"(?P<said>(?:[^"\\]|\\.)*)"|“(?P<spoken>[^“”]*)”),? [-–—] (?:i\.e\.,? )?(?P<told>.{20,})""")
_HEAD = re.compile(r"[.:;]\s")
_ENDED = re.compile(r"[.!?…][\"'”’)\]`]*$")


@dataclass(frozen=True, slots=True)
class _Words:
    """A sentence: its content words, those of them that name something exact, whether it denies (None: some of it may), and whether it
    says what is needed."""

    words: frozenset[str]
    names: frozenset[str]
    denies: bool | None
    needs: bool

    @classmethod
    def of(cls, text: str, *, told: bool = False) -> _Words:
        """What is `told` may deny any of several things that it says."""
        found: dict[str, bool] = {}
        of_line = False  # where in a file something stands says nothing by itself
        several = tokens(text)
        for token in several[:WORDS]:
            for place, piece in enumerate(_pieces(token)):
                low = piece.lower()
                number = low.replace("-", "").isdigit()
                of_line = low in _LINES or (of_line and (number or low == "and"))
                if not is_stop(low) and low not in _FRAME and (len(low) > 1 or number):
                    exact = not (of_line or place) if number else is_identifier(piece)
                    word = stem(low) if exact or not low.isalpha() else stem(low)[:BEGINS]
                    found[word] = found.get(word, False) or exact
        names = frozenset(word for word, exact in found.items() if exact)
        if len(several) > WORDS:
            names |= {text}  # nobody says all of it
        return cls(
            frozenset(found), names, None if told and _SEVERAL.search(text) else denies(text.lower()), _NEEDS.match(text) is not None
        )


@dataclass(slots=True)
class _Stated:
    """The statements that are told already: each with the part it stands in, and its sentences and clauses where it has several."""

    sentences: list[tuple[str, _Words]] = field(default_factory=list)

    def add(self, part: str, text: str) -> None:
        if len(self.sentences) > MOST:
            return
        several = _sentences(text)
        clauses = [clause for each in several for clause in each.split("; ")]
        told = dict.fromkeys((text, *several, *clauses))
        self.sentences += [(part, _Words.of(each, told=True)) for each in told]

    def says(self, part: str, said: _Words, several: int) -> bool:
        """Whether more useful parts say the same as a sentence of `part`: one statement, or up to `several` together."""
        if not said.words:
            return True
        if part == "files" and said.needs:
            present = [other for where, other in self.sentences if where in (*TO_DO, "now")]
            return _hold_together(present, said, NEEDED, AFTER)
        others = [(where, other) for where, other in self.sentences if _may_hold(where, part, said)]
        if any(_holds(where, other, part, said) for where, other in others):
            return True
        if not several or len(said.words) < LONG:
            return False
        return _hold_together([other for where, other in others if where != "lessons"], said, ALL, several, MOSTLY)


def without_duplicates(lines: Sequence[Candidate], parts: Mapping[str, str], asked: Sequence[str]) -> dict[str, str | None]:
    """By the keys of a note's lines, what is left of the text of those that another one tells too: nothing (None), or its sentences that
    are told nowhere else. `parts` are theirs by key, `asked` are the person's own words for what is wanted, which stand there too."""
    told = _Stated()
    for words in asked:
        told.add("request", words)
    spoken = "\n".join(map(normalise, asked))
    changed: dict[str, str | None] = {}
    history = [line for line in lines if parts[line.item.key] == "history"]
    others = [line for line in lines if parts[line.item.key] != "history"]
    ends = True  # whether all that follows in the history is told already: there it ends, and has no gap
    for line in (*sorted(others, key=lambda line: USEFUL.index(parts[line.item.key])), *reversed(history)):
        part, text = parts[line.item.key], line.item.text.removeprefix(NOTED)
        left = _without_quoted(text, spoken) if part == "request" else text
        left = _remainder(part, left, told, ends=ends, is_last=history[-1:] == [line])
        if left != text:
            changed[line.item.key] = f"{NOTED}{left}" if left else None
        if left:
            told.add(part, left)
            ends = part != "history"
    return changed


def _without_quoted(text: str, spoken: str) -> str:
    """The agent's words on the person's words, where a statement begins with them: they stand there already."""
    found = _QUOTING.match(text)
    said = normalise(found["said"] or found["spoken"] or "").strip(" .?!") if found else ""
    return _begun(found["told"]) if found and said and said in spoken else text


def _remainder(part: str, text: str, told: _Stated, *, ends: bool, is_last: bool) -> str:
    """The part of a statement that is told nowhere else: of a history all or nothing, of the others what stands by itself."""
    sentences = _sentences(text)
    pieces = [(place, each) for place, sentence in enumerate(sentences) for each in (_clauses(sentence) if part == "files" else [sentence])]
    said = [_Words.of(each) for _, each in pieces]
    whole = [said[0], *(_of_file(words, said[0]) if part == "files" else words for words in said[1:])]
    several = 0 if part == "history" and not ends else TOGETHER.get(part, 0)
    after = AFTER if several else 0
    known = [told.says(part, words, after if place else several) for words, (place, _) in zip(whole, pieces, strict=True)]
    one_piece = text.startswith("“") or (part == "request" and len(sentences) == 1)  # in quotation marks of ours
    if part in WHOLE or one_piece or not any(words.words for words in said):
        return text
    new = [words for words, is_known in zip(said, known, strict=True) if not is_known]
    adds = LITTLE if part == "history" else LEAST - 1
    if known[0] and all(not words.names and len(words.words) <= adds for words in new) and part in TOGETHER:
        return ""
    if all(known) or (is_last and _is_of_now(text, told)):
        return ""
    return text if part == "history" or not any(known) else _shortened(part, pieces, known)


def _of_file(words: _Words, first: _Words) -> _Words:
    """The words on a file, with its name, without which it might be of another one; what it needs is told with others."""
    if words.needs or not words.words:
        return words
    files = frozenset(name for name in first.names if "." in name)
    return _Words(words.words | files, words.names | files, words.denies, words.needs)


def _is_of_now(text: str, told: _Stated) -> bool:
    """Whether the end of a history is the request in work, whose state is told already: it begins with it, and names nothing else."""
    head = _Words.of(_HEAD.split(text, maxsplit=1)[0])
    requests = [words for part, words in told.sentences if part == "request"]
    asked = len(head.words) >= 2 and any(_share(head, words) >= OTHERWISE and head.names <= words.words for words in requests)
    names = frozenset[str]().union(*(words.words for part, words in told.sentences if part in (*TO_DO, "request", "now")))
    return asked and any(part == "now" for part, _ in told.sentences) and _Words.of(text).names <= names


def _shortened(part: str, pieces: Sequence[tuple[int, str]], known: Sequence[bool]) -> str:
    """What is not told elsewhere of the pieces, which stand beside the number of their sentence: of a file each, behind its path; of others
    without the sentences at both ends, as far as what follows does not lean on them."""
    if part != "files":
        first, end = 0, len(pieces)
        while end > 1 and known[end - 1]:
            end -= 1
        while part in OF_PRESENT and first < end - 1 and known[first] and _stands_alone(pieces[first + 1][1]):
            first += 1
        return " ".join(each for _, each in pieces[first:end])
    path, mark, _ = pieces[0][1].partition(": ")
    left = f"{path}:" if known[0] and mark else ""
    last = 0
    for (place, piece), is_known in zip(pieces, known, strict=True):
        if is_known:
            continue
        if place != last and left.endswith(";"):
            left = f"{left[:-1]}."
        left, last = f"{left} {_begun(piece) if left.endswith('.') else piece}".strip(), place
    return f"{left[:-1]}." if left.endswith(";") else left


def _stands_alone(sentence: str) -> bool:
    words = _Words.of(sentence)
    return _STANDS_FOR.match(sentence) is None and (bool(words.names) or len(words.words) >= LEAST)


def _begun(words: str) -> str:
    """Words as a sentence begins; a name stays as it is."""
    first = words.split(" ", 1)[0]
    return f"{words[:1].upper()}{words[1:]}" if first.isalpha() and first.islower() else words


def _clauses(sentence: str) -> list[str]:
    """The pieces of a sentence that a semicolon divides, which is kept."""
    found: list[str] = []
    for piece in sentence.split("; "):
        if found and _is_open(found[-1]):
            found[-1] = f"{found[-1]}; {piece}"
        else:
            found.append(piece)
    return [*(f"{each};" for each in found[:-1]), found[-1]]


def _may_hold(where: str, part: str, said: _Words) -> bool:
    """Whether a sentence of one part can stand for one of another: what is to be done tells what is not done yet, and what was asked for
    how the work came here."""
    if where == "request":
        return part in ("request", "history")
    if where in TO_DO:
        return part == "files" or part in TO_DO or (part == "now" and said.denies is True)
    return part != "request" and (where, part) != ("now", "lessons")  # how things are now is no lesson


def _holds(where: str, other: _Words, part: str, said: _Words) -> bool:
    least = SAME.get(part, OTHERWISE) if len(said.words) >= LITTLE else max(SAME.get(part, OTHERWISE), OTHERWISE)
    if not said.names <= other.words or _share(said, other) < least:
        return False
    if len(said.words) < LEAST and not (said.names or (part == "files" and where == "now")):
        return part == "request"
    return other.denies in (said.denies, None) or where in TO_DO or (where, part) == ("decisions", "broken_approaches")


def _hold_together(others: Sequence[_Words], said: _Words, share: float, several: int, most: float = 0.0) -> bool:
    """Whether so many sentences have this share of the words of one and all its names, the first of them at least `most`; where it denies,
    one of them does, too."""
    left, names, denied = set(said.words), set(said.names), not said.denies
    for _ in range(several):
        best = max(others, key=lambda other: len(left & other.words), default=None)
        if best is None or not left & best.words or (left == said.words and _share(said, best) < most):
            break
        if _share(said, best) >= OTHERWISE and best.denies not in (said.denies, None):
            return False  # it says the opposite
        left, names, denied = left - best.words, names - best.words, denied or best.denies is not False
    return denied and not names and len(left) <= (1 - share) * len(said.words) + 1e-9


def _share(said: _Words, other: _Words) -> float:
    return len(said.words & other.words) / len(said.words) if said.words else 0.0


def _sentences(text: str) -> list[str]:
    """The sentences of a text in one line; a mark within brackets or code, or before a small letter, ends none, nor does mere length."""
    found: list[str] = []
    for start, end in spans(text, 0, len(text)):
        words = text[start:end].strip()
        if found and (
            len(found) == SENTENCES or _is_open(found[-1]) or words[:1].islower() or words[:1] in "([" or not _ENDED.search(found[-1])
        ):
            found[-1] = f"{found[-1]} {words}"
        elif words:
            found.append(words)
    return found


def _is_open(text: str) -> bool:
    return text.count("(") > text.count(")") or text.count("`") % 2 == 1 or text.count('"') % 2 == 1


def _pieces(token: str) -> Iterator[str]:
    """The last part of a path, with a line that is named behind it; of alternatives ("fmt/lint") each; of names within names the last."""
    pieces = [piece for piece in _PIECES.split(token) if piece]
    named = next((place for place in reversed(range(len(pieces))) if "." in pieces[place].strip(".") or not pieces[place].isdigit()), 0)
    if "/" in token and (len(pieces) > 2 or any("." in piece for piece in pieces)):
        pieces = pieces[named:]
    for piece in pieces:
        last = piece.rpartition(".")[2]
        yield last if len(last) > 1 and last.lower() != last else piece
