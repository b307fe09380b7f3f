"""A pack and a directive in one answer of a hook: never more than may be shown, and never half of a block."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.client.light import packs

LINE = st.text("abcdef 0123", min_size=1, max_size=60)
PACK = st.lists(LINE, max_size=40).map(lambda lines: "Title:\n" + "".join(f"{line}\n" for line in lines))
TEXTS = st.fixed_dictionaries({}, optional=dict.fromkeys(packs.PARTS, PACK))


def test_it_works():
    whole, shown = packs.together(
        "Directive.", {"context": "Files:\n1. a\n   3: def f\n", "anchor": "About:\n- rule\n", "delta": "Changed:\na\n"}
    )
    assert whole == "About:\n- rule\nDirective.\nChanged:\na\nFiles:\n1. a\n   3: def f"
    assert set(shown) == {"anchor", "context", "delta"}


@given(st.text("xyz ", max_size=400), TEXTS, st.integers(0, 2_000))
def test_it_never_exceeds_the_limit_and_shows_the_directive_whole(directive, texts, room):
    limit = len(directive) + room
    whole, shown = packs.together(directive, texts, limit)
    assert len(whole) <= limit
    assert directive.rstrip("\n") in whole
    for part, text in shown.items():
        assert all(line in texts[part] for line in text.split("\n"))


DIRECTIVE = "--- A ---\nSigns.\n\n## Now\n- The user asked: “x” [m1]\n- This fails:\n  > one\n- Go on.\n\n## Files\n- a\n--- END ---\n"
SHORT = "--- A ---\nSigns.\nNow:\n- The user asked: “x” [m1]\n- Go on.\nFiles:\n- a\n"


def test_what_is_at_hand_is_told_again_at_the_end_where_packs_stand_around_it():
    texts = {"anchor": "About:\n- rule\n"}
    again = "At hand, as told above:\n- The user asked: “x” [m1]\n- This fails:\n  > one\n- Go on."
    assert packs.together(DIRECTIVE, texts)[0] == f"About:\n- rule\n{DIRECTIVE}{again}"
    assert packs.together(SHORT, texts)[0].endswith("\nAt hand, as told above:\n- The user asked: “x” [m1]\n- Go on.")
    assert packs.together(DIRECTIVE, {})[0] == DIRECTIVE.rstrip("\n"), "not where the directive stands alone"
    assert packs.together("The user asked for this.\n", texts)[0].endswith("asked for this."), "nor where nothing is called so"
    tight, _ = packs.together(DIRECTIVE, texts, len(DIRECTIVE) + 55)
    assert tight.endswith("At hand, as told above:\n- Go on."), "as much of it as fits"


@given(st.text("xyz\n", max_size=3_000))
def test_beside_any_anchor_a_directive_has_its_room(anchor):
    room = packs.directive_room(anchor)
    assert packs.DIRECTIVE <= room <= packs.LIMIT - len(anchor) - bool(anchor)
    if anchor:
        assert "anchor" in packs.together("d" * room, {"anchor": anchor})[1]


def test_a_block_that_does_not_fit_is_skipped_and_the_next_tried():
    text = "Files:\n1. short\n2. " + "long" * 50 + "\n   below it\n3. short too\n"
    assert packs.together("", {"context": text}, 60)[0] == "Files:\n1. short\n3. short too"


def test_no_pack_at_all_is_no_words():
    assert packs.together("", {}) == ("", {})
    assert packs.together("", {"context": "Title:\n"}) == ("", {})


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("CONTINUITY_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.mark.parametrize("wrong", ["", "[]", "{", '{"texts": 3}', '{"texts": {"anchor": 7}, "at": "x"}', '{"paths": [1]}'], ids=range(6))
def test_a_file_that_can_not_be_read_gives_nothing(home, wrong):
    Path(packs.place("ready", "s")).write_text(wrong)
    assert packs.take("s") == ("", {})


def test_what_is_old_is_not_given(home):
    Path(packs.place("ready", "s")).write_text(json.dumps({"texts": {"anchor": "T\n- a"}, "pack": "p", "root": "/", "paths": []}))
    os.utime(packs.place("ready", "s"), (5, 5))
    assert packs.take("s") == ("", {})
