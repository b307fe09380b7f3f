"""Examples that `continuity COMMAND --help` shows; a test holds that each is one that the command takes."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "setup": ("continuity setup https://continuity.example --code 7K2M-9XQF-3DHT-V0BN", "continuity setup --yes"),
    "login": ("continuity login https://continuity.example --code 7K2M-9XQF-3DHT-V0BN", "continuity login"),
    "logout": ("continuity logout", "continuity logout --revoke"),
    "status": ("continuity status", "continuity status --json"),
    "doctor": ("continuity doctor",),
    "completion": ("continuity completion bash",),
    "push": ("continuity push ~/.claude/projects/-srv-tides/*.jsonl", "continuity push session.json --format opencode"),
    "watch": ("continuity watch", "continuity watch --once", "continuity watch ~/sessions --since 0"),
    "sessions": ("continuity sessions", "continuity sessions --all --tool codex"),
    "open": ("continuity open", "continuity open --print"),
    "pause": ("continuity pause", "continuity pause --minutes 30", "continuity pause --end"),
    "forget": ("continuity forget", "continuity forget --here --yes"),
    "search": ("continuity search tide table", 'continuity search "high water" --role user --since 2026-11-20T00:00:00Z'),
    "tasks": ("continuity tasks",),
    "decide": ('continuity decide "Harbours are sorted from north to south." --because "As the charts are."',),
    "note": ('continuity note --now "The table is done." --next "Write the README."', "continuity note note.json"),
    "handoff": ("continuity handoff", 'continuity handoff --note "The README is next." --budget 6000'),
    "resume": ("continuity resume --print", "continuity resume latest --copy"),
    "expand": ("continuity expand a12", "continuity expand a12 --level verbatim"),
    "rate": ("continuity rate --useful", 'continuity rate --not-useful --wrong a12 --because "Taken back later."'),
    "export": ("continuity export --output handoff.json",),
    "import-package": ("continuity import-package handoff.json",),
    "install": ("continuity install claude-code", "continuity install claude-code --plugin", "continuity install codex --only ~/work"),
    "uninstall": ("continuity uninstall claude-code", "continuity uninstall claude-code --plugin"),
    "start": ("continuity start claude", "continuity start codex latest", "continuity start gemini -- --model gemini-3-pro"),
    "agent": ("continuity agent run --restart -- claude -p", "continuity agent run -- codex"),
    "mcp": ("continuity mcp", "continuity mcp --cwd /srv/tides"),
    "statusline": ('continuity statusline --then "my-status-line"',),
}
