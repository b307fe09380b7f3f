"""Repositories in which git itself, and whoever reads its files, is kept busy, made to wait, or told what to run."""

from __future__ import annotations

import os
from pathlib import Path

from tests.packs.place import git, write


def histories(tree: Path, variant: int) -> None:
    """Commits that no git makes by itself, but reads: times, authors, parents and words of any kind."""
    times = ("253402300800", "99999999999", "1", "4294967296")
    words = b"x" * 3_000_000 if variant == 4 else b"\xff\xfe one\n\n\x01\x02" + b"y\n" * 50
    email = b"e" * (100_000 if variant == 5 else 1)
    who = b" <" + email + b"> " + times[variant % len(times)].encode() + b" +0000\n"
    stream = [b"reset refs/heads/main\n"]
    for number in range(300 if variant == 6 else 3):
        stream.append(b"commit refs/heads/p%d\nmark :%d\nauthor " % (number, number + 1) + who + b"committer" + who)
        stream.append((b"encoding x-none\n" if variant == 7 else b"") + b"data %d\n" % len(words) + words + b"\n")
        stream.append(b"".join(b"M 644 inline d%d/f%d.py\ndata 2\nx\n" % (number, each) for each in range(3_000 if variant == 8 else 2)))
    stream.append(b"commit refs/heads/odd\ncommitter" + who + b"data 3\nodd\nfrom :1\n")
    stream.append(b"".join(b"merge :%d\n" % (number + 1) for number in range(1, 300 if variant == 6 else 3)))
    place = tree.parent / "stream"
    place.write_bytes(b"".join(stream))
    with place.open("rb") as given:
        git(tree, "fast-import", "--quiet", "--force", given=given)
    git(tree, "checkout", "-q", "-f", "odd")
    if variant == 9:
        for name in ("refs/heads/HEAD", "refs/tags/HEAD", "refs/tags/main", "refs/heads/-rf"):
            git(tree, "update-ref", name, "main")
        git(tree, "replace", "-f", "odd", "main")


def ignoring(tree: Path, variant: int) -> None:
    """Rules of what is ignored that keep a matcher busy, are no files, or leave nothing."""
    patterns = (
        "*a" * 30 + "b\n",
        "**/" * 200 + "b\n",
        "".join(f"*{number}*x*\n" for number in range(100_000)),
        "*\n",
        "!*\n\\\n[\n[!\n" + "\xff" * 100_000,
    )
    for number in range(40):
        (tree / ("a" * (150 + number))).write_bytes(b"x")
    if variant < 2 * len(patterns) - 4:
        place = tree / (".gitignore" if variant % 2 == 0 else ".git/info/exclude")
        place.write_text(patterns[variant % len(patterns)])
        return
    (tree / ".gitignore").unlink()
    places = {6: tree / ".gitignore", 7: tree / ".git" / "info" / "attributes", 8: tree / ".gitattributes", 9: tree.parent / "excluded"}
    places[variant].unlink(missing_ok=True)
    os.mkfifo(places[variant])
    git(tree, "config", "core.excludesFile", str(places[variant]))


def blocking_git(tree: Path, variant: int) -> None:
    """What git itself waits for, and whoever reads its files."""
    places = ["logs/HEAD", "HEAD", "index", "refs/heads/main", "packed-refs", "commondir", "objects/info/alternates", "config"]
    places += ["included", ""]
    target = tree / ".git" / places[variant]
    if places[variant] == "included":
        git(tree, "config", "include.path", "included")
    elif not places[variant]:
        target.rename(tree.parent / "gone")
    elif target.exists():
        target.unlink()
    os.mkfifo(target)


def absent_objects(tree: Path, variant: int) -> None:
    """A clone that has its contents fetched when they are read, by a command."""
    ran = f"touch% {tree.parent}/ran"
    addresses = [f"ext::sh -c {ran}", "ssh://-oProxyCommand=x/y", "odd::y", "file:///", "http://127.0.0.1:9/", "/nowhere"]
    addresses += ["-u", "a:b", "ext::", ""]
    for name, value in {"url": addresses[variant], "promisor": "true", "partialclonefilter": "blob:none", "uploadpack": ran}.items():
        git(tree, "config", f"remote.origin.{name}", value)
    git(tree, "config", "core.repositoryFormatVersion", "1")
    git(tree, "config", "extensions.partialClone", "origin")
    git(tree, "config", "core.sshCommand", f"touch '{tree.parent}/ran'")
    for line in git(tree, "ls-files", "-s").splitlines():
        blob = line.split()[1]
        (tree / ".git" / "objects" / blob[:2] / blob[2:]).unlink(missing_ok=True)
    write(tree, src__parser_dot_py="other = 1\n")


def damaged(tree: Path, variant: int) -> None:
    places = ("HEAD", "index", "config", "refs/heads/main", "logs/HEAD", "description", "packed-refs", "shallow", "info/exclude", "objects")
    target = tree / ".git" / places[variant]
    if target.is_dir():
        for path in target.glob("??/*"):
            path.chmod(0o644)
            path.write_bytes(b"broken")
    else:
        target.parent.mkdir(exist_ok=True)
        target.write_bytes((b"\0\xff" * 5_000, b"", b"ref: refs/heads/../../../x\n")[variant % 3])
