"""Which variables of a function have values that are still needed, and which certainly have a value.

Both are the usual data-flow analyses, on the structured statements of Python's ast. Statements that are not listed are
treated as if they may read every name in them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

Names = frozenset[str]
NONE: Names = frozenset()


def names(nodes: Iterable[ast.AST], context: type[ast.expr_context] = ast.Load) -> Names:
    """The names that occur in the nodes, in a context."""
    found = set()
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and isinstance(each.ctx, context):
                found.add(each.id)
    return frozenset(found)


def assigned(nodes: Iterable[ast.AST]) -> Names:
    """The names that the statements assign, import or define, without those of functions defined in them."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
            continue
        if isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            continue
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found.update((each.asname or each.name).split(".")[0] for each in node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        found |= assigned(ast.iter_child_nodes(node))
    return frozenset(found)


def parts(node: ast.AST | None) -> list[ast.AST]:
    return [] if node is None else [node]


@dataclass
class Liveness:
    """For each loop of a function, the names that are read later: from its start on, and after it."""

    before: dict[ast.AST, Names] = field(default_factory=dict)
    after: dict[ast.AST, Names] = field(default_factory=dict)
    # the names that have a value on every path to a loop
    certain: dict[ast.AST, Names] = field(default_factory=dict)

    def analyse(self, function: ast.FunctionDef) -> None:
        self.live(function.body, NONE, NONE, NONE)
        arguments = function.args
        given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        given += [each for each in (arguments.vararg, arguments.kwarg) if each]
        self.assign(function.body, frozenset(each.arg for each in given))

    def live(self, statements: list[ast.stmt], after: Names, at_break: Names, at_continue: Names) -> Names:
        """The names that are read from the statements' start on, given those that are read after them."""
        for statement in reversed(statements):
            after = self._live_at(statement, after, at_break, at_continue)
        return after

    def _live_at(self, s: ast.stmt, after: Names, at_break: Names, at_continue: Names) -> Names:
        match s:
            case ast.Assign(targets=targets, value=value):
                return (after - _bound(targets)) | names([*targets, value])
            case ast.AnnAssign(target=target, value=value):
                return (after - (_bound([target]) if value else NONE)) | names([target, *parts(value)])
            case ast.AugAssign(target=target, value=value):
                return after | _bound([target]) | names([target, value])
            case ast.Return(value=value):
                return names(parts(value))
            case ast.Raise():
                return names([s])
            case ast.Break():
                return at_break
            case ast.Continue():
                return at_continue
            case ast.If(test=test, body=body, orelse=orelse):
                either = self.live(body, after, at_break, at_continue) | self.live(orelse, after, at_break, at_continue)
                return either | names([test])
            case ast.For(target=target, iter=iterable, body=body, orelse=orelse):
                end = self.live(orelse, after, at_break, at_continue)
                head = self._repeat(body, end | names([target]), after, _bound([target]))
                return self._note(s, head | names([iterable]), after)
            case ast.While(test=test, body=body, orelse=orelse):
                end = self.live(orelse, after, at_break, at_continue) | names([test])
                return self._note(s, self._repeat(body, end, after, NONE), after)
            case ast.With(items=items, body=body):
                return self.live(body, after, at_break, at_continue) | names(items)
        # Exceptions may leave a statement's blocks anywhere.
        everything = after | at_break | at_continue | names([s])
        for blocks in ast.iter_child_nodes(s):
            if isinstance(blocks, ast.stmt):
                self._live_at(blocks, everything, everything, everything)
            elif isinstance(blocks, ast.ExceptHandler):
                self.live(blocks.body, everything, everything, everything)
        return everything

    def _repeat(self, body: list[ast.stmt], at_end: Names, after: Names, bound: Names) -> Names:
        """The names that are read from a loop's head on."""
        head = at_end
        while True:
            more = head | (self.live(body, head, after, head) - bound)
            if more == head:
                return head
            head = more

    def _note(self, loop: ast.stmt, before: Names, after: Names) -> Names:
        self.before[loop] = self.before.get(loop, NONE) | before
        self.after[loop] = self.after.get(loop, NONE) | after
        return before

    def assign(self, statements: list[ast.stmt], known: Names) -> Names:
        """The names that certainly have a value after the statements, given those before them."""
        for s in statements:
            match s:
                case ast.If(body=body, orelse=orelse):
                    known = self._either([body, orelse], known)
                case ast.For(target=target, body=body, orelse=orelse):
                    self.certain[s] = known
                    self.assign(body, known | _bound([target]))
                    known = self.assign(orelse, known)
                case ast.While(body=body, orelse=orelse):
                    self.certain[s] = known
                    self.assign(body, known)
                    known = self.assign(orelse, known)
                case ast.With(items=items, body=body):
                    known = self.assign(body, known | names(items, ast.Store))
                case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finalbody):
                    self.assign(orelse, self.assign(body, known))
                    for each in handlers:
                        self.assign(each.body, known)
                    known = self.assign(finalbody, known)
                case ast.Match(cases=cases):
                    for case in cases:
                        self.assign(case.body, known)
                case ast.AugAssign():
                    pass
                case _:
                    known = known | assigned([s])
        return known

    def _either(self, blocks: list[list[ast.stmt]], known: Names) -> Names:
        ends = [self.assign(each, known) for each in blocks if not _leaves(each)]
        for each in blocks:
            if _leaves(each):
                self.assign(each, known)
        return frozenset.intersection(*ends) if ends else known


def _leaves(block: list[ast.stmt]) -> bool:
    return bool(block) and isinstance(block[-1], ast.Return | ast.Raise | ast.Break | ast.Continue)


def _bound(targets: Iterable[ast.AST]) -> Names:
    """The names that an assignment to the targets gives a value."""
    found: set[str] = set()
    for target in targets:
        if isinstance(target, ast.Name):
            found.add(target.id)
        elif isinstance(target, ast.Tuple | ast.List):
            found |= _bound(target.elts)
        elif isinstance(target, ast.Starred):
            found |= _bound([target.value])
    return frozenset(found)
