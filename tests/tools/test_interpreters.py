"""tools/setup/interpreters.sh: the Python that `make setup` and `make wheel` select for PYTHON=…"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tomllib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = f"python{sys.version_info[0]}.{sys.version_info[1]}"


@pytest.fixture
def find(tmp_path: pathlib.Path):
    """Looks up an interpreter on a machine that has only the programs in the folders `path` and `pyenv`."""
    (tmp_path / "path").mkdir()

    def run(*wanted: str) -> subprocess.CompletedProcess:
        script = 'set -euo pipefail; source tools/setup/interpreters.sh; find_python "$@"'
        environment = {
            "PATH": f"{tmp_path / 'path'}:{os.defpath}", "HOME": str(tmp_path), "PYENV_ROOT": str(tmp_path / "pyenv")
        }  # fmt: skip
        command = ["bash", "-c", script, "bash", *wanted]
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    return run


def program(path: pathlib.Path, text: str) -> pathlib.Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)
    return path


def python(path: pathlib.Path) -> pathlib.Path:
    return program(path, f'exec {sys.executable} "$@"')


def test_accepts_a_path_and_makes_it_absolute(find, tmp_path):
    there = python(tmp_path / "anywhere" / "interpreter")
    answer = find(os.path.relpath(there, ROOT))
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, f"{there}\n", "")


def test_accepts_a_name_on_path(find, tmp_path):
    there = python(tmp_path / "path" / NAME)
    answer = find(NAME)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, f"{there}\n", "")


def test_searches_further_behind_a_failing_shim(find, tmp_path):
    shim = program(tmp_path / "path" / "python3.13", 'echo "pyenv: python3.13: command not found" >&2; exit 127')
    there = python(tmp_path / "pyenv" / "versions" / "3.13.0" / "bin" / "python3.13")
    answer = find("python3.13")
    assert (answer.returncode, answer.stdout) == (0, f"{there}\n")
    assert str(shim) in answer.stderr and str(there) in answer.stderr


def test_lists_the_installed_interpreters(find, tmp_path):
    program(tmp_path / "path" / "python3.13", "exit 127")
    there = python(tmp_path / "pyenv" / "versions" / "any" / "bin" / "python3")
    answer = find("/nowhere/python")
    assert answer.returncode != 0
    assert answer.stdout == ""
    assert "/nowhere/python is not Python 3.11, 3.12 or 3.13, or does not run" in answer.stderr
    assert f"Python {'.'.join(map(str, sys.version_info[:3]))}: PYTHON=" in answer.stderr
    assert str(there) in answer.stderr or sys.prefix.startswith("/usr")


def test_wheels_and_the_build_tree_share_cached_objects():
    """ccache compares paths relative to the build folder: both must lie at the same depth."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["scikit-build"]
    assert "/" not in settings["build-dir"]
