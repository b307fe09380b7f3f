"""What runs on in the background, told by results alone: a line of the harness begins it, words that something prints do not."""

from __future__ import annotations

import pytest

from tests.knowledge.talk import call, distil, ran, result

REPORT = "retry() has three callers: importer.py, queue.py and mailer.py. " + "All of them pass the number of the attempt. " * 8


def test_it_works() -> None:
    done = distil(call("Bash", command="npm run dev"), result("Command running in background with ID: b12"))

    assert done.knowledge.situation.running == ("npm run dev (b12)",)
    assert list(done.state.commands) == []  # it has neither passed nor failed


@pytest.mark.parametrize(
    "printed",
    ["src/run.ts:12:  agentId: string;", "agentId: string", "# Jobs\nWhere it says `running in background with ID: job-7`, wait."],
)
def test_a_command_that_prints_words_of_a_job_has_begun_none(printed: str) -> None:
    assert distil(*ran("grep -rn agentId src", printed)).knowledge.situation.running == ()


@pytest.mark.parametrize("reported", [{}, {"status": "completed"}])
def test_a_sub_agent_that_has_reported_runs_no_longer_though_it_can_be_resumed(reported: dict[str, str]) -> None:
    asked = call("Task", description="Audit the auth module", prompt="…")
    report = "Two problems.\nagentId: a3d8042 (for resuming to continue this agent's work if needed)"
    launched = "Async agent launched successfully.\nagentId: a3d8042 (internal ID)"

    assert distil(asked, result(report, data=reported)).knowledge.situation.running == ()
    running = distil(asked, result(launched, data={"status": "async_launched"})).knowledge.situation.running
    assert running == ("Audit the auth module (a3d8042)",)


@pytest.mark.parametrize(("text", "kept"), [("API Error: 500 Internal server error, request req_011CY2VXVWfzc4vc", False), (REPORT, True)])
def test_what_a_sub_agent_died_of_is_no_report_of_its(text: str, kept: bool) -> None:
    asked = call("Task", description="Look for callers", prompt="Find every caller of retry().")
    assert bool(distil(asked, result(text)).knowledge.situation.reports) is kept
