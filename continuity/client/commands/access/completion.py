"""continuity completion: the completion script of a shell, made from the commands' own options."""

from __future__ import annotations

import argparse

from continuity.client import main, running, terminal

# What follows the name of a command, where it is neither an option nor a file.
WORDS = {
    "install": "claude-code codex gemini-cli copilot-cli opencode cursor git",
    "uninstall": "claude-code codex gemini-cli copilot-cli opencode cursor git",
    "resume": "latest",
    "expand": "latest",
    "agent": "run",
    "start": "claude codex gemini",
}
BASH = """_continuity() {{
  local word=${{COMP_WORDS[COMP_CWORD]}}
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "{names}" -- "$word")); return; fi
  case ${{COMP_WORDS[COMP_CWORD-1]}} in
{values}
  esac
  if [[ $word == -* ]]; then case ${{COMP_WORDS[1]}} in
{options}
  esac; return; fi
  case ${{COMP_WORDS[1]}} in
{words}
    *) COMPREPLY=($(compgen -f -- "$word"));;
  esac
}}
complete -o filenames -F _continuity continuity"""
ZSH = """#compdef continuity
_continuity() {{
  if (( CURRENT == 2 )); then compadd {names}; return; fi
  case $words[CURRENT-1] in
{values}
  esac
  if [[ $words[CURRENT] == -* ]]; then case $words[2] in
{options}
  esac; return; fi
  case $words[2] in
{words}
    *) _files;;
  esac
}}
compdef _continuity continuity"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "fish", "zsh"), help='use it with: eval "$(continuity completion bash)"')


def run(options: argparse.Namespace) -> int:
    if options.json:
        terminal.show_json({"shell": options.shell, "script": _script(options.shell)})
    else:
        terminal.show(_script(options.shell))
    return 0


def _script(shell: str) -> str:
    names = [name for name in main.COMMANDS if name != "hook"]
    given = {name: _options(name) for name in names}
    chosen = {option: " ".join(choices) for options in given.values() for option, choices in options.items() if choices}
    if shell == "fish":
        return "\n".join(_fish(names, given))
    template, reply = (BASH, 'COMPREPLY=($(compgen -W "{}" -- "$word"))') if shell == "bash" else (ZSH, "compadd -- {}")
    return template.format(
        names=" ".join(names),
        values="\n".join(f"    {option}) {reply.format(words)}; return;;" for option, words in chosen.items()),
        options="\n".join(f"    {name}) {reply.format(' '.join(options))};;" for name, options in given.items()),
        words="\n".join(f"    {name}) {reply.format(words)};;" for name, words in WORDS.items()),
    )


def _fish(names: list[str], given: dict[str, dict[str, list[str]]]) -> list[str]:
    lines = [f'complete -c continuity -f -n __fish_use_subcommand -a "{" ".join(names)}"']
    lines += [f'complete -c continuity -f -n "__fish_seen_subcommand_from {name}" -a "{words}"' for name, words in WORDS.items()]
    for name, options in given.items():
        lines += [f'complete -c continuity -n "__fish_seen_subcommand_from {name}" -l {option.removeprefix("--")}' for option in options]
    return lines


def _options(name: str) -> dict[str, list[str]]:
    """The long options of a command, each with the values that it takes, if they are few."""
    found: dict[str, list[str]] = {}
    for action in running.parser_of(name)._actions:
        for option in action.option_strings:
            if option.startswith("--"):
                found[option] = [str(choice) for choice in action.choices or ()]
    return found
