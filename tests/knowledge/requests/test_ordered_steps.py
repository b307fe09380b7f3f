"""The ordered steps of written instructions."""

from __future__ import annotations

import pytest

from continuity.knowledge.requests.ordered_steps import ordered_steps

SKILL = """
# Reviews

## Setup
1. Make a token

## Workflow

### 1. Fetch the threads

```bash
# all of them
app api repos/{owner}/{repo}/pulls/{pr}/comments \\
  --paginate
... | jq '.[]'
```

### 2. Commit and push
- run the tests
- **commit** the fixes

### 3. Reply

| Operation | Command |
|---|---|
| Reply | `app reply` |

After all threads, ask the user.

## Mistakes
Never reply twice.
"""


def test_it_works() -> None:
    steps = ordered_steps(SKILL)
    assert [(step.number, step.title) for step in steps] == [(1, "Fetch the threads"), (2, "Commit and push"), (3, "Reply")]
    assert steps[0].commands == ("app api repos/{owner}/{repo}/pulls/{pr}/comments --paginate",)
    assert steps[1].lines == ("run the tests", "commit the fixes")
    assert steps[2].lines == ("After all threads, ask the user.",), "neither the table nor what stands under the next heading"


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("Follow these steps:\n\n1. Look at the diff\n2. Write the review\n\nKeep it short.", ["Look at the diff", "Write the review"]),
        (
            "**1. Get the commits:**\n```bash\ngit log\n```\n\n**2. Ask for a review:**\nUse the helper",
            ["Get the commits", "Ask for a review"],
        ),
        ("## Step 1: Verify\nx\n### Step 2\n## Step 2: Merge\ny", ["Verify", "Merge"]),
        ("1. One\n2. Two\n3. Three", ["One", "Two", "Three"]),
    ],
)
def test_headings_bold_lines_and_lists_count_steps(text: str, titles: list[str]) -> None:
    assert [step.title for step in ordered_steps(text)] == titles


@pytest.mark.parametrize(
    "text",
    ["", "Commit the changes.", "There are two ways.\n\n1. Rebase\n2. Merge", "```md\n### 1. A\n### 2. B\n```", "### 3. A\n### 4. B"],
)
def test_other_text_has_no_steps(text: str) -> None:
    assert ordered_steps(text) == ()


def test_a_list_ends_where_the_text_goes_on() -> None:
    (*_, last) = ordered_steps("Follow these steps:\n1. Look\n2. Write:\n   - what is new\n\nThe number is 7.")
    assert last.lines == ("what is new",)
