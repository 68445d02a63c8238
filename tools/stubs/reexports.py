"""The stub of a package whose names are found when they are first used: imports of all of them, for type checkers.

    python reexports.py package/__init__.py package/__init__.pyi

It reads the tables that dpep._lazy explains, _MODULES and _ALIASES, from the source, and runs nothing.
"""

from __future__ import annotations

import ast
import pathlib
import sys


def constants(source: str) -> dict[str, object]:
    """What is written down in the source, by name."""
    found = {}
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, (ast.Constant, ast.Dict)):
            found[ast.unparse(statement.targets[0])] = ast.literal_eval(statement.value)
    return found


def stub(source: str) -> str:
    written = constants(source)
    places = {name: module for module, names in written["_MODULES"].items() for name in names.split()}
    aliases = {name: name for name in places} | written.get("_ALIASES", {})
    lines = [f"from {places[name]} import {name} as {public}" for public, name in aliases.items()]
    lines += [f"{name}: {type(value).__name__}" for name, value in written.items() if isinstance(value, str)]
    return "\n".join([*lines, "", "__all__ = [", *(f'    "{name}",' for name in sorted(aliases)), "]", ""])


if __name__ == "__main__":
    source, output = map(pathlib.Path, sys.argv[1:])
    output.write_text(stub(source.read_text()))
