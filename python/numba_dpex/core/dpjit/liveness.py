"""Which variables of a function have values that are still needed, and which certainly have a value.

Both are the usual data-flow analyses, on the structured statements of Python's ast. Statements that are not listed are
treated as if they may read every name in them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field

from dpep._kernel import kinds_of as kinds
from dpep._kernel import names_assigned as assigned
from dpep._kernel import names_bound, names_read, names_stored, nodes_of
from dpep._kernel._blocks import Labelled, LeaveLabel

Names = frozenset[str]
NONE: Names = frozenset()


_INNER_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def names(nodes: Iterable[ast.AST], context: type[ast.expr_context] = ast.Load) -> Names:
    """The names that occur in the nodes, in a context."""
    return names_read(nodes) if context is ast.Load else names_stored(nodes)


def captured(nodes: Iterable[ast.AST]) -> Names:
    """The names that functions in the nodes read, which may be called later."""
    later = (*_INNER_FUNCTIONS, ast.Lambda, ast.GeneratorExp)
    return names(each for node in nodes for each in nodes_of(node, later))


def calls(node: ast.AST) -> list[ast.Call]:
    """All calls in the node."""
    return nodes_of(node, ast.Call) if ast.Call in kinds(node) else []


def loops_in(node: ast.AST) -> list[ast.For]:
    """All for loops in the node, itself included."""
    return nodes_of(node, ast.For) if ast.For in kinds(node) else []


def parts(node) -> list:
    """A list of the node or name; empty for None."""
    return [] if node is None else [node]


@dataclass
class Liveness:
    """For each loop of a function, the names that are read later: from its start on, and after it."""

    before: dict[ast.AST, Names] = field(default_factory=dict)
    after: dict[ast.AST, Names] = field(default_factory=dict)
    # for each assignment to elements, the names that are read after it
    after_stores: dict[ast.Assign, Names] = field(default_factory=dict)
    # the names that have a value on every path to a loop
    certain: dict[ast.AST, Names] = field(default_factory=dict)
    # whether each for loop is taken to have at least one iteration
    iterates: bool = False
    # whether the names are noted: if not, `live` only returns those of its statements
    notes: bool = True
    _at_exceptions: Names = NONE  # the names that are read after an exception that a `try` statement may handle
    _labels: dict[str, Names] = field(default_factory=dict)  # the names that are read after labelled statements

    def analyse(self, function: ast.FunctionDef) -> None:
        self.live(function.body, NONE, NONE, NONE)
        arguments = function.args
        given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        given += [each for each in (arguments.vararg, arguments.kwarg) if each]
        self.assign(function.body, frozenset(each.arg for each in given))

    def live(self, statements: list[ast.stmt], after: Names, at_break: Names, at_continue: Names) -> Names:
        """The names that are read from the statements' start on, given those that are read after them."""
        always = self._at_exceptions
        for s in reversed(statements):
            rule = _RULES.get(type(s))
            after |= always
            after = rule(self, s, after, at_break, at_continue) if rule else after | names_read([s])
            after |= always
        return after

    def _assign(self, s: ast.Assign, after: Names, at_break: Names, at_continue: Names) -> Names:
        if self.notes and isinstance(s.targets[0], ast.Subscript):
            self.after_stores[s] = self.after_stores.get(s, NONE) | after
        return (after - names_bound(s.targets)) | names_read([s])

    def _annotated(self, s: ast.AnnAssign, after: Names, at_break: Names, at_continue: Names) -> Names:
        if s.value:
            after -= names_bound([s.target])
        return after | names_read([s.target, *parts(s.value)])

    def _in_place(self, s: ast.AugAssign, after: Names, at_break: Names, at_continue: Names) -> Names:
        return after | names_bound([s.target]) | names_read([s])

    def _leave(self, s: ast.stmt, after: Names, at_break: Names, at_continue: Names) -> Names:
        return names_read([s])

    def _break(self, s: ast.Break, after: Names, at_break: Names, at_continue: Names) -> Names:
        return at_break

    def _continue(self, s: ast.Continue, after: Names, at_break: Names, at_continue: Names) -> Names:
        return at_continue

    def _if(self, s: ast.If, after: Names, at_break: Names, at_continue: Names) -> Names:
        taken = self.live(s.body, after, at_break, at_continue)
        return taken | self.live(s.orelse, after, at_break, at_continue) | names_read([s.test])

    def _for(self, s: ast.For, after: Names, at_break: Names, at_continue: Names) -> Names:
        target, bound = [s.target], names_bound([s.target])
        end = self.live(s.orelse, after, at_break, at_continue)
        head = self._repeat(s.body, end | names_read(target), after, bound)
        start = self.live(s.body, head, after, head) - bound if self.iterates else head
        return self._note(s, start | names_read([s.iter, s.target]), after)

    def _while(self, s: ast.While, after: Names, at_break: Names, at_continue: Names) -> Names:
        end = self.live(s.orelse, after, at_break, at_continue) | names_read([s.test])
        return self._note(s, self._repeat(s.body, end, after, NONE), after)

    def _with(self, s: ast.With, after: Names, at_break: Names, at_continue: Names) -> Names:
        with self._exceptions_lead_to(after):
            return self.live(s.body, after, at_break, at_continue) | names_read(s.items)

    def _match(self, s: ast.Match, after: Names, at_break: Names, at_continue: Names) -> Names:
        found = after | names_read([s.subject])
        for case in s.cases:
            tests = names_read([case.pattern, *parts(case.guard)])
            found |= (self.live(case.body, after, at_break, at_continue) | tests) - assigned([case.pattern])
        return found

    def _labelled(self, s: Labelled, after: Names, at_break: Names, at_continue: Names) -> Names:
        self._labels[s.label] = after
        return self.live(s.body, after, at_break, at_continue)

    def _leave_label(self, s: LeaveLabel, after: Names, at_break: Names, at_continue: Names) -> Names:
        return self._labels[s.label]

    def _try(self, s: ast.Try | ast.TryStar, after: Names, at_break: Names, at_continue: Names) -> Names:
        end = after
        if s.finalbody:  # before the function is left, too
            end = self.live(s.finalbody, after | at_break | at_continue, at_break, at_continue)
            at_break = at_continue = end
        handled = end
        with self._exceptions_lead_to(end):
            for each in s.handlers:
                body = self.live(each.body, end, at_break, at_continue)
                handled |= (body - frozenset(parts(each.name))) | names(parts(each.type))
        with self._exceptions_lead_to(handled):
            after_body = self.live(s.orelse, end, at_break, at_continue)
            return self.live(s.body, after_body, at_break, at_continue) | handled

    @contextmanager
    def _exceptions_lead_to(self, live: Names):
        """Within the context, exceptions may lead to a place where these names are read later."""
        before = self._at_exceptions
        self._at_exceptions = before | live
        yield
        self._at_exceptions = before

    def _repeat(self, body: list[ast.stmt], at_end: Names, after: Names, bound: Names) -> Names:
        """The names that are read from a loop's head on.

        One pass suffices: of the names that are read after the body, it keeps those that it does not assign, and adds
        those that it reads first, so that a second pass adds none. Loops in the body are noted by a second pass.
        """
        notes, self.notes = self.notes, False
        head = at_end | (self.live(body, at_end, after, at_end) - bound)
        self.notes = notes
        if notes:
            self.live(body, head, after, head)
        return head

    def _note(self, loop: ast.stmt, before: Names, after: Names) -> Names:
        if self.notes:
            self.before[loop] = self.before.get(loop, NONE) | before
            self.after[loop] = self.after.get(loop, NONE) | after
        return before

    def assign(self, statements: list[ast.stmt], known: Names) -> Names:
        """The names that certainly have a value after the statements, given those before them."""
        for s in statements:
            match s:
                case ast.If(body=body, orelse=orelse):
                    known = self._either([body, orelse], known)
                case ast.For(body=body, orelse=orelse) | ast.While(body=body, orelse=orelse):
                    self.certain[s] = known
                    known -= _deleted(s)  # an iteration may delete what the next one begins with
                    self.assign(body, known | (names_bound([s.target]) if isinstance(s, ast.For) else NONE))
                    after_else = self.assign(orelse, known)
                    known = known if any(map(_breaks, body)) else after_else
                case ast.With(items=items, body=body):
                    # The body may end early, by an exception that is suppressed.
                    known |= names(items, ast.Store)
                    self.assign(body, known)
                    known -= _deleted(s)
                case (
                    ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finalbody)
                    | ast.TryStar(body=body, handlers=handlers, orelse=orelse, finalbody=finalbody)
                ):
                    self.assign(orelse, self.assign(body, known))
                    known -= _deleted(s)
                    for each in handlers:
                        self.assign(each.body, known | frozenset(parts(each.name)))
                    known = self.assign(finalbody, known)
                case Labelled(body=body):
                    self.assign(body, known)
                    known -= _deleted(s)
                case LeaveLabel():
                    pass
                case ast.Match(cases=cases):
                    for case in cases:
                        self.assign(case.body, known)
                    known -= _deleted(s)
                case ast.AugAssign():
                    pass
                case ast.Delete():
                    known -= _deleted(s)
                case ast.Assign(targets=targets):
                    known |= names_bound(targets)
                case ast.AnnAssign(target=target, value=value):
                    known |= names_bound([target]) if value else NONE
                case ast.Import() | ast.ImportFrom() | ast.FunctionDef() | ast.ClassDef():
                    known |= assigned([s])
        return known

    def _either(self, blocks: list[list[ast.stmt]], known: Names) -> Names:
        """The names that certainly have a value after one of the blocks was executed."""
        ends = [self.assign(each, known) for each in blocks if not _leaves(each)]
        for each in blocks:
            if _leaves(each):
                self.assign(each, known)
        return frozenset.intersection(*ends) if ends else known


