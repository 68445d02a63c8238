"""Tests of parameters in loops by which programs choose what to do: `weights is None`, `mode == "linear"`.

Kernels have no strings, and translate all branches for the types of the variables. So Python executes these tests
before the loop.
"""

from __future__ import annotations

import ast
from collections import Counter
from itertools import count

from dpep._kernel import nodes_of

from numba_dpex.core.dpjit.liveness import Names, assigned
from numba_dpex.core.dpjit.loops import assign, clone, locate, name

_MOST_NONE_TESTS = 3  # n of them make 2^n versions of a loop
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def hoist_argument_tests(tree: ast.FunctionDef, parameters: Names) -> None:
    """Move tests of parameters out of the loops of a function, where the loops do not assign the parameters.

    A loop with `x is None` becomes two loops, for None and for other values, without the branches that are not taken.
    A comparison with constant strings becomes a variable. It must be called before `liveness` caches summaries in the
    nodes of the tree.
    """
    if any(_is_compared_with_none_or_text(each) for each in nodes_of(tree)):
        _Loops(parameters, _flags(tree, parameters)).generic_visit(tree)


def _is_compared_with_none_or_text(node: ast.AST) -> bool:
    """Whether a node compares something with None or a string, or with a tuple."""
    if not isinstance(node, ast.Compare):
        return False
    other = node.comparators[0]
    return isinstance(other, ast.Tuple) or (isinstance(other, ast.Constant) and isinstance(other.value, str | None))


def _flags(tree: ast.FunctionDef, parameters: Names) -> dict[str, ast.expr]:
    """The variables that stand for such tests, as in `weighted = weights is not None`, and their tests.

    Neither the variable nor the parameter is assigned elsewhere.
    """
    stored = Counter(
        each.id for each in nodes_of(tree) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
    )
    found: dict[str, ast.expr] = {}
    for each in tree.body:
        match each:
            case ast.Assign(targets=[ast.Name(id=title)], value=value) if stored[title] == 1:
                tested = _compared_with_none(value)
                if tested in parameters and not stored[tested] and title not in parameters:
                    found[title] = value
    return found


class _Loops(ast.NodeTransformer):
    """Replaces the outermost loops of a function."""

    def __init__(self, parameters: Names, flags: dict[str, ast.expr]) -> None:
        self._parameters, self._flags = parameters, flags
        self._numbers = count()

    def visit_FunctionDef(self, node: ast.FunctionDef):
        return node  # an inner function has parameters of its own

    def visit_For(self, node: ast.For):
        return self._loop(node)

    def visit_While(self, node: ast.While):
        return self._loop(node)

    def _loop(self, loop: ast.For | ast.While):
        fixed = self._parameters - assigned([loop])
        nodes = list(nodes_of(loop))
        if any(isinstance(each, _SCOPES) for each in nodes):
            return loop
        if any(isinstance(each, ast.Name) and each.id in self._flags for each in nodes):
            loop = _Flags(self._flags).visit(clone(loop))
            nodes = list(nodes_of(loop))
        strings = {ast.dump(each): each for each in nodes if _is_string_test(each, fixed)}
        before: list[ast.stmt] = []
        variables = {}
        for text, test in strings.items():
            variables[text] = f"#test {next(self._numbers)}"
            before.append(locate(assign(variables[text], clone(test)), loop))
        if variables:
            loop = _Strings(variables).visit(clone(loop))
        tested = sorted({title for each in nodes if (title := _compared_with_none(each)) in fixed})
        return [*before, *_versions(loop, [each for each in tested if each][:_MOST_NONE_TESTS])]


def _is_string_test(node: ast.AST, fixed: Names) -> bool:
    """Whether a node compares a parameter with constant strings."""
    match node:
        case ast.Compare(left=ast.Name(id=title), ops=[ast.Eq() | ast.NotEq()], comparators=[other]):
            return title in fixed and _is_string(other)
        case ast.Compare(left=ast.Name(id=title), ops=[ast.In() | ast.NotIn()], comparators=[ast.Tuple(elts=others)]):
            return title in fixed and bool(others) and all(map(_is_string, others))
    return False


def _is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _compared_with_none(node: ast.AST) -> str | None:
    """The name in `name is None` or `name is not None`; None for other nodes."""
    match node:
        case ast.Compare(left=ast.Name(id=title), ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return title
    return None


def _versions(loop: ast.stmt, tested: list[str]) -> list[ast.stmt]:
    """The loop, in a version for each combination of the variables that are None."""
    if not tested:
        return [loop]
    test = ast.Compare(name(tested[0]), [ast.Is()], [ast.Constant(None)])
    none, other = (
        _versions(_NoneTests(tested[0], is_none).visit(clone(loop)), tested[1:]) for is_none in (True, False)
    )
    return [locate(ast.If(test, none, other), loop)]


class _Flags(ast.NodeTransformer):
    """Replaces variables by the tests that they stand for."""

    def __init__(self, flags: dict[str, ast.expr]) -> None:
        self._flags = flags

    def visit_Name(self, node: ast.Name):
        test = self._flags.get(node.id)
        return locate(ast.copy_location(clone(test), node), node) if test else node


class _Strings(ast.NodeTransformer):
    """Replaces tests by variables."""

    def __init__(self, variables: dict[str, str]) -> None:
        self._variables = variables

    def visit_Compare(self, node: ast.Compare):
        title = self._variables.get(ast.dump(node))
        return ast.copy_location(name(title), node) if title else self.generic_visit(node)


class _NoneTests(ast.NodeTransformer):
    """Replaces the tests whether a variable is None by their results, and removes the branches that are not taken."""

    def __init__(self, title: str, is_none: bool) -> None:
        self._title, self._is_none = title, is_none

    def visit_Compare(self, node: ast.Compare):
        if _compared_with_none(node) != self._title:
            return self.generic_visit(node)
        return ast.copy_location(ast.Constant(isinstance(node.ops[0], ast.Is) == self._is_none), node)

    def visit_UnaryOp(self, node: ast.UnaryOp):
        self.generic_visit(node)
        value = _truth(node.operand)
        if value is None or not isinstance(node.op, ast.Not):
            return node
        return ast.copy_location(ast.Constant(not value), node)

    def visit_BoolOp(self, node: ast.BoolOp):
        self.generic_visit(node)
        decides = isinstance(node.op, ast.Or)  # the value that makes the operands after it unnecessary
        kept: list[ast.expr] = []
        for each in node.values:
            value = _truth(each)
            if value is (not decides) and each is not node.values[-1]:
                continue
            kept.append(each)
            if value is decides:
                break
        node.values = kept
        return kept[0] if len(kept) == 1 else node

    def visit_IfExp(self, node: ast.IfExp):
        self.generic_visit(node)
        value = _truth(node.test)
        return node if value is None else node.body if value else node.orelse

    def visit_If(self, node: ast.If):
        self.generic_visit(node)
        value = _truth(node.test)
        if value is None:
            return node
        return (node.body if value else node.orelse) or ast.copy_location(ast.Pass(), node)


def _truth(node: ast.expr) -> bool | None:
    """The value of a constant True or False."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, bool) else None
