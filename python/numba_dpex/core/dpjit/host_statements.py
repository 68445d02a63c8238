"""Statements that Python executes, in a function whose loops are compiled."""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING

from dpep import _kernel

from numba_dpex.core.dpjit import loops
from numba_dpex.core.dpjit.host_functions import ITERATING, elements_of, function_of_numbers, strides_in_bytes

if TYPE_CHECKING:
    from numba_dpex.core.dpjit.rewrite import HostFunction

_STORED = "#stored"


class HostStatements(ast.NodeTransformer):
    """Rewrites the statements of a function itself, and of loops that are not compiled.

    Args:
        host: the function.
        may_defer: whether the version of a loop for Python is made only when its kernel has refused the arguments.
        containers: variables that kernels refuse. Loops that use them are not compiled.
    """

    def __init__(self, host: HostFunction, may_defer: bool = True, containers: frozenset[str] = frozenset()) -> None:
        self._host, self._may_defer, self._containers = host, may_defer, containers

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """The rewritten statements. The given ones are not changed."""
        done: list[ast.stmt] = []
        for each in statements:
            changed = self.visit(each)
            done.extend(changed if isinstance(changed, list) else [changed])
        return done

    def visit_For(self, node: ast.For):
        return self._loop(node)

    def visit_While(self, node: ast.While):
        return self._loop(node)

    def visit_Assign(self, node: ast.Assign):
        changed = self._copy_with_blocks(node)
        dead = self._host.dead_at(node)
        if not dead:
            return changed
        statements = [loops.assign(_STORED, changed.value), *loops.assign_none(dead)]
        changed.value = loops.name(_STORED)
        statements += [changed, loops.assign(_STORED, ast.Constant(None))]
        return [loops.locate(each, node) for each in statements]

    def without_kernel(self, loop: ast.stmt) -> ast.stmt:
        """The rewritten loop as Python executes it."""
        return self._copy_with_blocks(loop)

    def _loop(self, node: ast.For | ast.While):
        kernel = None
        if self._host.is_parallel(node) or not self._host.uses(node, self._containers):
            kernel = self._host.compiled_loop(node, is_guarded=not self._may_defer)
        if kernel is None:
            return self._copy_with_blocks(node)
        branch = kernel[-1]
        assert isinstance(branch, ast.If)
        rest = self._host.deferred(node) if self._may_defer else None
        branch.body[1:] = [*(rest or [self._copy_with_blocks(node)]), *branch.body[2:]]
        return kernel

    def _guarded(self, node: ast.Try | ast.TryStar | ast.With):
        """A statement that may go on after an exception, and then reads variables that a loop in it has assigned."""
        return HostStatements(self._host, False, self._containers)._copy_with_blocks(node)

    visit_Try = visit_TryStar = visit_With = _guarded

    def _copy_with_blocks(self, node):
        """The statement with its expressions and blocks rewritten."""
        changed = copy.copy(node)
        for title, value in ast.iter_fields(node):
            if title in ("body", "orelse", "finalbody"):
                setattr(changed, title, self.block(value))
            elif isinstance(value, ast.expr):
                made = self.visit(loops.clone(value))
                setattr(changed, title, self._elements(made) if title == "iter" else made)
            elif isinstance(value, list):
                setattr(changed, title, [self._item(each) for each in value])
        return changed

    def _item(self, node):
        if isinstance(node, ast.ExceptHandler | ast.match_case):
            return self._copy_with_blocks(node)
        return self.visit(loops.clone(node)) if isinstance(node, ast.AST) else node

    def generic_visit(self, node: ast.AST):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            return node
        if isinstance(node, ast.stmt):
            return self._copy_with_blocks(node)
        return super().generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript):
        super().generic_visit(node)
        index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not isinstance(node.ctx, ast.Load) or any(_is_no_index(each) for each in index):
            return node
        call = ast.Call(self._host.helper("element", _kernel.element), [node.value, node.slice], [])
        return ast.copy_location(call, node)

    def visit_Attribute(self, node: ast.Attribute):
        super().generic_visit(node)
        if node.attr != "strides" or not isinstance(node.ctx, ast.Load):
            return node
        call = ast.Call(self._host.helper("strides", strides_in_bytes), [node.value], [])
        return ast.copy_location(call, node)

    def visit_comprehension(self, node: ast.comprehension):
        super().generic_visit(node)
        node.iter = self._elements(node.iter)
        return node

    def _elements(self, node: ast.expr) -> ast.expr:
        """The expression, with numbers as the elements of an array."""
        if isinstance(node, ast.Call | ast.Constant | ast.List | ast.Tuple | ast.ListComp | ast.Starred):
            return node
        return ast.copy_location(ast.Call(self._host.helper("elements", elements_of), [node], []), node)

    def visit_Call(self, node: ast.Call):
        callee = self._host.look_up(node.func)
        of_numbers = function_of_numbers(callee)
        super().generic_visit(node)
        if _is_iterating(callee, len(node.args)):
            node.args = [self._elements(each) for each in node.args]
        if of_numbers:
            node.func = ast.copy_location(self._host.helper("function", of_numbers), node.func)
        return node


def _is_iterating(callee: object, arguments: int) -> bool:
    """Whether a call of a function iterates over its arguments, given their number."""
    return any(callee is each for each in ITERATING) and (arguments == 1 or (callee is not min and callee is not max))


def _is_no_index(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice | ast.Starred) or (
        isinstance(node, ast.Constant) and not isinstance(node.value, int)
    )
