"""What the last searches found, where that was little."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import pytest

from continuity.knowledge.extractors.outcomes.searches import HITS
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import CWD, agent, call, distil, person, ran, result
from tests.packages.samples import prepared

ASKED = person("Where is the level set?")
EDITED = (call("Edit", "e1", file_path=f"{CWD}/levels.py", old_string="a = 1", new_string="b = 1"), result("ok", "e1"))


def sought(pattern: str, output: str, place: str = "", call_id: str = "s1") -> tuple[Message, Message]:
    given = call("Grep", call_id, pattern=pattern, path=f"{CWD}/{place}".rstrip("/"), output_mode="content")
    found = result(output, call_id)
    return given, replace(found, parts=tuple(replace(part, name="Grep") for part in found.parts))


def searched(*messages: Message | tuple[Message, ...]) -> list[str]:
    return [quote.text for quote in distil(ASKED, *messages).knowledge.situation.searched]


def test_it_works() -> None:
    hits = f"{CWD}/cmd/hooks.go:64:\tlogging.SetLevel(GetLevel)\n{CWD}/logging/logger.go:68:func SetLevel(get func() string) {{"
    assert searched(sought("SetLevel", hits, "cmd")) == [
        "SetLevel in cmd → cmd/hooks.go:64: logging.SetLevel(GetLevel) / logging/logger.go:68:func SetLevel(get func() string) {"
    ]


def test_a_search_in_the_shell_is_one() -> None:
    assert searched(ran("grep -rn 'fn rename' src | head -5", "src/fuse.rs:2122:    fn rename(")) == [
        "grep -rn 'fn rename' src → src/fuse.rs:2122: fn rename("
    ]


def test_many_hits_that_name_nothing_are_told_by_their_number_or_not_at_all() -> None:
    many = "\n".join(f"a: level {n}" for n in range(HITS + 1))
    assert searched(sought("level", many)) == []
    assert searched(sought("level", f"Found 38 files\n{many}")) == ["level → Found 38 files"]


def test_what_is_found_nowhere_says_something_after_a_change() -> None:
    assert searched(sought("oldLevel", "No matches found")) == []
    assert searched(EDITED, sought("oldLevel", "No matches found")) == ["oldLevel → nothing"]


def test_lines_beside_the_hits_are_left_out_and_a_failed_search_is_none() -> None:
    assert searched(sought("import", '7-\n8:import os.path\n9-\t"os"\n--\n')) == ["import → 8:import os.path"]
    assert searched(sought("^import", "8:import (")) == [], "it names nothing"
    assert searched(ran("grep -r x vendor/*.go", "(eval):1: no matches found: vendor/*.go", 1)) == []


def test_it_fills_what_the_budget_leaves_unless_a_file_of_it_was_changed_since() -> None:
    found = sought("LEVEL", "levels.py:3: LEVEL = 5", "src"), agent("It is set in one place.")
    told = "- Found by a search: “LEVEL in src → levels.py:3: LEVEL = 5”"
    assert f"{told} [m3]" in prepared(distil(ASKED, *found).knowledge, budget=4000).text
    assert told not in prepared(distil(ASKED, *found, EDITED).knowledge, budget=4000).text


def test_hits_with_a_secret_are_not_kept() -> None:
    assert searched(sought("token", f"a.py:3: token = 'ghp_{'a1B2' * 9}'")) == []


@pytest.mark.parametrize("text", [" " * 200_000 + "x", "-" * 200_000 + "x", "a-" * 100_000, ("1-" * 50 + "\n") * 4000, "Found " * 40_000])
def test_hostile_outputs_take_no_time(text: str) -> None:
    started = perf_counter()
    searched(sought("level", text))
    assert perf_counter() - started < 2


def test_many_places_of_a_name_that_the_person_asks_about_are_kept_by_file() -> None:
    def places(output: str) -> list[str]:
        known = distil(person("Where is setLevel called?"), agent("I look for it."), sought("setLevel", output)).knowledge
        return [quote.text for quote in known.situation.searched]

    hits = "".join(f"{CWD}/src/levels.py:{n}: setLevel()\n" for n in range(HITS)) + f"{CWD}/src/other.py:9: setLevel(1)"
    assert places(hits) == ["setLevel → src/levels.py:0,1,2,3,4,5 / src/other.py:9"]
    far = "".join(f"{CWD}/src/{'long' * 20}{n}.py\n" for n in range(60))
    assert places(f"Found 60 files\n{far}")[0].endswith(" of them are not listed here")
    assert searched(sought("setLevel", hits))[0].endswith("src/other.py:9: setLevel(1)"), "nobody asked about it: by hit"


MANY = "\n".join(f"env.py:{n}:def run_{name}(self):" for n, name in enumerate(("cli", "cli_with_error", *"abcdefgh"), start=1))


def test_of_many_hits_those_are_told_that_the_last_words_name() -> None:
    text = prepared(distil(ASKED, sought("def run_", MANY), agent("`run_cli` is alike. Let me look at it:")).knowledge).text
    assert "def run_ → env.py:1:def run_cli(self): / env.py:2:def run_cli_with_error(self):”" in text


def test_of_many_hits_of_which_nothing_was_said_the_first_are_told() -> None:
    text = prepared(distil(ASKED, agent("Let me look for them:"), sought("def run_", MANY)).knowledge).text
    assert "env.py:8:def run_f(self): / … 2 more”" in text
    assert "def run_ →" not in prepared(distil(ASKED, sought("def run_", MANY), agent("It is elsewhere.")).knowledge).text


def test_only_the_last_of_them_is_kept() -> None:
    found = searched(sought("def run_", MANY), sought("run_", MANY.replace("env.py", "other.py"), "", "s2"))
    assert len(found) == 1 and found[0].startswith("run_ → other.py:1:")


def test_of_an_answered_question_no_list_of_hits_is_told() -> None:
    answer = agent("It is set by `run_cli`, and by nothing else.\n\nSo it is one level for the whole of the program.")
    text = prepared(distil(ASKED, sought("def run_", MANY), answer, person("Now say it in the handbook.")).knowledge).text
    assert "Found by a search" not in text


def test_of_a_long_search_the_words_are_cut_and_not_the_file() -> None:
    words = "TestShadow_TranscriptCondensation|metadata.Agent|GetSessionState|SessionOfAll"
    (told,) = searched(sought(words, f"7: state, err := GetSessionState({'id, ' * 60})", "cmd/shop/integration_test/workflow_test.go"))
    assert told.startswith("TestShadow_TranscriptCondensation|metadata.Agent")
    assert " … in cmd/shop/integration_test/workflow_test.go → 7: state, err := GetSessionState(id, " in told and told.endswith("id, …")
