"""Block kernels are compiled for several instruction sets: the linker must not merge the code of different sets."""

from __future__ import annotations

import importlib.util
import pathlib
import shutil
import subprocess

import pytest

SETS = ("v2", "v3", "v4")


def objects(name: str) -> list[pathlib.Path]:
    package = importlib.util.find_spec("dpep")
    assert package is not None and package.origin is not None
    folder = pathlib.Path(package.origin).parents[2] / "src" / "array" / "blocks" / "CMakeFiles"
    return sorted((folder / f"dpep_blocks_{name}.dir").glob("*.o"))


@pytest.mark.parametrize("name", SETS)
def test_nothing_of_an_instruction_set_is_shared(name: str) -> None:
    nm = shutil.which("llvm-nm-22") or shutil.which("nm")
    files = objects(name)
    if nm is None or not files:
        pytest.skip("needs nm and the objects of a build")
    lines = subprocess.run([nm, "--defined-only", *files], check=True, capture_output=True, text=True).stdout.split(
        "\n"
    )
    symbols = [line.split()[-2:] for line in lines if len(line.split()) == 3]
    # lower case: internal; the tables and Highway's functions are in namespaces of the set
    own = (f"6blocks2{name}", f"10highway_{name}")
    shared = [symbol for kind, symbol in symbols if not kind.islower() and not any(part in symbol for part in own)]
    assert symbols and not shared
