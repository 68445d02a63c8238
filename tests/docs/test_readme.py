"""README.md: its examples run as printed."""

from __future__ import annotations

import re

from snippets import ROOT, sections

README = sections("README.md")[""].blocks


def test_python(shell, tmp_path):
    arrays, loops, kernel = README["python"]
    (tmp_path / "arrays.py").write_text(arrays)
    shell("python arrays.py")
    (tmp_path / "loops.py").write_text(loops)
    assert 1 < float(shell("python loops.py")) < 3**0.5
    (tmp_path / "kernel.py").write_text(kernel)
    assert shell("python kernel.py") == "30.0\n"


def test_program_with_a_kernel(shell, tmp_path):
    program, _ = README["cpp"]
    (tmp_path / "program.cpp").write_text(program)
    (command,) = re.findall(r"^    (dpcxx .* -o program)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert shell(f"{command}\n./program") == "0.841471\n"


def test_extension_is_that_of_the_extensions_page():
    _, extension = README["cpp"]
    assert extension == sections("docs/extensions.md")[""].files["scaling.cpp"]


def test_targets_and_paths_exist():
    text = (ROOT / "README.md").read_text()
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"\bmake ([a-z]+)", text)):
        assert f"\n{target}:" in makefile, f"README.md names make {target}"
    for path in re.findall(r"`((?:docs|examples|benchmarks)/[\w./]*)`", text):
        assert (ROOT / path).exists(), f"README.md names {path}"
