"""The syntax tree of a function, from its source code or its byte code, for the kernel compiler."""

import ast
import copy
import functools
import linecache
import os
import sys
import textwrap
from types import CodeType, FunctionType

from dpep._kernel._bytecode import CannotRead, read_back

_MAX_HISTORY = 2000  # lines of the prompt's history that are searched


def _block(lines, indent):
    """The number of lines of a function whose first line has the given indent."""
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
    """Whether two code objects have the same source: they are equal except for positions and file names."""

    def comparable(code):
        constants = [comparable(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts]
        names = (code.co_name, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        return (code.co_code, code.co_argcount, code.co_kwonlyargcount, names, constants)

    return comparable(found) == comparable(code)


def _has(text, code):
    """Whether the text defines the function, at the same line."""
    future = 0x1FE0000  # the flags of `from __future__ import`
    flags = (code.co_flags & future) | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # as in cells of notebooks
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


def _statements(lines):
    """The statements of a prompt's history, the last one first, each with all its lines."""
    end = len(lines)
    for start in reversed(range(len(lines))):
        line = lines[start]
        if not line.strip() or line[0] in " \t)]}#":
            continue
        if start > 0 and lines[start - 1].startswith("@"):
            continue  # the first line of a decorated function is that of the decorator
        yield "\n".join(lines[start:end]) + "\n"
        end = start


def _history():
    """The lines of the prompt's history."""
    readline = sys.modules.get("readline")  # not imported: there is no history
    if readline is None:
        return []
    length = readline.get_current_history_length()
    first = max(1, length - _MAX_HISTORY)
    typed = []
    for number in range(first, length + 1):
        typed.extend((readline.get_history_item(number) or "").split("\n"))
    return typed


def _command():
    """The program given to the interpreter by the option -c."""
    given = sys.orig_argv
    for number, each in enumerate(given[1:-1], 1):
        if each.startswith("-") and not each.startswith("--") and each.endswith("c"):
            return given[number + 1]
    return ""


def _standard_input():
    """The program on standard input, if that is a file. Does not change the position in the file."""
    try:
        size = os.fstat(0).st_size
        text = os.pread(0, size, 0) if size else b""
    except OSError:  # a pipe, a terminal, or closed
        return ""
    return text.decode("utf-8", "replace")


def _texts(code):
    """Source texts without a file that may contain the function."""
    from_code = getattr(linecache, "_getlines_from_code", None)  # from 3.13 on, for prompts and -c
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
        yield from _statements(_history())


def _lines(code, names):
    """The source lines from the function's first line; empty without source."""
    first = code.co_firstlineno - 1
    if not code.co_filename.startswith("<"):
        return linecache.getlines(code.co_filename, names)[first:]
    for text in _texts(code):
        if text and _has(text, code):
            return text.splitlines(keepends=True)[first:]
    return []


def _whole_text(code, names):
    """The source text that contains the function, from its first line; empty without source."""
    if not code.co_filename.startswith("<"):
        return "".join(linecache.getlines(code.co_filename, names))
    return next((text for text in _texts(code) if text and _has(text, code)), "")


def _contains(node, code):
    """Whether a lambda expression may be that of the code: all instructions are of its body."""
    begin, end = (node.body.lineno, node.body.col_offset), (node.body.end_lineno, node.body.end_col_offset)
    for line, last, column, last_column in code.co_positions():
        # the first instruction is at the first line, without columns that are of the body
        if None in (line, last, column, last_column) or (column, last_column) == (0, 0):
            continue
        if (line, column) < begin or (last, last_column) > end:
            return False
    return True


@functools.lru_cache(maxsize=8)
def _lambdas(text):
    """The lambda expressions of a source text, by their first lines; none of a text that is not Python's."""
    found = {}
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda):
            found.setdefault(node.lineno, []).append(node)
    return found


def _lambda_tree(function):
    """A lambda expression as a function that returns its value, as `function_tree`; None without source."""
    code = function.__code__
    text = _whole_text(code, function.__globals__)
    nodes = [node for node in _lambdas(text).get(code.co_firstlineno, ()) if _contains(node, code)]
    if not nodes:
        return None
    # of nested ones, the innermost
    node = min(nodes, key=lambda n: (n.body.end_lineno - n.body.lineno, n.body.end_col_offset - n.body.col_offset))
    node = copy.deepcopy(node)  # the compiler changes the trees that it gets
    made = ast.FunctionDef(
        name="lambda_expression",
        args=node.args,
        body=[ast.copy_location(ast.Return(value=node.body), node.body)],
        decorator_list=[],
        returns=None,
        type_comment=None,
        type_params=[],
    )
    lines = text.splitlines()[code.co_firstlineno - 1 : node.end_lineno]
    return ast.copy_location(made, node), 0, code.co_filename, code.co_firstlineno, lines


def _returns(node):
    """The return statements of a function."""
    return [each for each in ast.walk(node) if isinstance(each, ast.Return)]


def result_count(function):
    """The length of the tuples that all of a function's return statements have; None for other functions."""
    values = [each.value for each in _returns(function_tree(function)[0])]
    counts = {len(value.elts) if isinstance(value, ast.Tuple) else None for value in values}
    return counts.pop() if len(counts) == 1 else None


def result_function(function, position):
    """A function that returns one member of the tuples that a function returns; for the kernel compiler only."""
    made = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__dpep_result__ = position
    return made


class _Characters(ast.NodeTransformer):
    """Replaces the codes of constant characters, `ord("a")` and `b"a"[0]`, by integers."""

    def __init__(self, has_ord):
        self._has_ord = has_ord

    def visit_Call(self, node):
        match node:
            case ast.Call(func=ast.Name(id="ord"), args=[ast.Constant(value=str() | bytes() as text)], keywords=[]):
                if self._has_ord and len(text) == 1:
                    return ast.copy_location(ast.Constant(ord(text)), node)
        return self.generic_visit(node)

    def visit_Subscript(self, node):
        match node:
            case ast.Subscript(value=ast.Constant(value=bytes() as text), slice=ast.Constant(value=int() as index)):
                place = index
            case ast.Subscript(
                value=ast.Constant(value=bytes() as text),
                slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as index)),
            ):
                place = -index
            case _:
                return self.generic_visit(node)
        if -len(text) <= place < len(text):
            return ast.copy_location(ast.Constant(text[place]), node)
        return node


