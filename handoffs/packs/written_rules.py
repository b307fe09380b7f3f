"""Rules of a repository's instruction files, found as a session's fold finds them where an agent reads such a file."""

from __future__ import annotations

from continuity.knowledge.extractors.instructions import PROJECT, is_instruction_file, project_rules
from continuity.knowledge.rules.catalogue import RULES, Rule, RuleLine
from continuity.packs.facts import Reader
from continuity.packs.lessons import WrittenRule
from continuity.repository.state import RepositoryState

FILES = 4


def written_rules(state: RepositoryState, read: Reader) -> tuple[WrittenRule, ...]:
    """Of the files nearest to the root first, of each the gravest first; what several files say stands once."""
    paths = sorted(filter(is_instruction_file, state.files), key=lambda path: (path.count("/"), path))
    found: dict[str, WrittenRule] = {}
    for path in paths[:FILES]:
        text = (read(path) or "")[:PROJECT]
        for _, sentence in project_rules(text, _rule_of):
            found.setdefault(sentence.text, WrittenRule(sentence.text, path, text.count("\n", 0, sentence.start) + 1))
    return tuple(found.values())


def _rule_of(line: RuleLine) -> Rule | None:
    """A rule of ours that raises on a line matches it not."""
    return RULES.first_match(line, [])
