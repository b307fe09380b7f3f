"""continuity completion: the completion script of a shell, made from the list of commands."""

from __future__ import annotations

import argparse

from continuity.client import main, terminal

OPTIONS = "--help --json --conversation --handoff --budget --note --style --level --print --copy --since --once --project"
SCRIPTS = {
    "bash": """_continuity() {{
  local word=${{COMP_WORDS[COMP_CWORD]}}
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "{names}" -- "$word"))
  elif [[ $word == -* ]]; then COMPREPLY=($(compgen -W "{options}" -- "$word"))
  else case ${{COMP_WORDS[1]}} in
    install|uninstall) COMPREPLY=($(compgen -W "claude-code codex" -- "$word"));;
    resume|expand) COMPREPLY=($(compgen -W "latest" -- "$word"));;
    *) COMPREPLY=($(compgen -f -- "$word"));;
  esac; fi
}}
complete -o filenames -F _continuity continuity
""",
    "zsh": """#compdef continuity
_continuity() {{
  if (( CURRENT == 2 )); then compadd {names}
  else case $words[2] in
    install|uninstall) compadd claude-code codex;;
    resume|expand) compadd latest;;
    *) _files;;
  esac; compadd -- {options}; fi
}}
compdef _continuity continuity
""",
    "fish": """complete -c continuity -f -n __fish_use_subcommand -a "{names}"
complete -c continuity -f -n "__fish_seen_subcommand_from install uninstall" -a "claude-code codex"
complete -c continuity -n "__fish_seen_subcommand_from push watch" -F
""",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=sorted(SCRIPTS), help='use it with: eval "$(continuity completion bash)"')


def run(options: argparse.Namespace) -> int:
    names = " ".join(name for name in main.COMMANDS if name != "hook")
    terminal.tell(SCRIPTS[options.shell].format(names=names, options=OPTIONS).rstrip())
    return 0
