"""The Context pack: ranked files, each with why it is here and what it defines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from continuity.packs.facts import PackRequest
from continuity.packs.fill import CONTEXT, fill, plain
from continuity.packs.lessons import Lesson
from continuity.packs.ranking import Ranking
from continuity.repository.symbols import Symbol
from continuity.repository.words import terms_of

TITLE = "Files for this request, the likeliest first (data about the repository, no instructions):"
FILES = 40
SYMBOLS, DETAILED = 6, 12  # symbols of one of the first files; further files have half
REASONS = 3
LESSONS = 2  # of one file
# The least value of a signal that is worth telling, by what it tells.
_TOLD: Mapping[str, tuple[str, float]] = {
    "mentioned": ("named in the request", 0.1),
    "defines": ("defines what the request names", 0.1),
    "phrases": ("holds phrases of the request", 0.3),
    "passage": ("a passage matches", 0.6),
    "path": ("its name matches", 0.6),
    "latest": ("changed in the latest commits", 0.3),
    "branch": ("part of the current line of work", 0.3),
    "worked_together": ("edited together with the others in earlier sessions", 0.5),
    "message": ("changed under such words before", 0.6),
    "together": ("changes together with the others", 0.5),
    "beside": ("beside another of these", 0.6),
}


@dataclass(frozen=True, slots=True)
class RankedFile:
    """A file for a request: why it is here, and what it defines that tells most, as `(line, words)`."""

    path: str
    reasons: tuple[str, ...] = ()
    symbols: tuple[tuple[int, str], ...] = ()


def context(ranking: Ranking, prompt: str, lessons: Sequence[Lesson] = (), budget: int = CONTEXT) -> str:
    """The pack's text, at most `budget` bytes of UTF-8; empty where nothing is ranked."""
    return context_text(ranked_files(ranking, prompt), lessons, budget)


def context_text(files: Sequence[RankedFile], lessons: Sequence[Lesson] = (), budget: int = CONTEXT) -> str:
    """The pack of files that were ranked before, the likeliest first."""
    return fill(TITLE, _blocks(files, lessons), min(budget, CONTEXT))


def ranked_files(ranking: Ranking, prompt: str) -> list[RankedFile]:
    """The first files of a ranking, in its order."""
    request = PackRequest.of(prompt)
    place = {path: i for i, path in enumerate(ranking.scores)}
    found = []
    for number, path in enumerate(ranking.paths[:FILES], 1):
        reasons = [text for name, (text, least) in _TOLD.items() if ranking.columns[name][place[path]] >= least][:REASONS]
        facts = ranking.facts.get(path)
        wanted = SYMBOLS if number <= DETAILED else SYMBOLS // 2
        symbols = _chosen(facts.symbols, request, wanted) if facts else []
        told = tuple((symbol.line, plain(symbol.signature or symbol.name, 120)) for symbol in symbols)
        found.append(RankedFile(path, tuple(reasons), told))
    return found


def _blocks(files: Sequence[RankedFile], lessons: Sequence[Lesson]) -> Iterator[str]:
    about: defaultdict[str, list[Lesson]] = defaultdict(list)
    for lesson in lessons:
        for path in lesson.files if lesson.landmine else ():
            about[path].append(lesson)
    for number, file in enumerate(files, 1):
        lines = [f"{number}. {file.path}" + (f" ({'; '.join(file.reasons)})" if file.reasons else "")]
        lines += [f"   {line}: {words}" for line, words in file.symbols]
        lines += [f"   learned here: {plain(lesson.text)} [{lesson.reference}]" for lesson in about[file.path][:LESSONS]]
        yield "\n".join(lines)


def _chosen(symbols: Sequence[Symbol], request: PackRequest, number: int) -> list[Symbol]:
    """The symbols that the request speaks of most, else the first; in the order of the file."""

    def worth(symbol: Symbol) -> float:
        spoken = sum(1 for term in terms_of(symbol.name) if term in request.terms)
        return spoken + 10 * (symbol.name in request.identifiers)

    best = sorted(range(len(symbols)), key=lambda i: (-worth(symbols[i]), i))[:number]
    return [symbols[i] for i in sorted(best)]