# The rules by which statements of these classes change the names that are read later.
_RULES = {
    ast.Assign: Liveness._assign,
    ast.AnnAssign: Liveness._annotated,
    ast.AugAssign: Liveness._in_place,
    ast.Return: Liveness._leave,
    ast.Raise: Liveness._leave,
    ast.Break: Liveness._break,
    ast.Continue: Liveness._continue,
    ast.If: Liveness._if,
    ast.For: Liveness._for,
    ast.While: Liveness._while,
    ast.With: Liveness._with,
    ast.Try: Liveness._try,
    ast.TryStar: Liveness._try,
    ast.Match: Liveness._match,
    Labelled: Liveness._labelled,
    LeaveLabel: Liveness._leave_label,
}


def _deleted(statement: ast.stmt) -> Names:
    """The names that a statement may delete: those of `del`, and of exceptions that it handles."""
    if not kinds(statement) & {ast.Delete, ast.ExceptHandler}:
        return NONE
    found: set[str] = set()
    for each in nodes_of(statement):
        if isinstance(each, ast.Delete):
            found |= names_bound(each.targets)
        elif isinstance(each, ast.ExceptHandler) and each.name:
            found.add(each.name)
    return frozenset(found)


def _breaks(node: ast.AST) -> bool:
    """Whether a statement of a loop's body has a `break` of that loop."""
    if not kinds(node) & {ast.Break}:
        return False
    if isinstance(node, ast.For | ast.While):
        return any(map(_breaks, node.orelse))
    return isinstance(node, ast.Break) or any(map(_breaks, ast.iter_child_nodes(node)))


def leaves_outer_loop(loop: ast.For | ast.While) -> bool:
    """Whether the `else` of a loop has a `break` or `continue`, which is one of the loop around it."""

    def leaves(node: ast.AST) -> bool:
        if not kinds(node) & {ast.Break, ast.Continue}:
            return False
        if isinstance(node, ast.For | ast.While):
            return any(map(leaves, node.orelse))
        return isinstance(node, ast.Break | ast.Continue) or any(map(leaves, ast.iter_child_nodes(node)))

    return any(map(leaves, loop.orelse))


def _leaves(block: list[ast.stmt]) -> bool:
    """Whether a block ends in a statement after which the next one is not executed."""
    return bool(block) and isinstance(block[-1], ast.Return | ast.Raise | ast.Break | ast.Continue)
