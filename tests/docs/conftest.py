"""Fixture for tests of documentation: a shell in an empty folder, with the environment that a user activates."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

import dpep
import pytest


@pytest.fixture
def shell(tmp_path: pathlib.Path):
    """A function that runs shell commands, which must succeed, and returns their output."""

    def run(lines: str) -> str:
        path = [pathlib.Path(sys.executable).parent, pathlib.Path(dpep.get_compiler()).parent]
        environment = os.environ | {"PATH": os.pathsep.join([*map(str, path), os.environ["PATH"]])}
        if shutil.which("c++") is None:
            environment.setdefault("CXX", "dpcxx")
        result = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", lines], cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    return run
