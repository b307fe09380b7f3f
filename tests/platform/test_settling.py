"""What the process that serves pages loads before its first request."""

import gc

import pytest
from django.template import Template, engines

from continuity import warmup


def test_it_works(monkeypatch):
    kept = []
    monkeypatch.setattr(gc, "freeze", lambda: kept.append(len(gc.get_objects())))  # The tests' own things stay in the collector's sight.
    warmup.settle()
    assert len(kept) == 1


@pytest.mark.parametrize("name", ["base.html", "search/search.html#results", "admin/change_list.html"])
def test_no_page_waits_for_its_template_to_be_compiled(name, monkeypatch):
    monkeypatch.setattr(gc, "freeze", lambda: None)
    warmup.settle()
    monkeypatch.delattr(Template, "compile_nodelist")
    assert engines["django"].get_template(name)
