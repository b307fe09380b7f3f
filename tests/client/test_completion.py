"""What a shell offers after `continuity`."""

from __future__ import annotations

import json
import subprocess

import pytest

from continuity.client.main import COMMANDS, DONE, main

NAMES = [name for name in COMMANDS if name != "hook"]


def completed(script: str, *words: str) -> set[str]:
    """What bash offers for the last of the words."""
    asked = f"COMP_WORDS=(continuity {' '.join(words)}); COMP_CWORD={len(words)}; _continuity; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    ended = subprocess.run(["bash", "-c", f"{script}\n{asked}"], capture_output=True, text=True, check=True)
    return set(ended.stdout.split())


def test_it_works(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == DONE
    script = capsys.readouterr().out
    assert completed(script, "in") == {"install"}
    assert completed(script, "install", "c") == {"claude-code", "codex", "copilot-cli", "cursor"}
    assert completed(script, "resume", "--st") == {"--style"}
    assert completed(script, "resume", "--style", "''") == {"structured", "concise", "narrative"}
    assert completed(script, "tasks", "--budget") == set()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_every_command_and_its_options(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["completion", shell])
    told = capsys.readouterr().out
    assert all(word in told for word in [*NAMES, "budget", "until-quiet", "role"])
    main(["completion", shell, "--json"])
    assert json.loads(capsys.readouterr().out)["script"] == told.rstrip("\n")
