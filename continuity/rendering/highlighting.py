"""Code in colours: spans whose classes the style sheet knows. Which language it is must be said; nothing is guessed."""

from functools import lru_cache
from html import escape
from typing import Any

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

LONGEST = 2400  # characters: what a lexer takes for a text that is made against it grows with the square of its length
LANGUAGES = frozenset(
    """bash c cpp csharp css docker dockerfile elixir go graphql html ini java javascript js json jsx kotlin lua nginx php powershell proto
    protobuf py python r rb ruby rs rust scala sh shell sql swift toml ts tsx typescript xml yaml yml zsh""".split()  # noqa: SIM905
)
# By the ends of files' names, where a call names a file and no language.
ENDINGS = {"mjs": "js", "cjs": "js", "h": "c", "hpp": "cpp", "cc": "cpp", "kt": "kotlin", "cs": "csharp", "htm": "html", "cfg": "ini"}


def highlighted(code: str, language: str, _attributes: str = "") -> str:
    """The code as HTML without a frame; its plain words where the language is not known or it is long."""
    lexer = _lexer(language.lower())
    if lexer is None or len(code) > LONGEST:
        return escape(code)
    return str(highlight(code, lexer, _FORMATTER))


def language_of(path: str) -> str:
    """The language of a file by its name's end; "" where it is not known."""
    ending = path.rpartition(".")[2].lower() if "." in path else ""
    found = ENDINGS.get(ending, ending)
    return found if found in LANGUAGES else ""


_FORMATTER: HtmlFormatter[str] = HtmlFormatter(nowrap=True)


@lru_cache(maxsize=len(LANGUAGES))
def _lexer(language: str) -> Any:
    return get_lexer_by_name(language, stripnl=False, ensurenl=False) if language in LANGUAGES else None
