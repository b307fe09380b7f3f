"""Files that a request is about come first, for reasons that hold in any repository."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.packs.facts import PackRequest
from continuity.packs.matching import bm25, query_of
from continuity.packs.ranking import rank, signals
from continuity.packs.signals import history, mentions, neighbours, texts
from continuity.packs.signals.sessions import EarlierSession
from continuity.packs.weights import WEIGHTS
from continuity.repository.limits import DEFAULT, Limits
from continuity.repository.state import Commit, RepositoryFile, RepositoryState

TEXTS = {
    "docs/mail.md": "# Mail\n\nHow mail is read.\n",
    "src/mail/header.py": "def parse_header(line):\n    raise ValueError('the header has no colon')\n",
    "src/mail/body.py": "class MailBody:\n    def parts(self):\n        return []\n",
    "src/mail/test_header.py": "def test_no_colon():\n    parse_header('x')\n",
    "src/view/page.py": "def show_page(body):\n    return str(body)\n",
}
PATHS = list(TEXTS)
KNOWN = {path: i for i, path in enumerate(PATHS)}


def change(*paths, message="", author="a", id="1", parents=("0",)):
    return Commit(id, parents, 1_000, author, message, paths)


def state(*commits):
    return RepositoryState({path: RepositoryFile(path, "", len(text)) for path, text in TEXTS.items()}, commits)


def ranked(prompt, *commits, sessions=(), limits=DEFAULT):
    return rank(state(*commits), prompt, TEXTS.get, sessions=sessions, limits=limits).paths


def columns(prompt, *commits, sessions=()):
    return signals(state(*commits), PackRequest.of(prompt), TEXTS.get, sessions, DEFAULT)[1]


def best(column):
    return PATHS[max(range(len(column)), key=column.__getitem__)]


def test_it_works():
    assert ranked("parse_header fails: the header has no colon")[0] == "src/mail/header.py"
    assert set(ranked("")) == set(PATHS)


def test_each_weight_is_of_a_signal_and_each_signal_has_one():
    assert set(WEIGHTS) == set(columns("mail"))


@pytest.mark.parametrize(
    "prompt",
    ["see src/mail/body.py", "see body.py:12", "in /copy/of/it/src/mail/body.py", "(`src/mail/body.py`)", "src/mail/body.py."],
)
def test_a_file_that_is_named(prompt):
    column = mentions.mentioned(PATHS, PackRequest.of(prompt))["mentioned"]
    assert [path for path, value in zip(PATHS, column, strict=True) if value] == ["src/mail/body.py"]


def test_a_symbol_that_is_named():
    found = columns("what does MailBody do")
    assert best(found["defines"]) == "src/mail/body.py"
    assert best(columns("parse_header")["defines"]) == "src/mail/header.py"
    assert columns("parse_header")["uses"][KNOWN["src/mail/test_header.py"]] > 0


def test_words_in_another_form():
    assert best(columns("parsing of headers")["content"]) == "src/mail/header.py"


def test_a_phrase_that_stands_in_a_file():
    assert best(columns("I saw: the header has no colon")["phrases"]) == "src/mail/header.py"


def test_what_changed_lately():
    commits = [change("src/view/page.py"), *(change("src/mail/body.py", id=str(n)) for n in range(20))]
    found = history.recency(commits, KNOWN)
    assert found["latest"][KNOWN["src/view/page.py"]] and not found["latest"][KNOWN["docs/mail.md"]]
    assert best(history.recency(commits[:2], KNOWN)["recent"]) == "src/view/page.py"
    assert best(found["changed"]) == "src/mail/body.py"


def test_a_line_of_work_ends_at_a_merge_and_at_another_author():
    work = [change("src/view/page.py"), change("src/mail/body.py", author="b")]
    assert history.recency(work, KNOWN)["branch"][KNOWN["src/mail/body.py"]] == 0
    merged = [change("src/view/page.py"), change(parents=("1", "2")), change("src/mail/body.py")]
    assert history.recency(merged, KNOWN)["branch"][KNOWN["src/mail/body.py"]] == 0


def test_words_of_commits():
    commits = [change("src/view/page.py", message="Colour the output"), change("docs/mail.md", message="Explain mail")]
    found = history.messages(commits, KNOWN, query_of(PackRequest.of("more colours").terms))
    assert best(found["like"]) == best(found["message"]) == "src/view/page.py"


def test_what_changes_together():
    commits = [change("src/mail/header.py", "src/view/page.py", id=str(n)) for n in range(4)]
    assert best(columns("src/mail/header.py", *commits)["together"]) == "src/view/page.py"


def test_a_test_beside_its_source():
    assert columns("src/mail/header.py")["beside"][KNOWN["src/mail/test_header.py"]] > 0


def test_earlier_sessions():
    sessions = [
        EarlierSession("old", 1.0, ("src/view/page.py", "gone.py"), ("src/mail/header.py",)),
        EarlierSession("new", 2.0, ("docs/mail.md",), ("src/mail/body.py",)),
    ]
    assert best(columns("src/mail/header.py", sessions=sessions)["worked_together"]) == "src/view/page.py"
    assert not any(columns("src/mail/header.py")["worked_together"])


def test_sessions_in_any_order_rank_alike():
    sessions = [EarlierSession(str(n), float(n), (PATHS[n],), (PATHS[-n],)) for n in range(1, 4)]
    assert ranked("pages", sessions=sessions) == ranked("pages", sessions=sessions[::-1])


def test_contents_are_read_of_the_likeliest_alone():
    asked = []

    def read(path):
        asked.append(path)
        return TEXTS[path]

    found = rank(state(), "see header.py and body.py", read, limits=Limits(read_files=2))
    assert set(asked) == {"src/mail/header.py", "src/mail/body.py"}
    assert len(found.paths) == len(PATHS)


def test_a_file_that_is_no_text_is_ranked_by_what_else_is_known():
    assert rank(state(), "header.py", lambda _: None).paths[0] == "src/mail/header.py"


@given(st.text(max_size=400))
def test_any_prompt(prompt):
    assert sorted(ranked(prompt)) == sorted(PATHS)


@given(
    st.lists(st.dictionaries(st.sampled_from("abc"), st.integers(1, 9)), max_size=6),
    st.dictionaries(st.sampled_from("abcd"), st.floats(0.1, 3)),
)
def test_bm25_is_above_zero_where_a_term_stands_and_zero_elsewhere(documents, query):
    for document, score in zip(documents, bm25(query, documents), strict=True):
        assert (score > 0) is bool(document.keys() & query.keys())


def test_neighbours_of_nothing():
    none = [0.0] * len(PATHS)
    found = neighbours.neighbours(PATHS, [change(*PATHS)], KNOWN, none, none)
    assert not any(any(found[name]) for name in ("together", "together_latest", "beside", "folder"))


def test_a_passage_counts_more_than_the_same_words_far_apart():
    near, far = "x\n" * 50 + "alpha beta gamma\n", "alpha\n" + "x\n" * 60 + "beta\n" + "x\n" * 60 + "gamma\n"
    both = {"far": far, "near": near}
    request = PackRequest.of("alpha beta gamma")
    found = texts.close_reading(["far", "near"], [1.0, 1.0], request, query_of(request.terms), both.get)
    assert found["passage"][1] > found["passage"][0]
