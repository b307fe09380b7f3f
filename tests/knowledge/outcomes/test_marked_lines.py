"""Edits as marked lines."""

import random

from continuity.knowledge.extractors.outcomes.marked_lines import marked, put_in, slid

OLD = "start()\nif err != nil {\n    print(A)\n    remove(lock)\n    return\n}\nend()\n"
BLOCK = "payload := join()\nif err := write(); err != nil {\n    print(B)\n    remove(lock)\n    return\n}\n"
NEW = OLD.replace("end()", f"{BLOCK}end()")


def test_it_works() -> None:
    assert marked("a\nb\n", "a\nc\nb\n") == [" a", "+c", " b"]
    assert marked("a = 1\n", "a = 2\n") == ["-a = 1", "+a = 2"]


def test_lines_put_in_behind_a_block_that_ends_alike_begin_where_they_begin() -> None:
    assert marked(OLD, NEW) == [" }", *(f"+{line}" for line in BLOCK.splitlines()), " end()"]
    assert marked(NEW, OLD) == [" }", *(f"-{line}" for line in BLOCK.splitlines()), " end()"]


def test_a_run_that_is_moved_says_the_same_of_both_sides() -> None:
    draw = random.Random(7)
    for _ in range(500):
        lines = [f"{draw.choice('+-  ')}{draw.choice(('a', ' b', '}', ''))}" for _ in range(draw.randrange(12))]
        moved = slid(lines)
        for sign in "+-":
            assert [line[1:] for line in moved if line[0] != sign] == [line[1:] for line in lines if line[0] != sign]


def test_what_stands_beside_a_later_edit_has_to_say_where_it_belongs() -> None:
    told = ["+    wrapped = wrap(", "+      key,", "+      ownerPrivateKey,", "+    )"]
    assert put_in(told, [" onProgress,", "+folderKey,", " ownerPrivateKey,"]) is told, "a line that calls have in common"
    assert put_in(told, [" key,", "+folderKey,", " ownerPrivateKey,"])[2] == "+folderKey,"
