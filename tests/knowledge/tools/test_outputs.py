"""What is kept of a command and of what it printed."""

from __future__ import annotations

from continuity.knowledge.extractors.tools.commands import RECENT, tidied
from tests.knowledge.talk import distil, ran


def test_it_works() -> None:
    run = distil(ran("./total.py", "total 12")).knowledge.situation.recent_commands[-1]
    assert (run.command, run.result) == ("./total.py", "total 12")


def test_a_command_is_told_without_what_only_shortens_its_output() -> None:
    command = 'cd /home/ada/shop && pytest -q 2>/dev/null | head -50; echo "done"'
    assert tidied(command, "/home/ada/shop") == "pytest -q"
    assert tidied("cd /srv/api && make deploy 2>&1", "/home/ada/shop") == "cd /srv/api && make deploy"
    assert tidied("ls | headless") == "ls | headless"


def test_of_a_long_output_the_lines_that_tell_of_trouble_and_the_last_one_stay() -> None:
    output = "Not logged in to shop.example\n" + "a session\n" * 40 + "Found 10 stuck sessions\n" + "a session\n" * 40 + "40 sessions"
    run = distil(ran("shopctl sessions", output)).knowledge.situation.recent_commands[-1]
    assert run.result == "Not logged in to shop.example … Found 10 stuck sessions … 40 sessions"


def test_the_tags_in_which_a_harness_puts_an_output_are_no_output() -> None:
    run = distil(ran("python total.py", "<returncode>0</returncode>\n<output>\ntotal 12\n</output>")).knowledge.situation.recent_commands[
        -1
    ]
    assert run.result == "total 12"


def test_a_version_stays_known_when_many_commands_followed() -> None:
    runs = [ran(f"./step {n}", "fine", call_id=f"s{n}") for n in range(30)]
    asked = ran("python --version", "Python 3.11.7", call_id="p"), ran("node --version", "v20.1.0", call_id="n")
    kept = distil(*asked, *runs).knowledge.situation.recent_commands
    assert (len(kept), kept[0].result, kept[1].result, kept[-1].command) == (RECENT, "Python 3.11.7", "v20.1.0", "./step 29")
