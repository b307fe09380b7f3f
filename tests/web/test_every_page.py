"""Rules that every page keeps: nothing inline, whole HTML, labels, one heading, links that work without scripts."""

import json
import re
from unittest.mock import patch

import pytest
from django.db.models import Model
from django.test import Client

from tests.cast import ours, person
from tests.web.reading import read
from tests.web.world import browser, pages, world

HANDLER = re.compile(r"on[a-z]+|style|srcdoc")


@pytest.fixture(scope="module")
def documents(answers):
    """Every page by its address, the login among them."""
    return {address: read(answer.content) for address, answer in answers.items()}


@pytest.fixture(scope="module")
def answers(asked):
    """The answers behind them."""
    return asked[0]


@pytest.fixture(scope="module")
def asked(lasting):
    """The answers, and the columns that pages read row by row, since they were left out when the rows were read."""
    return lasting(ask)


def ask():
    owner = person("owner")
    there = world(ours(owner), owner)
    reading = Model.refresh_from_db
    later: list[tuple[str, str]] = []

    def noted(row, using=None, fields=None, **options):
        later.extend((type(row).__name__, name) for name in fields or ())
        return reading(row, using=using, fields=fields, **options)

    with patch.object(Model, "refresh_from_db", noted):
        return dict(pages(browser(owner), there)) | {"/login": Client().get("/login")}, later


def test_it_works(documents):
    assert len(documents) >= 13
    assert all(document.elements[0].tag == "html" for document in documents.values())


def test_no_column_is_read_row_by_row(asked):
    assert asked[1] == []


def test_nothing_is_inline(documents):
    for address, document in documents.items():
        assert not document.all("style"), address
        for script in document.all("script"):
            assert script.attributes["src"].startswith("/static/"), address
            assert not script.text.strip(), address
        for element in document.elements:
            assert not [name for name in element.attributes if HANDLER.fullmatch(name)], (address, element)
            assert not element.attributes.get("href", "").lower().startswith("javascript:"), (address, element)
            for name in ("src", "href", "action"):
                assert "//" not in element.attributes.get(name, ""), (address, element)


def test_the_policy_forbids_what_is_inline(answers):
    for address, answer in answers.items():
        policy = answer.headers["Content-Security-Policy"]
        assert "unsafe" not in policy, address
        assert "script-src 'self';" in policy, address


def test_htmx_asks_for_nothing_that_the_policy_forbids(documents):
    for address, document in documents.items():
        (told,) = [meta for meta in document.all("meta") if meta.attributes.get("name") == "htmx-config"]
        config = json.loads(told.attributes["content"])
        assert config["includeIndicatorStyles"] is config["allowEval"] is config["allowScriptTags"] is False, address
        assert "style" not in config["attributesToSettle"], address
        assert config["historyCacheSize"] == 0, address  # pages with people's words are not kept in the browser's storage
        for element in document.elements:
            assert not [name for name in element.attributes if name.startswith("hx-on")], (address, element)
            assert "[" not in element.attributes.get("hx-trigger", ""), (address, element)
            assert not [value for value in element.attributes.values() if value.startswith(("js:", "javascript:"))], (address, element)


def test_the_html_is_whole_and_ids_are_unique(documents):
    for address, document in documents.items():
        assert not document.astray, (address, document.astray)
        ids = [element.attributes["id"] for element in document.elements if "id" in element.attributes]
        assert len(ids) == len(set(ids)), (address, sorted(name for name in ids if ids.count(name) > 1))


def test_everything_can_be_named(documents):
    for address, document in documents.items():
        ids = {element.attributes.get("id") for element in document.elements}
        labelled = {label.attributes.get("for") for label in document.all("label")}
        assert document.all("html")[0].attributes["lang"] == "en"
        assert document.all("title")[0].text.strip() and len(document.all("h1")) == 1, address
        for field in document.all("input", "select", "textarea"):
            if field.attributes.get("type") not in ("hidden", "submit"):
                assert field.attributes.get("id") in labelled or field.attributes.get("aria-label"), (address, field)
        for control in document.all("button", "a", "summary"):
            assert control.text.strip() or control.attributes.get("aria-label"), (address, control)
        for picture in document.all("svg"):
            assert "aria-hidden" in picture.attributes or picture.attributes.get("role") == "img", (address, picture)
        for element in document.elements:
            for name in ("aria-labelledby", "aria-describedby"):
                assert not set(element.attributes.get(name, "").split()) - ids, (address, element)


def test_links_and_forms_work_without_scripts(documents):
    for address, document in documents.items():
        for element in document.elements:
            if "hx-get" in element.attributes and element.tag == "a":
                assert element.attributes.get("href") == element.attributes["hx-get"], (address, element)
            if "hx-post" in element.attributes:
                assert element.tag == "form" and element.attributes["method"] == "post", (address, element)
                assert element.attributes["action"] == element.attributes["hx-post"], (address, element)
            if element.tag == "button" and {"data-copy", "data-theme-switch"} & set(element.attributes):
                assert "hidden" in element.attributes, (address, element)


def test_the_token_stands_once_on_the_body_and_in_each_form(documents):
    for address, document in documents.items():
        assert "X-CSRFToken" in document.all("body")[0].attributes["hx-headers"], address
        tokens = [field for field in document.all("input") if field.attributes.get("name") == "csrfmiddlewaretoken"]
        posts = [form for form in document.all("form") if form.attributes.get("method") == "post"]
        assert len(tokens) == len(posts), address


def test_one_can_skip_to_the_content_and_hear_what_happens(documents):
    for address, document in documents.items():
        links = document.all("a")
        assert links[0].attributes["href"] == "#content", address
        live = [element for element in document.elements if element.attributes.get("aria-live") == "polite"]
        assert len(live) >= 2, address
