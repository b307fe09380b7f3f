"""What commands change elsewhere than in files."""

from __future__ import annotations

import pytest

from continuity.knowledge.extractors.tools.remote_effects import LISTED
from tests.knowledge.talk import distil, ran


def outside(command: str, output: str = "") -> tuple[str, ...]:
    return distil(ran(command, output)).knowledge.situation.outside


def test_it_works() -> None:
    assert outside("gh pr merge 42 --squash") == ("gh pr merge 42",)


@pytest.mark.parametrize(
    ("command", "output", "told"),
    [
        ("gh pr create --title 'Totals' --body x", "https://github.com/ada/shop/pull/42\n", "gh pr create #42"),
        ("gh issue create --title t", "https://github.com/ada/shop/issues/7\n", "gh issue create #7"),
        ("gh -R ada/shop pr close 12", "", "gh pr close 12"),
        ("gh release create v1.2.0 --notes x", "", "gh release create v1.2.0"),
        ("gh api repos/ada/shop/issues/1/comments -f body=x", "", "gh api repos/ada/shop/issues/1/comments"),
        ("gh api -X DELETE repos/ada/shop/keys/3", "", "gh api repos/ada/shop/keys/3"),
        ("glab mr create --fill", "https://gitlab.com/ada/shop/-/merge_requests/9", "glab mr create #9"),
        ("kubectl apply -f k8s/web.yaml", "deployment/web configured", "kubectl apply k8s/web.yaml"),
        ("kubectl -n prod delete pod web-1", "", "kubectl delete pod, web-1"),
        ("kubectl --namespace prod rollout restart deployment/api", "", "kubectl rollout restart deployment/api"),
        ("kubectl scale --replicas=3 deployment/api", "", "kubectl scale deployment/api"),
        ("aws s3 rm s3://bucket/x", "", "aws s3 rm"),
        ("aws --region eu-west-1 ecs update-service --cluster c", "", "aws ecs update-service"),
        ("aws lambda update-function-code --function-name f", "", "aws lambda update-function-code"),
        ("curl -X POST https://api.shop/orders -d x", "", "curl https://api.shop/orders"),
        ("curl -sXDELETE https://api.shop/orders/1", "", "curl https://api.shop/orders/1"),
        ("curl --json '{}' https://api.shop/orders", "", "curl https://api.shop/orders"),
        ("docker compose -f dev.yml restart web", "", "docker compose restart web"),
        ("docker push ada/shop:1.2", "", "docker push ada/shop:1.2"),
        ("git -C ../api push -u origin fix", "", "git push origin fix"),
        ("npm publish", "", "npm publish"),
        ("bd create 'Totals are off' -p 1", "Created issue: bd-a1b2", "bd create bd-a1b2"),
        ("sudo systemctl restart nginx", "", "systemctl restart nginx"),
        ("helm upgrade --install shop chart", "", "helm upgrade"),
    ],
)
def test_a_change_is_told_with_its_tool_and_object(command: str, output: str, told: str) -> None:
    assert outside(command, output) == (told,)


@pytest.mark.parametrize(
    "command",
    [
        "gh pr view 42",
        "gh label list",
        "gh release view v1.2.0",
        "gh release list",
        "gh pr list --label update",
        "gh api repos/ada/shop/issues",
        "gh api graphql -f query='query { viewer { login } }'",
        "kubectl get deploy",
        "kubectl get pod update-worker",
        "kubectl rollout status deployment/api",
        "kubectl apply --dry-run=client -f x.yaml",
        "aws ec2 describe-instances",
        "aws s3 ls",
        "curl https://api.shop/orders",
        "curl -fsSL https://api.shop/orders",
        "curl -G -d page=2 https://api.shop/orders",
        "git push --dry-run",
        "git commit -m 'push and deploy'",
        "terraform plan",
        "npm run deploy",
        "make deploy",
        "which update",
        "man patch",
        "echo deploy",
        "gh pr create --help",
    ],
)
def test_looking_and_local_work_change_nothing_outside(command: str) -> None:
    assert outside(command) == ()


def test_a_command_that_failed_changed_nothing() -> None:
    assert distil(ran("gh pr merge 42", "not mergeable", 1)).knowledge.situation.outside == ()


def test_objects_of_one_verb_are_told_together_and_once() -> None:
    done = distil(ran("bd close bd-1"), ran("bd close bd-2 bd-3"), ran("bd close bd-1"))
    assert done.knowledge.situation.outside == ("bd close bd-1, bd-2, bd-3",)


def test_a_full_list_keeps_the_latest_objects_whole() -> None:
    done = distil(*(ran(f"gh issue close {number}") for number in range(1000, 1100)))
    (told,) = done.knowledge.situation.outside
    names = told.removeprefix("gh issue close ").split(", ")
    assert names == [str(number) for number in range(1100 - len(names), 1100)]
    assert len(", ".join(names)) <= LISTED


def test_a_change_outside_is_not_told_again_as_a_command() -> None:
    done = distil(ran("gh pr merge 42"), ran("make build"))
    assert [c.command for c in done.knowledge.situation.recent_commands] == ["make build"]


@pytest.mark.parametrize("unit", ["a", "-", ".", "/", "1", "a/", "a-", " -X", " -d", "new ", "http://a/", "😀"])
def test_hostile_arguments_and_outputs_end(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    assert len(distil(ran(f"gh pr create {text}", text), ran(f"curl {text}")).state.outside.values()) <= 2


def test_a_push_tells_where_it_left_the_branch_and_only_the_last_one_counts() -> None:
    pushes = [f"To github.com:ada/shop.git\n   {old}..{new}  fix -> fix\n" for old, new in (("1111111", "2222222"), ("2222222", "3333333"))]
    runs = [message for n, text in enumerate(pushes) for message in ran("git push", text, call_id=f"p{n}")]
    assert distil(*runs).knowledge.situation.outside == ("git push fix at 3333333",)
