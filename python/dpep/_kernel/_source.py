"""Finds a function's syntax tree, from its source or its byte code; the bindings read the tree."""

import ast
import linecache
import os
import sys
import textwrap
from types import CodeType

from dpep._kernel._bytecode import CannotRead, read_back

_MOST_OF_HISTORY = 2000  # lines of it that are looked at


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


def _is_same(found, code):
    """Whether two code objects are of one source: all but their places and files is the same."""

    def essence(code):
        constants = [essence(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts]
        names = (code.co_name, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        return (code.co_code, code.co_argcount, code.co_kwonlyargcount, names, constants)

    return essence(found) == essence(code)


def _has(text, code):
    """Whether the text defines the function, in the same line."""
    future = 0x1FE0000  # what `from __future__ import` sets
    flags = (code.co_flags & future) | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # as notebooks' cells have it
    try:
        compiled = compile(text, code.co_filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    todo = [compiled]
    while todo:
        for each in todo.pop().co_consts:
            if isinstance(each, CodeType):
                if each.co_firstlineno == code.co_firstlineno and _is_same(each, code):
                    return True
                todo.append(each)
    return False


def _typed(lines):
    """The statements of a prompt's history, from the last: each with all lines that belong to it."""
    end = len(lines)
    for start in reversed(range(len(lines))):
        line = lines[start]
        if not line.strip() or line[0] in " \t)]}#":
            continue
        if start > 0 and lines[start - 1].startswith("@"):
            continue  # the decorated function's first line is the decorator's
        yield "\n".join(lines[start:end]) + "\n"
        end = start


def _history():
    """What was typed at the prompt, line by line."""
    readline = sys.modules.get("readline")  # what was not imported has no history
    if readline is None:
        return []
    length = readline.get_current_history_length()
    first = max(1, length - _MOST_OF_HISTORY)
    typed = []
    for number in range(first, length + 1):
        typed.extend((readline.get_history_item(number) or "").split("\n"))
    return typed


def _command():
    """The program that the interpreter was started with by -c."""
    given = sys.orig_argv
    for number, each in enumerate(given[1:-1], 1):
        if each.startswith("-") and not each.startswith("--") and each.endswith("c"):
            return given[number + 1]
    return ""


def _standard_input():
    """The program that the interpreter reads, where that is a file: the place in it is left alone."""
    try:
        size = os.fstat(0).st_size
        text = os.pread(0, size, 0) if size else b""
    except OSError:  # a pipe, a terminal, or closed
        return ""
    return text.decode("utf-8", "replace")


def _texts(code):
    """Texts that may have the function, of which no file's name tells."""
    from_code = getattr(linecache, "_getlines_from_code", None)  # from 3.13 on, of prompts and -c
    if from_code is not None:
        yield "".join(from_code(code))
    yield "".join(linecache.getlines(code.co_filename))
    if code.co_filename == "<string>":
        command = _command()
        yield command
        yield textwrap.dedent(command)
    if code.co_filename == "<stdin>":
        yield _standard_input()
    if code.co_filename in ("<stdin>", "<console>") or code.co_filename.startswith("<python-input"):
        yield from _typed(_history())


def _lines(code, names):
    """The source from the function's first line on; empty when there is none."""
    first = code.co_firstlineno - 1
    if not code.co_filename.startswith("<"):
        return linecache.getlines(code.co_filename, names)[first:]
    for text in _texts(code):
        if text and _has(text, code):
            return text.splitlines(keepends=True)[first:]
    return []


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
        line, decorators included; the lines, none where the byte code was read.

    Raises
    ------
    OSError
        There is no source, and the byte code has what cannot be read back.
    """
    code = function.__code__
    first = code.co_firstlineno
    lines = _lines(code, function.__globals__)
    if not lines:
        try:
            return read_back(function), 0, code.co_filename, first, []
        except CannotRead as error:
            raise OSError(
                f"the source of '{function.__name__}' ({code.co_filename}, line {first}) is not to be found, and its "
                f"byte code cannot be read back, since {error}: define the function in a file or a notebook"
            ) from None
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
