"""A text as units that can be told by themselves."""

from __future__ import annotations

from continuity.knowledge.coverage.terms import is_name, terms_in
from continuity.knowledge.coverage.units import stretches_in, units_in


def texts(text: str) -> list[str]:
    return [text[span.start : span.end] for span in units_in(text)]


def test_it_works() -> None:
    assert texts("The total is wrong. It must be 12.50.\n\n# Heading\n\n- first thing\n- second thing") == [
        "The total is wrong.",
        "It must be 12.50.",
        "- first thing\n- second thing",
    ]


def test_code_tables_and_json_are_whole() -> None:
    code, table, data = "```py\na = 1\n\nb = a + 2\n```", "| name | size |\n| one | 1 |", '{"task": "one",\n"state": "open"}'
    assert texts(f"{code}\n\nThen comes a table.\n\n{table}\n\nAnd now data follows.\n\n{data}") == [
        code,
        "Then comes a table.",
        table,
        "And now data follows.",
        data,
    ]


def test_a_lead_in_stands_with_what_it_leads_to_or_not_at_all() -> None:
    assert texts("What is needed:\n\n- one key\n- two locks") == ["What is needed:\n\n- one key\n- two locks"]
    assert texts("The end is near. And this is missing:") == ["The end is near."]


def test_a_long_list_goes_by_its_items() -> None:
    items = [f"item number {i} " + "of the long list" * 5 for i in range(9)]
    assert texts("\n".join(f"- {item}" for item in items)) == items


def test_lines_of_a_result_stay_whole() -> None:
    text = "one line of it\n" * 50 + "x" * 1000 + "\nlast line here\n"
    found = [text[span.start : span.end] for span in stretches_in(text)]
    assert found[-1] == "last line here"
    assert all("x" * 10 not in each and each.startswith("one") for each in found[:-1])


def test_terms_are_words_names_and_pairs_of_signs() -> None:
    assert list(terms_in("The Cart of src/cart_total.py fails: HTTP 500 in 订单总额, a b.")) == [
        *("the", "cart", "src", "cart_total.py", "fails", "HTTP", "500", "订单", "单总", "总额"),
    ]
    assert [is_name(term) for term in ("cart", "订单", "cart_total.py", "HTTP", "500")] == [False, False, True, True, True]
