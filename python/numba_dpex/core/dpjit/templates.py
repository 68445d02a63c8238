"""Statements that are written as text, with names of the program and of the compiler in them."""

from __future__ import annotations

import ast

from numba_dpex.core.dpjit.loops import LANE, LANES, name

_FUNCTIONS = ("range", "max", "min", "local")


def statements_of(
    text: str, number: int, replaced: dict[str, list[ast.stmt]], expressions: dict[str, ast.expr]
) -> list[ast.stmt]:
    """The statements of a text.

    Its names become the compiler's own, and the nodes have no positions.

    Args:
        text: the text.
        number: distinguishes the variables of several uses of a text.
        replaced: the statements that replace expression statements of one name.
        expressions: what replaces other names.
    """
    change = _Names(number, replaced, expressions)
    made: list[ast.stmt] = []
    for each in ast.parse(text).body:
        changed = change.visit(each)
        made += changed if isinstance(changed, list) else [changed]
    return made


class _Names(ast.NodeTransformer):
    def __init__(self, number: int, replaced: dict[str, list[ast.stmt]], expressions: dict[str, ast.expr]) -> None:
        self._number, self._replaced, self._expressions = number, replaced, expressions

    def visit(self, node: ast.AST):
        for position in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            node.__dict__.pop(position, None)
        return super().visit(node)

    def visit_Expr(self, node: ast.Expr):
        if isinstance(node.value, ast.Name) and node.value.id in self._replaced:
            return self._replaced[node.value.id]
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name):
        if node.id in self._expressions:
            return self._expressions[node.id]
        if node.id in _FUNCTIONS:
            return name("#" + node.id)
        if node.id in ("lane", "lanes"):
            return name(LANE if node.id == "lane" else LANES)
        return ast.Name(f"#{node.id} {self._number}", node.ctx)
