"""docs/extensions.md: every build system's files and commands build the extension, and it works."""

from __future__ import annotations

import pytest
from snippets import sections

PAGE = sections("docs/extensions.md")
WAYS = [title for title in PAGE if title]


def test_the_page_has_a_way_for_each_build_system():
    assert WAYS == ["One command", "CMake", "setuptools", "Meson", "Cython"]


@pytest.mark.parametrize("way", WAYS)
def test_builds_and_works(way, shell, tmp_path):
    for name, text in (PAGE[""].files | PAGE[way].files).items():
        (tmp_path / name).write_text(text)
    (commands,) = PAGE[way].blocks["sh"]
    assert shell(commands).splitlines()[-1] == "[ 0. 10. 20. 30. 40.]"
