"""What is in the wheel and in the file that runs: all of the client, nothing of the server, the same bytes each time."""

from __future__ import annotations

import ast
import base64
import hashlib
import io
import zipfile
from collections.abc import Iterator

import pytest

from continuity.distribution import contents, downloads, pyz, wheel

# What a command loads only where the whole server is installed beside it (commands/mcp.py).
ELSEWHERE = {"continuity.mcp.stdio"}


def modules() -> set[str]:
    return {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in contents.files() if name.endswith(".py")}


def imported(source: bytes) -> Iterator[str]:
    """The modules of ours that a file names, in an import or as a text."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "import_module" and isinstance(node.args[0], ast.Constant):
            yield str(node.args[0].value)


def test_it_works() -> None:
    assert [each.name for each in downloads.files()] == ["continuity.pyz", wheel.FILE, "SHA256SUMS"]
    with zipfile.ZipFile(io.BytesIO(pyz.made())) as archive:
        assert archive.testzip() is None
        assert set(contents.files()) < set(archive.namelist())


def test_everything_is_there_that_is_imported() -> None:
    named = {module for name, held in contents.files().items() if name.endswith(".py") for module in imported(held)}
    assert {module for module in named if module.split(".")[0] == "continuity"} - modules() == ELSEWHERE
    assert not {module.split(".")[0] for module in named} & {"handoffs", "diagnostics", "config", "django"}


def test_the_wheel_needs_no_package_and_offers_none() -> None:
    with zipfile.ZipFile(io.BytesIO(wheel.made())) as archive:
        [about] = [archive.read(name).decode() for name in archive.namelist() if name.endswith("/METADATA")]
    assert "Requires-Python: >=3.11" in about
    assert not [line for line in about.splitlines() if line.startswith(("Requires-Dist", "Provides-Extra"))], "docs/client.md says why"


def test_it_comes_out_the_same_again() -> None:
    assert (wheel.made(), pyz.made()) == (wheel.made(), pyz.made())


def test_another_file_makes_another_build() -> None:
    files = contents.files()
    assert pyz.build(files) != pyz.build({**files, "continuity/__init__.py": b"\n"})


def test_the_record_tells_every_file_with_its_digest() -> None:
    with zipfile.ZipFile(io.BytesIO(wheel.made())) as archive:
        [record] = [name for name in archive.namelist() if name.endswith("/RECORD")]
        told = dict(line.split(",", 1) for line in archive.read(record).decode().splitlines())
        assert list(told) == archive.namelist()
        for name in set(told) - {record}:
            digest = base64.urlsafe_b64encode(hashlib.sha256(archive.read(name)).digest()).rstrip(b"=").decode()
            assert told[name] == f"sha256={digest},{archive.getinfo(name).file_size}"


def test_the_checksums_are_those_of_the_files() -> None:
    [sums] = [each for each in downloads.files() if each.name == downloads.CHECKSUMS]
    told = dict(line.split("  ")[::-1] for line in sums.held.decode().splitlines())
    assert told == {each.name: hashlib.sha256(each.held).hexdigest() for each in downloads.files() if each is not sums}


@pytest.mark.parametrize("wanted", ["continuity.pyz", wheel.FILE, "SHA256SUMS"])
def test_a_file_is_found_by_its_name(wanted: str) -> None:
    found = downloads.file(wanted)
    assert found
    assert found.name == wanted
    assert downloads.file(wanted + "x") is None
