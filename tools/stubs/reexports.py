"""Generates the stub of a package with lazy imports: import statements of all its names, for type checkers.

    python reexports.py package/__init__.py array_operations.def package/__init__.pyi

Reads the tables _MODULES and _ALIASES (see dpep._lazy) from the source, without executing it, and the names of element
functions from the operation table.
"""

from __future__ import annotations

import ast
import pathlib
import re
import sys

# The column of the operation table with the names of each module's element functions, and what they begin with there.
COLUMNS = {"dpep._array.tensor": (0, ""), "dpep._array.dpnp": (1, ""), "dpep._array.special": (1, "scipy.special.")}


def constants(source: str) -> dict[str, object]:
    """Return the constants and dict literals that the module assigns, by name."""
    found = {}
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, (ast.Constant, ast.Dict)):
            found[ast.unparse(statement.targets[0])] = ast.literal_eval(statement.value)
    return found


def element_functions(table: str, column: int, prefix: str) -> list[str]:
    """Return the names in a column of the operation table: the first two string literals of each row."""
    rows = re.findall(r'^DPEP_(?:UNARY|BINARY|PAIR)\([^"]*"([\w.]*)",\s*"([\w.]*)"', table, re.MULTILINE)
    names = [row[column].removeprefix(prefix) for row in rows if row[column].startswith(prefix)]
    return [name for name in names if name and "." not in name and not name.startswith("_")]


def stub(source: str, table: str) -> str:
    """Return the text of the stub."""
    assigned = constants(source)
    module_of = {name: module for module, names in assigned["_MODULES"].items() for name in names.split()}
    module_of |= {
        name: module
        for module, (column, prefix) in COLUMNS.items()
        if module in assigned["_MODULES"]
        for name in element_functions(table, column, prefix)
    }
    aliases = {name: name for name in module_of} | assigned.get("_ALIASES", {})
    lines = [f"from {module_of[name]} import {name} as {public}" for public, name in aliases.items()]
    lines += [f"{name}: {type(value).__name__}" for name, value in assigned.items() if isinstance(value, str)]
    return "\n".join([*lines, "", "__all__ = [", *(f'    "{name}",' for name in sorted(aliases)), "]", ""])


if __name__ == "__main__":
    source, table, output = map(pathlib.Path, sys.argv[1:])
    output.write_text(stub(source.read_text(), table.read_text()))
