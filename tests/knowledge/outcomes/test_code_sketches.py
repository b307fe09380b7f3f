"""What was changed in each file, in few lines."""

from __future__ import annotations

from continuity.knowledge.extractors.outcomes.code_sketches import SIZE, sketch, units
from continuity.knowledge.extractors.outcomes.marked_lines import marked
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import agent, call, distil, person, ran, result

ASKED = person("Give the cart a total, and round it.")
CART = """import decimal

LIMIT_OF_ITEMS = 40


# The sum of all items, rounded once at the end.
# Discounts are taken off before that.
def total(items: list[Item], rate: Rate) -> Money:
    result = 0
    for item in items:
        result += item.price
    return result
"""


TOTAL = [
    "+# The sum of all items, rounded once at the end.",
    "+# Discounts are taken off before that.",
    "+def total(items: list[Item], rate: Rate) -> Money:",
    "+    result = 0",
    "+    for item in items:",
    "+        result += item.price",
    "+    return result",
]


def sketches(*messages: Message | tuple[Message, ...]) -> dict[str, list[str]]:
    """The lines by path; of several sketches of a file the last."""
    return {each.path: each.body.split("\n") for each in distil(*messages).knowledge.situation.sketches}


def written(path: str, content: str, n: int = 1) -> tuple[Message, Message]:
    return call("Write", f"w{n}", file_path=path, content=content), result("ok", f"w{n}", data={"type": "create"})


def edited(path: str, old: str, new: str, n: int = 2) -> tuple[Message, Message]:
    return call("Edit", f"e{n}", file_path=path, old_string=old, new_string=new), result("ok", f"e{n}")


def test_it_works() -> None:
    assert sketches(ASKED, written("src/cart.py", CART))["src/cart.py"] == ["+LIMIT_OF_ITEMS = 40", "", *TOTAL]


def test_what_took_the_place_of_other_lines_stands_beside_them() -> None:
    found = sketches(ASKED, edited("src/cart.py", "    return a + b\n", "    return round(a + b, 2)\n"))
    assert found == {"src/cart.py": ["-    return a + b", "+    return round(a + b, 2)"]}


def test_a_commit_and_a_passing_check_leave_it() -> None:
    end = ran("git commit -am total", "[main abc1234] total"), ran("pytest -q", "3 passed")
    assert "src/cart.py" in sketches(ASKED, written("src/cart.py", CART), *end)


def test_each_request_has_its_own() -> None:
    later = person("Now name the limit of a basket in it.")
    found = distil(
        ASKED, written("src/cart.py", CART), agent("Done."), later, edited("src/cart.py", "LIMIT_OF_ITEMS = 40", "BASKET_LIMIT = 40")
    ).knowledge.situation.sketches
    assert [each.body.split("\n")[-1] for each in found] == ["+    return result", "+BASKET_LIMIT = 40"]


def test_what_a_later_request_takes_out_is_gone_from_the_earlier_sketch() -> None:
    first = edited("src/cart.py", "    return a + b\n", "    return round(a + b, 2)\n    # cents\n")
    second = edited("src/cart.py", "    return a + b + c\n", "    check(c)\n    return a + c\n", 3)
    later = (
        person("Add the rounding of the bank to it."),
        edited("src/cart.py", "    return round(a + b, 2)\n", "    return bank(a + b)\n", 4),
    )
    found = distil(
        ASKED, first, agent("Done."), person("Now take c into the sum."), second, agent("Done."), *later
    ).knowledge.situation.sketches
    assert [each.body.split("\n") for each in found] == [
        ["+    check(c)", "+    return a + c"],
        ["-    return round(a + b, 2)", "+    return bank(a + b)"],
    ]


def test_what_is_taken_out_again_is_gone() -> None:
    again = edited("src/cart.py", "LIMIT_OF_ITEMS = 40\n", "")
    assert sketches(ASKED, written("src/cart.py", CART), again)["src/cart.py"][0] == "+# The sum of all items, rounded once at the end."


def test_what_moved_within_a_file_is_not_told() -> None:
    assert sketch("a.py", ["-def total(items):", "+from x import y", "+def total(items):"]) == ""


