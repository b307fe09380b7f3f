"""Every text stands out from what it stands on, in light and in dark (WCAG AA)."""

import re
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[2] / "static" / "css"
PAIR = re.compile(r"--([a-z-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\);")
COLOURS = {name: (light, dark) for name, light, dark in PAIR.findall((STATIC / "tokens.css").read_text())}

SHEETS = ("layout.css", "components.css", "boards.css")
GROUNDS = ("page", "surface", "sunken")
TEXTS = [(text, ground) for text in ("text", "text-soft", "accent", "accent-strong", "bad") for ground in GROUNDS]
TEXTS += [(level, f"{level}-tint") for level in ("ok", "warn", "bad", "info")]
TEXTS += [
    ("text-soft", "accent-tint"),
    ("text", "accent-tint"),
    ("accent", "accent-tint"),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
]
# Borders of fields and filled bars must be seen, not read.
SHAPES = (
    [("line-strong", ground) for ground in GROUNDS]
    + [(f"fill-{level}", "surface") for level in ("ok", "bad", "info")]
    + [("accent", "page")]
)


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first, second):
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def test_it_works():
    assert contrast("000000", "ffffff") == pytest.approx(21)
    assert len(COLOURS) >= 20


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXTS)
def test_texts_can_be_read(text, ground, theme):
    assert contrast(COLOURS[text][theme], COLOURS[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("shape", "ground"), SHAPES)
def test_shapes_can_be_seen(shape, ground, theme):
    assert contrast(COLOURS[shape][theme], COLOURS[ground][theme]) >= 3


def test_colours_stand_in_one_place_only():
    for name in SHEETS:
        assert not re.findall(r"#[0-9a-fA-F]{3,8}\b(?!-)|rgba?\(", (STATIC / name).read_text()), name


def test_our_style_stays_small():
    assert sum(len((STATIC / name).read_text().splitlines()) for name in ("tokens.css", *SHEETS)) <= 700


def test_our_scripts_stay_small():
    assert sum(len(each.read_text().splitlines()) for each in STATIC.with_name("js").glob("*.js")) <= 400
