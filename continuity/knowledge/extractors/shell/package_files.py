"""Files that package managers change when a package is added or removed."""

from __future__ import annotations

_VERBS = frozenset(("add", "install", "i", "remove", "rm", "uninstall", "un", "require", "get", "update", "upgrade"))
_FILES = {
    "npm": ("package.json", "package-lock.json"),
    "pnpm": ("package.json", "pnpm-lock.yaml"),
    "yarn": ("package.json", "yarn.lock"),
    "bun": ("package.json", "bun.lock"),
    "uv": ("pyproject.toml", "uv.lock"),
    "poetry": ("pyproject.toml", "poetry.lock"),
    "pdm": ("pyproject.toml", "pdm.lock"),
    "cargo": ("Cargo.toml", "Cargo.lock"),
    "composer": ("composer.json", "composer.lock"),
    "go": ("go.mod", "go.sum"),
}
_ELSEWHERE = frozenset(
    ("-g", "--global", "--dry-run", "--no-save", "-w", "--workspace", "--filter", "-C", "--prefix", "--cwd", "--directory")
)
# Verbs of each that install programs, not packages of the project.
_OF_PROGRAMS = frozenset((("cargo", "install"), ("go", "install"), ("uv", "install"), ("cargo", "uninstall")))


def changed(words: list[str]) -> tuple[str, ...]:
    """The files beside which a command runs that it changes: those of a package manager that is given packages by name."""
    program = words[0].rsplit("/", 1)[-1] if words else ""
    files = _FILES.get(program, ())
    if not files or len(words) < 3 or words[1] not in _VERBS or (program, words[1]) in _OF_PROGRAMS or _ELSEWHERE & {*words}:
        return ()
    return files if any(not word.startswith(("-", ".", "/")) for word in words[2:]) else ()
