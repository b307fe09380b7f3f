"""What is left of the agent's plan, beside what was done of it."""

from __future__ import annotations

from continuity.transcripts.base.model import Message
from tests.knowledge.talk import CWD, agent, call, distil, person, ran, result
from tests.packages.samples import prepared

PLAN = """The rounding stands in `load_cart` and is missing in `save_cart`. My plan:

### 1. Take the rounding into a helper

Create `round_amount` in `amounts.py`.

### 2. Call it from `save_cart`

In `cart.py`, before the amount is written.

### 3. Refactor `load_cart` to use the same helper

Replace lines 76 to 90 in `reader.py`.

Want me to implement this?"""


def edit(path: str, new: str) -> tuple[Message, ...]:
    return call("Edit", "e1", file_path=f"{CWD}/{path}", old_string="a = 1", new_string=new), result("Updated.", "e1")


def coming(*messages: Message | tuple[Message, ...]) -> str:
    asked = person("Why are the totals of the cart off by a cent after it was saved once?")
    return prepared(distil(asked, agent(PLAN), *messages).knowledge).text.partition("## Next\n")[2].partition("\n## ")[0]


SEEN = (call("Read", "r1", file_path=f"{CWD}/reader.py"), result("def load_cart(): ...", "r1"))
BEGUN = (person("yes"), SEEN, edit("amounts.py", "def round_amount(a): ..."), edit("cart.py", "round_amount(total)"))


def test_it_works() -> None:
    text = coming(*BEGUN, ran("git diff", "+round_amount", call_id="c4"))
    assert "Of the plan, not begun: “3. Refactor `load_cart` to use the same helper: Replace lines 76 to 90 in `reader.py`.”" in text


def test_of_a_plan_that_was_done_nothing_is_left() -> None:
    assert "Of the plan" not in coming(*BEGUN, edit("reader.py", "round_amount(a)"))


def test_of_a_plan_of_which_little_was_done_nothing_is_said() -> None:
    assert "Of the plan" not in coming(person("yes"), edit("amounts.py", "def other(a): ..."))


def test_a_file_that_nobody_opened_may_be_none_of_the_code() -> None:
    known = (BEGUN[0], *BEGUN[2:])
    assert "Of the plan" not in coming(*known, ran("git diff", "+round_amount", call_id="c4"))
