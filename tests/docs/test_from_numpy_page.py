"""docs/from_numpy.md: all steps of the program give the same numbers."""

from __future__ import annotations

from snippets import sections

PAGE = sections("docs/from_numpy.md")


def test_steps(shell, tmp_path):
    for section in PAGE.values():
        for name, text in section.files.items():
            (tmp_path / name).write_text(text)
    (commands,) = PAGE["An extension"].blocks["sh"]
    wanted = shell("python with_numpy.py --quick")
    shell(commands.splitlines()[0] + "\n" + commands.splitlines()[1])
    for step in ("dpnp", "dpjit", "kernel", "extension"):
        assert shell(f"python with_{step}.py --quick") == wanted, step