def test_of_tests_the_names_are_told() -> None:
    go = ["+func TestTotal_Rounds(t *testing.T) {", "+\trequire.Equal(t, 1, 1)", "+}"]
    js = ["+  it('keeps the order of items', async () => {", "+    expect(1).toBe(1);"]
    assert (sketch("cart_test.go", go), sketch("src/__tests__/cart.ts", js)) == ("+TestTotal_Rounds", "+keeps the order of items")


def test_of_a_long_file_of_tests_all_names_are_told() -> None:
    lines = [line for n in range(40) for line in (f"+func TestCart_{n}(t *testing.T) {{", *["+    check(t, total(1, 2, 3), 6)"] * 30, "+}")]
    told = sketch("cart_test.go", lines)
    assert told.startswith("+TestCart_0\n") and told.endswith("+TestCart_39")
    assert len(marked("", "\n".join(line[1:] for line in lines))) == len(lines)


def test_documents_and_scratch_files_have_none() -> None:
    assert [sketch(path, ["+def total(items):"]) for path in ("README.md", "/tmp/try.py", "cart.py")] == ["", "", "+def total(items):"]


def test_no_sketch_outgrows_its_size_and_definitions_stay() -> None:
    long = [line for n in range(90) for line in (f"+def part_{n}(items):", f"+    return {n}", f"-old_{n} = {n}", f"+new_{n} = call({n})")]
    found = sketch("long.py", long)
    assert len(found) <= SIZE and all(line.startswith("+def part_") for line in found.split("\n\n"))


def test_a_call_that_failed_changes_nothing() -> None:
    failed = call("Edit", "e9", file_path="a.py", old_string="a = 1", new_string="def b():"), result("String not found", "e9", failed=True)
    assert sketches(ASKED, failed) == {}


def test_a_private_key_is_in_none() -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAK/CAQEA+x==\n-----END RSA PRIVATE KEY-----"  # gitleaks:allow
    found = sketch("keys.py", marked("", f'KEY_OF_TESTS = """{key}"""\n'))
    assert "MIIE" not in found


def test_marks_of_a_conflict_are_no_change() -> None:
    assert "HEAD" not in sketch("cart.go", ["-<<<<<<< HEAD", "-func old() int {", "->>>>>>> origin/main", "+func total() int {"])


def test_words_about_a_definition_are_told_up_to_where_their_sentence_ends() -> None:
    about = ["+// Tokens of a turn, with", "+// those of the agents that", "+// it started.", "+// Not of earlier ones."]
    assert sketch("cart.go", [*about, "+func tokens() int {"]).split("\n") == [*about[:3], "+func tokens() int {"]
    endless = ["+// one", "+// two", "+// three", "+// four", "+// five."]
    assert sketch("cart.go", [*endless, "+func tokens() int {"]).split("\n") == [*endless[:2], "+func tokens() int {"]


def test_every_test_of_a_long_file_is_named_and_also_one_with_a_long_name() -> None:
    long = f"Test{'OfTheCart' * 8}"
    names = [*(f"TestCart{n}" for n in range(9)), long]
    body = "".join(f"func {name}(t *testing.T) {{\n" + "    t.Log(the, cart)\n" * 150 + "}\n" for name in names)
    told = sketches(ASKED, written("cart_test.go", body))["cart_test.go"]
    assert len(body) > 16_000 and [line for line in told if line] == [f"+{name}" for name in names]


def test_a_line_put_into_one_of_two_functions_alike_is_not_told_in_the_other() -> None:
    body = "\tspec := make(name)\n\tcmd := fetch(ctx, origin, spec)\n\treturn cmd.Run()\n}\n"
    heads = ("func FetchBranch() error {\n", "func FetchOther() error {\n")
    made = [edited("git.go", f"// {n}\n", f"{head}{body}", n + 2) for n, head in enumerate(heads)]
    old = f"{heads[0]}\tspec := make(name)\n\tcmd := fetch(ctx, origin, spec)\n"
    new = old.replace("\tcmd", "\t//nolint:gosec // the name comes from git refs\n\tcmd")
    put = edited("git.go", old, new, 9)
    told = [unit for each in distil(ASKED, *made, put).knowledge.situation.sketches for unit in units(each.body)]
    assert not any("FetchOther" in line for unit in told if any("nolint" in each for each in unit) for line in unit)
