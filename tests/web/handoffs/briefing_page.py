"""Reading the page of a handoff's briefing."""

from tests.web.reading import read

HTMX = {"HX-Request": "true"}
ATTACK = "<script>alert(1)</script>"


def page(client, handoff, rest="", **headers):
    answer = client.get(f"/handoffs/{handoff.id}{rest}", headers=headers)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def announced(html):
    return [element.text for element in read(html.encode()).elements if element.attributes.get("role") == "status"]


def links(html, name):
    return [element.attributes for element in read(html.encode()).all("a") if element.attributes.get("class") == name]