def _with_codes_of_characters(tree, function, lines):
    """The tree with integers in place of the codes of constant characters."""
    if lines and not any("ord" in line or "b'" in line or 'b"' in line for line in lines):
        return tree
    names = function.__code__.co_varnames + function.__code__.co_cellvars + function.__code__.co_freevars
    has_ord = "ord" not in names and function.__globals__.get("ord", ord) is ord
    return _Characters(has_ord).visit(tree)


def function_tree(function):
    """Return the syntax tree of a function and its position in the source.

    Parameters
    ----------
    function : function
        A function defined with `def`, or a lambda, whose tree is that of a function which returns its value.

    Returns
    -------
    tuple
        The `ast.FunctionDef`; the offset to add to its line numbers; the file name; the number of the first line,
        including decorators; the source lines, empty if the tree is from the byte code.

    Raises
    ------
    OSError
        When there is no source code, and the byte code cannot be decompiled.
    """
    if (given := getattr(function, "__dpep_tree__", None)) is not None:  # set by dpjit
        return given
    found = _tree(function)
    found = _with_codes_of_characters(found[0], function, found[-1]), *found[1:]
    if (position := getattr(function, "__dpep_result__", None)) is not None:
        for each in _returns(found[0]):
            each.value = each.value.elts[position]
    return found


def _tree(function):
    code = function.__code__
    first = code.co_firstlineno
    if code.co_name == "<lambda>" and (found := _lambda_tree(function)) is not None:
        return found
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
    # an indented function is parsed inside of an `if`, which keeps its columns
    prefix, offset = ("if 1:\n", first - 2) if indent else ("", first - 1)
    try:
        tree = ast.parse(prefix + "".join(block))
    except SyntaxError:  # a multi-line string with less indent than the function
        import inspect

        block = inspect.getblock(lines)
        tree = ast.parse(prefix + "".join(block))
    node = tree.body[0].body[0] if indent else tree.body[0]
    if not isinstance(node, ast.FunctionDef):
        raise OSError(f"kernels are defined with def; '{function.__name__}' is not")
    return node, offset, code.co_filename, first, [line.rstrip("\n") for line in block]
