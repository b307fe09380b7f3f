"""The Context pack: ranked files, each with why it is here and what it defines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

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


def context(ranking: Ranking, prompt: str, lessons: Sequence[Lesson] = (), budget: int = CONTEXT) -> str:
    """The pack's text, at most `budget` bytes of UTF-8; empty where nothing is ranked."""
    return fill(TITLE, _blocks(ranking, PackRequest.of(prompt), lessons), min(budget, CONTEXT))


def _blocks(ranking: Ranking, request: PackRequest, lessons: Sequence[Lesson]) -> Iterator[str]:
    place = {path: i for i, path in enumerate(ranking.scores)}
    about: defaultdict[str, list[Lesson]] = defaultdict(list)
    for lesson in lessons:
        for path in lesson.files if lesson.landmine else ():
            about[path].append(lesson)
    for number, path in enumerate(ranking.paths[:FILES], 1):
        reasons = [text for name, (text, least) in _TOLD.items() if ranking.columns[name][place[path]] >= least][:REASONS]
        lines = [f"{number}. {path}" + (f" ({'; '.join(reasons)})" if reasons else "")]
        if facts := ranking.facts.get(path):
            wanted = SYMBOLS if number <= DETAILED else SYMBOLS // 2
            lines += [
                f"   {symbol.line}: {plain(symbol.signature or symbol.name, 120)}" for symbol in _chosen(facts.symbols, request, wanted)
            ]
        lines += [f"   learned here: {plain(lesson.text)} [{lesson.reference}]" for lesson in about[path][:LESSONS]]
        yield "\n".join(lines)


def _chosen(symbols: Sequence[Symbol], request: PackRequest, number: int) -> list[Symbol]:
    """Those that the request speaks of most, else the first; in the order of the file."""

    def worth(symbol: Symbol) -> float:
        spoken = sum(1 for term in terms_of(symbol.name) if term in request.terms)
        return spoken + 10 * (symbol.name in request.identifiers)

    best = sorted(range(len(symbols)), key=lambda i: (-worth(symbols[i]), i))[:number]
    return [symbols[i] for i in sorted(best)]
