"""Finds a function's source and parses it; the bindings read the tree."""

import ast
import linecache


def _block(lines, indent):
    """How many of the lines belong to a function whose first line has that indent."""
    in_body = False
    for number, line in enumerate(lines):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        depth = len(line) - len(line.lstrip())
        if in_body and depth <= indent and not text.startswith((")", "]", "}")):
            return number
        if text.startswith(("def ", "async def ")) and depth == indent:
            in_body = True
    return len(lines)


def function_tree(function):
    """Return the function's syntax tree, and where it stands.

    Parameters
    ----------
    function : function
        One that was defined with `def`.

    Returns
    -------
    tuple
        Its `ast.FunctionDef`; what is to be added to the tree's line numbers; the file's name; the number of the first
        line, decorators included; the lines.

    Raises
    ------
    OSError
        There is no source: the function was typed at a prompt, or made by `exec`.
    """
    code = function.__code__
    first = code.co_firstlineno
    lines = linecache.getlines(code.co_filename, function.__globals__)[first - 1 :]
    if not lines:
        raise OSError(
            f"the source of '{function.__name__}' cannot be read from {code.co_filename}: "
            "kernels are compiled from source, so define them in a file or a notebook"
        )
    indent = len(lines[0]) - len(lines[0].lstrip())
    block = lines[: _block(lines, indent)]
    # below an `if`, an indented function keeps its columns
    prefix, offset = ("if 1:\n", first - 2) if indent else ("", first - 1)
    try:
        tree = ast.parse(prefix + "".join(block))
    except SyntaxError:  # a string with lines of less indent
        import inspect

        block = inspect.getblock(lines)
        tree = ast.parse(prefix + "".join(block))
    node = tree.body[0].body[0] if indent else tree.body[0]
    if not isinstance(node, ast.FunctionDef):
        raise OSError(f"kernels are defined with def; '{function.__name__}' is not")
    return node, offset, code.co_filename, first, [line.rstrip("\n") for line in block]
