"""Words that are explained on pages mean what the glossary says."""

import re
from pathlib import Path

from django.conf import settings

from continuity.templatetags.glossary import MEANINGS, term

TEXT = (Path(settings.BASE_DIR) / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| \*\*(.+?)\*\* \| (.+) \|$", TEXT, re.MULTILINE))


def test_it_works():
    assert 'popovertarget="term-context-window"' in term("context window", "Window")


def test_they_say_the_same():
    assert {word: ROWS[word].replace("**", "").replace("`", "") for word in MEANINGS} == MEANINGS
