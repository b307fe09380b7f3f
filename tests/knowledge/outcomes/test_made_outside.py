"""Things made elsewhere, short results, and what formatters and package managers write."""

from __future__ import annotations

import pytest

from tests.knowledge.talk import call, distil, person, ran, result

ASKED = person("Ship it.")
HASH = "0123456789abcdef" * 4


@pytest.mark.parametrize(("command", "output", "kind", "id"), [
    ("gh pr create --fill", "https://github.com/ada/shop/pull/342\n", "pull request", "#342"),
    ("gh issue create --title x", "https://github.com/ada/shop/issues/7", "issue", "#7"),
    ("gh pr comment 3 --body x", "https://github.com/ada/shop/pull/3#issuecomment-99", "comment", "99"),
    ("gh release create v1.2", "https://github.com/ada/shop/releases/tag/v1.2", "release", "v1.2"),
    ("glab mr create", "https://gitlab.com/ada/shop/-/merge_requests/5", "pull request", "#5"),
    ("docker run -d nginx", HASH, "container", HASH[:12]),
    ("vercel deploy", "https://shop-a1b2.vercel.app", "deployment", "shop-a1b2.vercel.app"),
    ("docker build -t shop:1 .", "=> naming to docker.io/library/shop:1 done", "image", "docker.io/library/shop:1"),
    ("gh workflow run ci.yml", "https://github.com/ada/shop/actions/runs/123456789", "run", "123456789"),
])  # fmt: skip
def test_it_works(command: str, output: str, kind: str, id: str) -> None:
    assert [(made.kind, made.id) for made in distil(ASKED, ran(command, output)).knowledge.situation.made] == [(kind, id)]


@pytest.mark.parametrize(("command", "output"), [
    ("gh pr view 3", "https://github.com/ada/shop/pull/3"), ("cat a.md", "https://github.com/ada/shop/pull/3"),
    ("git push", "remote: https://github.com/ada/shop/pull/new/fix"), ("curl https://github.com/ada/shop/issues/7", "x"),
])  # fmt: skip
def test_what_is_only_looked_at_was_not_made(command: str, output: str) -> None:
    assert distil(ASKED, ran(command, output)).knowledge.situation.made == ()


def test_the_last_short_results_word_for_word() -> None:
    runs = [ran(f"wc -l a{n}.txt", f"{n}42 a{n}.txt", call_id=f"r{n}") for n in range(9)]
    told = distil(ASKED, *runs).knowledge.situation.results
    assert [quote.text for quote in told] == [f"wc -l a{n}.txt → {n}42 a{n}.txt" for n in range(3, 9)]
    assert all(len(quote.text) <= 300 for quote in told)


def test_a_short_result_of_what_failed_says_so() -> None:
    (told,) = distil(ASKED, ran("node scripts/sizes.mjs", "limit 200, found 342", 1)).knowledge.situation.results
    assert told.text == "node scripts/sizes.mjs (failed) → limit 200, found 342"


@pytest.mark.parametrize(("command", "output"), [
    ("ls", "a b c"), ("make x", "ok"), ("cat a.txt", "x 42 " * 200), ("git commit -m x", "[main abc1234] x"), ("mkdir a", ""),
])  # fmt: skip
def test_what_says_nothing_or_stands_elsewhere_is_no_such_result(command: str, output: str) -> None:
    assert distil(ASKED, ran(command, output)).knowledge.situation.results == ()


@pytest.mark.parametrize(("command", "output", "paths"), [
    ("gofmt -w cart.go", "", ["cart.go"]), ("npx prettier --write src", "src/a.ts 12ms\nsrc/b.ts 3ms (unchanged)", ["src/a.ts"]),
    ("black src", "reformatted src/a.py\n1 file reformatted, 2 files left unchanged.", ["src/a.py"]),
    ("ruff format src/a.py", "1 file reformatted", ["src/a.py"]), ("ruff format src/a.py", "1 file left unchanged", []),
    ("npx prettier --check src/a.ts", "All matched files", []),
    ("npx nest g service cart", "CREATE src/cart/cart.service.ts (87 bytes)", ["src/cart/cart.service.ts"]),
    ("python tools/build.py", "Wrote docs/out/index.html", ["docs/out/index.html"]), ("cat log.txt", "Wrote docs/out/index.html", []),
    ("pnpm add zod", "", ["package.json", "pnpm-lock.yaml"]), ("npm install", "added 3 packages", []), ("npm install -g zod", "", []),
    ("cd web && npm i zod", "", ["web/package.json", "web/package-lock.json"]),
    ("pnpm gen", "OpenAPI spec written to: /home/ada/shop/api/openapi.json\nFixed: /home/ada/shop/web/api.ts\nFixed: 3 problems",
     ["api/openapi.json"]),
    ("pnpm gen", "Report written to: /home/ada/shop/coverage/all.json\nSaved to: /tmp/all.json", []),
    ("cargo install ripgrep", "", []), ("go get example.com/x", "", ["go.mod", "go.sum"]),
])  # fmt: skip
def test_files_that_commands_write(command: str, output: str, paths: list[str]) -> None:
    changed = [file.path for file in distil(ASKED, ran(command, output)).knowledge.files if file.action.value != "read"]
    assert sorted(changed) == sorted(paths)


def test_what_a_generator_wrote_anew_may_be_as_it_was() -> None:
    done = distil(ASKED, ran("pnpm gen", "Spec written to: /home/ada/shop/api/openapi.json"))
    assert [(each.path, each.keeping.value) for each in done.state.changed.values()] == [("api/openapi.json", "unknown")]


def test_a_silent_formatter_leaves_committed_files_alone() -> None:
    edit = call("Edit", "e", file_path="cart.go", old_string="a", new_string="b"), result("ok", "e")
    done = distil(ASKED, *edit, ran("git commit -am x", "[main abc1234] x"), ran("gofmt -w cart.go", ""))
    assert [each.keeping.value for each in done.knowledge.situation.changed] == ["committed"]
