"""docs/extensions.md: the files and commands for each build system build a working extension."""

from __future__ import annotations

import pytest
from snippets import sections

PAGE = sections("docs/extensions.md")
SECTIONS = [title for title in PAGE if title]


def test_page_has_a_section_for_each_build_system():
    assert SECTIONS == ["One command", "CMake", "setuptools", "Meson", "Cython"]


@pytest.mark.parametrize("section", SECTIONS)
def test_builds_and_works(section, shell, tmp_path):
    for name, text in (PAGE[""].files | PAGE[section].files).items():
        (tmp_path / name).write_text(text)
    (commands,) = PAGE[section].blocks["sh"]
    assert shell(commands).splitlines()[-1] == "[ 0. 10. 20. 30. 40.]"
