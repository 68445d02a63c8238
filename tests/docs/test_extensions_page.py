"""docs/extensions.md: the files and commands for each build system build a working extension."""

from __future__ import annotations

import pathlib

import numpy
import pytest
from snippets import sections

PAGE = sections("docs/extensions.md")
LIBRARIES, ALGORITHMS = "oneMKL's functions", "oneDPL's algorithms"
WITHOUT_BUILD = (
    "",
    "nanobind, C and ctypes",
    LIBRARIES,
    ALGORITHMS,
    "Porting from icpx",
    "Other libraries on the same GPU",
)
SECTIONS = [title for title in PAGE if title not in WITHOUT_BUILD]


def test_page_has_a_section_for_each_build_system():
    assert SECTIONS == ["One command", "CMake", "setuptools", "Meson", "Cython"]


@pytest.mark.parametrize("section", SECTIONS)
def test_builds_and_works(section, shell, tmp_path):
    for name, text in (PAGE[""].files | PAGE[section].files).items():
        (tmp_path / name).write_text(text)
    (commands,) = PAGE[section].blocks["sh"]
    assert shell(commands).splitlines()[-1] == "[ 0. 10. 20. 30. 40.]"


def test_program_with_onemkl_builds_and_works(shell, tmp_path, monkeypatch):
    for name, text in PAGE[LIBRARIES].files.items():
        (tmp_path / name).write_text(text)
    openblas = next(pathlib.Path(numpy.__file__).parents[1].glob("numpy.libs/libscipy_openblas64_*"), None)
    if openblas:  # a program that is not started from Python does not find NumPy's library
        monkeypatch.setenv("DPEP_BLAS", str(openblas))
    (commands,) = PAGE[LIBRARIES].blocks["sh"]
    assert shell(commands).splitlines()[-1] == "30 120"


def test_program_with_onedpl_builds_and_works(shell, tmp_path):
    for name, text in PAGE[ALGORITHMS].files.items():
        (tmp_path / name).write_text(text)
    (commands,) = PAGE[ALGORITHMS].blocks["sh"]
    assert shell(commands).splitlines()[-1] == "2 groups: 110 40"
