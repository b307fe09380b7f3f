"""Our own `url` and `static` give what Django's give."""

from uuid import uuid4

import pytest
from django.template import Context, Engine, Template
from django.template.loader import get_template
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse, set_script_prefix

ID = uuid4()


def test_it_works() -> None:
    assert _rendered('{% url "handoff" id %}', id=ID) == reverse("handoff", args=[ID])


@pytest.mark.parametrize(
    "tag",
    [
        '{% url "home" %}',
        '{% url "search" as found %}{{ found }}',
        '{% url "conversation" id as found %}{{ found }}',
        '{% url "message" id 5 %}',
        '{% url "message" conversation_id=id seq=5 %}',
        '{% url "handoff" words %}',
        "{% url name %}",
        '{% url "admin:index" %}',
        '{% url "no-such-page" as found %}[{{ found }}]',
        '{% url "conversation" as found %}[{{ found }}]',
    ],
)
def test_addresses_are_those_of_django(tag: str) -> None:
    given = {"id": ID, "words": str(ID), "name": "handoffs"}
    of_django = Template(tag, engine=Engine()).render(Context(given))
    assert [_rendered(tag, **given) for _ in range(2)] == [of_django, of_django]


@pytest.mark.parametrize("tag", ['{% url "no-such-page" %}', '{% url "conversation" %}', '{% url "home" id %}'])
def test_one_that_is_not_there_is_told(tag: str) -> None:
    with pytest.raises(NoReverseMatch):
        _rendered(tag, id=ID)


def test_a_prefix_is_kept() -> None:
    before = _rendered('{% url "home" %}')
    set_script_prefix("/below/")
    try:
        assert _rendered('{% url "home" %}') == "/below/"
        assert _rendered('{% url "conversation" id %}', id=ID) == f"/below/conversations/{ID}"
    finally:
        set_script_prefix("/")
    assert _rendered('{% url "home" %}') == before == "/"


def test_files_are_found_as_by_django() -> None:
    assert _rendered('{% static "css/tokens.css" %}') == static("css/tokens.css")
    assert static("css/tokens.css") in get_template("404.html").render({})


def _rendered(template: str, **given: object) -> str:
    return Template(template).render(Context(given))
