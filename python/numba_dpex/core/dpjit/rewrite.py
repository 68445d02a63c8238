"""Turns a function into one whose loops call kernels.

Statements that are not loops stay as they are: operations on arrays are those of dpnp, so they fuse with what comes
before and after them. A loop becomes

    outputs = loop(inputs)
    if outputs is None:
        the loop, as it was
    else:
        variables = outputs

where `loop` compiles the loop for the types of its inputs and runs it. It returns None if the loop cannot be compiled,
for example because of operations on whole arrays; then Python executes the loop, and the loops in it are rewritten in
the same way.
"""

from __future__ import annotations

import ast
import copy
import os
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType

from dpep import _kernel
from dpep._kernel import nodes_of
from dpep._kernel._blocks import Labelled

from numba_dpex.core.dpjit import loops
from numba_dpex.core.dpjit.argument_tests import hoist_argument_tests
from numba_dpex.core.dpjit.array_reductions import ArrayReduction
from numba_dpex.core.dpjit.conditions import without_branches
from numba_dpex.core.dpjit.copies_back import exchange_copied_arrays
from numba_dpex.core.dpjit.gpu_forms import forms_for_gpus, is_for_python
from numba_dpex.core.dpjit.host_functions import warn_of_refusal
from numba_dpex.core.dpjit.host_statements import HostStatements
from numba_dpex.core.dpjit.independence import independence_of
from numba_dpex.core.dpjit.liveness import (
    NONE,
    Liveness,
    assigned,
    calls,
    captured,
    kinds,
    leaves_outer_loop,
    loops_in,
    names,
)
from numba_dpex.core.dpjit.local_constants import LocalConstants, name_outside
from numba_dpex.core.dpjit.prange import is_prange
from numba_dpex.core.dpjit.reductions import changes_in_place, has_chains, reduction_of
from numba_dpex.core.dpjit.scratch import ScratchArrays
from numba_dpex.core.dpjit.shared_updates import mark_shared_updates
from numba_dpex.core.dpjit.swaps import unroll_swaps
from numba_dpex.core.dpjit.work_sharing import changes_only_variables
from numba_dpex.core.exceptions import UnsupportedError, with_numba_base

_OUTPUTS = "#outputs"
_VARIABLES = "#variables"
_OF_VARIABLES = ast.arguments([], [ast.arg(_VARIABLES)], None, [], [], None, [])
_Reduction = tuple[str, str, ArrayReduction | None]  # variable, operation
_MOST_DIMENSIONS = 3
_REFUSED_TYPES = frozenset([list, dict, set, frozenset, str, bytes, bytearray])
_REFUSED = {
    ast.Yield: "generators",
    ast.YieldFrom: "generators",
    ast.Await: "coroutines",
    ast.ClassDef: "classes",
    ast.AsyncFunctionDef: "coroutines",
    ast.Global: "global statements",
}


_LAUNCHES = (_kernel.call_kernel, _kernel.call_kernel_async, _kernel.single_task, _kernel.single_task_async)

# Functions that read variables by name.
_READING_VARIABLES = frozenset(["locals", "vars", "dir", "eval", "exec"])


class _Missing:
    """The object of an expression that is not known before the function runs."""


# Statements and expressions that kernels never have: Python executes loops that contain them.
_OF_HOST = frozenset(
    [ast.With, ast.Try, ast.FunctionDef, ast.Import, ast.ImportFrom, ast.Delete, ast.Match, ast.Lambda]
)


_SCOPES = frozenset([ast.FunctionDef, ast.Lambda, ast.GeneratorExp])


@dataclass
class _Called:
    """The call of a compiled loop in the rewritten function.

    Attributes:
        loop: the loop.
        arguments: its arguments.
        outputs: the variables that it returns.
        has_parallel: whether it contains parallel loops.
        otherwise: the call to make if it returns None.
        for_gpus: whether the call is only for GPUs, and the one before it is made if it returns None, too.
        is_reported: whether the warning that Python executes the loop has the reason of this call, if it is the last.
    """

    loop: _kernel.Loop
    arguments: list[ast.expr]
    outputs: list[str]
    has_parallel: bool
    otherwise: _Called | None = None
    for_gpus: bool = False
    is_reported: bool = True


class HostFunction:
    """A function, rewritten; `run` calls it, and `loops` are its compiled loops."""

    def __init__(self, function: FunctionType, options: dict) -> None:
        tree, offset, self.file, self._first, self._lines = _kernel._source.function_tree(function)
        self._function, self._options = function, options
        self._reorders = bool({"fast", "reassoc"} & set(options["fastmath"]))
        self.loops: list[_kernel.Loop] = []
        self._helpers: dict[str, object] = {}
        for each in nodes_of(tree) if offset else ():
            if hasattr(each, "lineno"):
                each.lineno += offset  # type: ignore[attr-defined]
                each.end_lineno += offset  # type: ignore[attr-defined]
        self._tree = tree
        arguments = self._tree.args
        for each in nodes_of(arguments):
            if isinstance(each, ast.arg):
                each.annotation = None
        self._parameters = frozenset(each.arg for each in nodes_of(arguments) if isinstance(each, ast.arg))
        constants = LocalConstants(
            self._tree, function, self._parameters, options, (self.file, self._first, self._lines)
        )
        self._constants, self._scope = constants.values, constants.scope
        hoist_argument_tests(self._tree, self._parameters)
        self._check(self._tree)
        self.locals = self._parameters | assigned(self._tree.body)
        if exchange_copied_arrays(self._tree, self) | unroll_swaps(self._tree, self):
            self.locals = self._parameters | assigned(self._tree.body)
        self._nonlocal = frozenset(
            each for node in nodes_of(self._tree) if isinstance(node, ast.Nonlocal) for each in node.names
        )
        self._captured = captured(self._tree.body)
        self._liveness = Liveness()
        self._liveness.analyse(self._tree)
        self._iterating: Liveness | None = None
        self._read_later: frozenset[str] | None = None
        # Functions in it refer to its own variables, not to those of the function that continues it.
        self._keeps_variables = bool(
            self._nonlocal
            or any(kinds(s) & _SCOPES for s in self._tree.body)
            or _READING_VARIABLES & names([self._tree])
        )
        self._nests: dict[ast.For, tuple[loops.Nest, list[_Reduction]]] = {}  # of parallel loops that were checked
        self._called: dict[int, list[ast.stmt]] = {}  # calls of loops, by the numbers of the function's statements
        self._continuations: dict[tuple[int, frozenset[str]], FunctionType] = {}
        self.run = self._make()

    def dead_at(self, node: ast.Assign) -> list[str]:
        """The variables whose last use is in the value that the statement assigns to a slice.

        Without them, `a[:] = f(x)` need not compute the elements of a pending `x` for other uses.
        """
        target = node.targets[0]
        is_slice = isinstance(target, ast.Subscript) and ast.Slice in kinds(target.slice)
        if len(node.targets) > 1 or not is_slice or isinstance(node.value, ast.Name | ast.Constant):
            return []
        if self._read_later is None:
            self._read_later = self._parameters | self._nonlocal | self._captured
            if _READING_VARIABLES & names([self._tree]):
                self._read_later |= self.locals
        found = names([node.value]) & self.locals
        return sorted(found - self._liveness.after_stores[node] - names([target]) - self._read_later)

    def look_up(self, node: ast.expr) -> object:
        """The object that an expression of constants and outer names refers to; `_Missing` if there is none."""
        match node:
            case ast.Name(id=title) if title in self._constants:
                return self._constants[title]
            case ast.Name(id=title) if title not in self.locals:
                return name_outside(self._function, title, _Missing)
            case ast.Attribute(value=value, attr=title):
                owner = self.look_up(value)
                return _Missing if owner is _Missing else getattr(owner, title, _Missing)
        return _Missing

    def helper(self, kind: str, value: object) -> ast.Name:
        """A new name that refers to the value in the rewritten function."""
        title = f"#{kind} {len(self._helpers)}"
        self._helpers[title] = value
        return loops.name(title)

    def is_parallel(self, node: ast.AST) -> bool:
        """Whether a statement is a loop over prange."""
        if not isinstance(node, ast.For) or not isinstance(node.iter, ast.Call) or node.iter.keywords:
            return False
        return 1 <= len(node.iter.args) <= 3 and is_prange(self.look_up(node.iter.func))

    def is_range(self, node: ast.expr) -> bool:
        """Whether an expression is a call of range or prange."""
        if not isinstance(node, ast.Call):
            return False
        callee = self.look_up(node.func)
        return callee is range or is_prange(callee)

    def fail(self, node: ast.stmt | ast.expr, message: str):
        """Raise an UnsupportedError at a place in the source."""
        number = node.lineno - self._first
        line = self._lines[number] if 0 <= number < len(self._lines) else ""
        text = f"{self.file}:{node.lineno}: {message}"
        if line:
            text += f"\n    {line.strip()}\n    {' ' * (node.col_offset - len(line) + len(line.lstrip()))}^"
        error = with_numba_base(UnsupportedError)(text)
        error.filename, error.lineno, error.offset = self.file, node.lineno, node.col_offset + 1  # type: ignore
        raise error

    def _check(self, tree: ast.FunctionDef) -> None:
        if not kinds(tree) & _REFUSED.keys():
            return
        for each in nodes_of(tree):
            what = _REFUSED.get(type(each))
            if what:
                self.fail(each, f"dpjit functions do not support {what}")  # type: ignore[arg-type]

    def _make(self) -> FunctionType:
        given = copy.copy(self._tree.args)
        given.defaults = [ast.Constant(None) for _ in given.defaults]
        given.kw_defaults = [each and ast.Constant(None) for each in given.kw_defaults]
        return self._compiled(self._statements(0), given)

    def _statements(self, first: int) -> list[ast.stmt]:
        """The rewritten statements of the function from one of them on.

        Where a loop cannot be compiled, the function goes on with statements that are made then.
        """
        body = self._tree.body
        made: list[ast.stmt] = []
        for number in range(first, len(body)):
            s = body[number]
            called = self._loop_with_continuation(number) if isinstance(s, ast.For | ast.While) else None
            made += called or HostStatements(self).block([s])
        return made

    def _loop_with_continuation(self, number: int) -> list[ast.stmt] | None:
        """The call of a loop's kernel, and a return of the continuation's result where it cannot be compiled.

        None if the loop has no kernel, or if the function cannot be continued by another one.
        """
        loop = self._tree.body[number]
        called = None if self._keeps_variables else self.compiled_loop(loop)
        if called is None:
            return None
        self._check_parallel_loops(loop)
        branch = called[-1]
        assert isinstance(branch, ast.If)
        self._called[number] = called

        def go_on(variables: dict[str, object]) -> object:
            key = number, self._containers(variables, loop)
            if key not in self._continuations:
                self._continuations[key] = self._continuation(*key)
            return self._continuations[key](variables)

        # The function keeps no references to the values, which may be of arrays that are used for the last time.
        leave = [
            loops.assign(_VARIABLES, ast.Call(self.helper("locals", locals), [], [])),
            *loops.assign_none(sorted(self.locals)),
            ast.Return(ast.Call(self.helper("go on", go_on), [loops.name(_VARIABLES)], [])),
        ]
        left = ast.If(branch.test, [branch.body[0], *leave], branch.orelse)
        return [*called[:-1], loops.locate(left, loop)]

    def _containers(self, variables: dict[str, object], loop: ast.stmt) -> frozenset[str]:
        """The variables whose values are lists, strings and the like, which kernels refuse, and the loop keeps."""
        kept = self.locals - assigned([loop])
        return frozenset(each for each, value in variables.items() if type(value) in _REFUSED_TYPES and each in kept)

    def _continuation(self, number: int, containers: frozenset[str]) -> FunctionType:
        """A function of the variables that executes a loop by Python, and then the rest of the function.

        Loops in it that use the containers are not compiled.
        """
        loop = self._tree.body[number]
        taken = self._taken(loop, self.locals)
        branch = self._called[number][-1]
        assert isinstance(branch, ast.If)
        rest = HostStatements(self, containers=containers).without_kernel(loop)
        after = branch.body[2:]  # behind the warning and the loop's place
        return self._compiled([*taken, rest, *after, *self._statements(number + 1)], _OF_VARIABLES)

    def deferred(self, loop: ast.For | ast.While) -> list[ast.stmt] | None:
        """Statements by which Python executes a loop in a function, which is made when they first run.

        None if the function's variables are used in other ways than by their names, or if the loop returns.
        """
        if self._keeps_variables or loops.may_return(loop):
            return None
        self._check_parallel_loops(loop)
        made: dict[frozenset[str], FunctionType] = {}

        def execute(variables: dict[str, object]) -> object:
            containers = self._containers(variables, loop)
            if containers not in made:
                leave = ast.Return(ast.Call(self.helper("locals", locals), [], []))
                given = self._taken(loop, self.locals & (names([loop]) | assigned([loop])))
                body = [*given, HostStatements(self, containers=containers).without_kernel(loop)]
                made[containers] = self._compiled([*body, loops.locate(leave, loop)], _OF_VARIABLES)
            return made[containers](variables)

        variables = ast.Call(self.helper("locals", locals), [], [])
        call = loops.assign(_VARIABLES, ast.Call(self.helper("execute", execute), [variables], []))
        return [loops.locate(call, loop), *self._taken(loop, assigned([loop]) & self._liveness.after[loop])]

    def uses(self, loop: ast.stmt, variables: frozenset[str]) -> bool:
        """Whether a loop uses the values that some variables have before it, or iterates over a constant string."""
        if isinstance(loop, ast.For) and isinstance(loop.iter, ast.Constant):
            return True
        return bool(self._liveness.before[loop] & names([loop]) & variables)

    def _taken(self, loop: ast.stmt, variables: frozenset[str]) -> list[ast.stmt]:
        """Statements that assign variables from a dictionary, which a function with the loop was given or returned."""
        # A variable that is certain to have a value may be missing: a compiled loop does not return variables that are
        # not read later. Only those that are also read in the loop, or after it, are taken without a test.
        certain = self._liveness.certain[loop] & self._liveness.before[loop]
        taken: list[ast.stmt] = []
        for each in sorted(variables):
            key = ast.Constant(each)
            take: ast.stmt = loops.assign(each, ast.Subscript(loops.name(_VARIABLES), key, ast.Load()))
            if each not in certain:
                take = ast.If(ast.Compare(key, [ast.In()], [loops.name(_VARIABLES)]), [take], [])
            taken.append(take)
        taken.append(ast.Expr(ast.Call(ast.Attribute(loops.name(_VARIABLES), "clear", ast.Load()), [], [])))
        return [loops.locate(each, loop) for each in taken]

    def _check_parallel_loops(self, loop: ast.For | ast.While) -> None:
        """Raise the errors of the parallel loops in a loop, which are compiled later or as a part of it."""
        within = self._checked_nest(loop)[0].body if self.is_parallel(loop) else [*loop.body, *loop.orelse]
        for each in (each for s in within for each in loops_in(s)):
            if self.is_parallel(each):
                self._checked_nest(each)

    def _compiled(self, body: list[ast.stmt], given: ast.arguments) -> FunctionType:
        """A function of these statements in place of the function's own."""
        function = self._function
        tree = copy.copy(self._tree)
        tree.args, tree.body = given, body
        tree.name = "#function"  # by its own name, a function that calls itself must find the decorated function
        tree.decorator_list, tree.returns = [], None
        # The names of the helpers and of the closure are those of an enclosing function.
        free = function.__code__.co_freevars
        arguments = ast.arguments([], [ast.arg(each) for each in [*self._helpers, *free]], None, [], [], None, [])
        outer = ast.FunctionDef("#outer", arguments, [tree], [], None)
        ast.copy_location(outer, tree)
        if any(Labelled in kinds(s) for s in body):
            raise with_numba_base(UnsupportedError)(
                f"dpjit: Python would execute a loop of '{function.__name__}', whose source is not to be found "
                f"({self.file}), for example since exec or a pipe gave it: define the function in a file or a notebook"
            )
        module = loops.locate(ast.Module([outer], []), self._tree)
        compiled = compile(module, self.file, "exec", dont_inherit=True)
        code = _code_named(_code_named(compiled, "#outer"), tree.name).replace(co_name=function.__name__)
        cells = dict(zip(free, function.__closure__ or (), strict=True))
        cells |= {title: CellType(value) for title, value in self._helpers.items()}
        closure = tuple(cells[each] for each in code.co_freevars)
        made = FunctionType(code, function.__globals__, function.__name__, None, closure)
        if given.defaults or given.kw_defaults:
            made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
        made.__qualname__ = function.__qualname__
        return made

    def compiled_loop(self, loop: ast.For | ast.While, is_guarded: bool = False) -> list[ast.stmt] | None:
        """The statements that call a loop's kernel, with the loop as it is; None if it cannot be compiled.

        `is_guarded`: the function may go on after an exception in the loop.
        """
        changed = assigned([loop])
        if changed & self._nonlocal or self._launches_kernels(loop) or _has_statements_of_host(loop):
            return None
        if leaves_outer_loop(loop):
            return None
        is_in_order = not self.is_parallel(loop)  # the sums of others have no defined values after an exception
        if is_guarded and is_in_order and changed & self._liveness.after[loop] and self._may_raise(loop):
            return None  # kernels return their variables at their ends
        nest, reductions = self._checked_nest(loop) if self.is_parallel(loop) else (None, [])
        inner = [] if nest else [each for each in loops_in(loop) if self.is_parallel(each)]
        if any(self._carried(self._nest_of(each), self._liveness.certain[each]) for each in inner):
            return None  # sums in order would differ in rounding from those of the parallel loops
        outputs = [variable for variable, _, _ in reductions] if nest else sorted(changed & self._read_after(loop))
        inputs = self._inputs(loop, nest)
        if not nest and loops.may_return(loop):
            outputs = [*outputs, loops.RETURNED]
            if _returns_value(loop):
                outputs.append(loops.RESULT)
        dimensions = len(nest.ranges) if nest else 0
        has_parallel = bool(inner)

        def trees() -> dict[str, tuple]:  # called by the first call of the loop
            return self._trees(loop, nest, inputs, bool(reductions))

        options = self._options | {"raises": bool(kinds(loop) & {ast.Raise, ast.Assert})}
        if nest and reductions and has_chains(nest.body, self._reorders, self.look_up):
            options["vectorises_items"] = True
        if not outputs or not nest:
            options["for_gpus"] = lambda: self._forms_for_gpus(loop, nest, inputs, bool(outputs))
        reduced = not nest and not inner and self._only_reduces(loop, outputs)
        if reduced:
            options["reduces"] = True
        made = _kernel.Loop(self._scope, trees, dimensions, has_parallel, reductions, outputs, options)
        self.loops.append(made)
        private = nest.read_first().difference(outputs) if nest else NONE
        called = _Called(made, self._arguments(loop, nest, inputs, private), outputs, has_parallel)
        if isinstance(loop, ast.For):
            if nest:
                called.otherwise = self._with_scratch(loop, reductions, outputs, private, options)
            elif reduced:
                called.otherwise = self._as_reduction(loop, inputs, outputs, options)
        return self._call(loop, called)

    def _checked_nest(self, loop: ast.For) -> tuple[loops.Nest, list[_Reduction]]:
        """The nest of a parallel loop and its reductions. Raises the errors of the loop, and marks shared updates."""
        if loop in self._nests:
            return self._nests[loop]
        nest = self._nest_of(loop)
        if ast.NamedExpr in kinds(loop):
            self.fail(loop, "assignment expressions (:=) are not supported in prange: write an assignment before")
        reductions = self._reductions(loop, nest)
        reduced = [variable for variable, _, _ in reductions]
        for each in sorted(assigned([loop]) & self._liveness.after[loop]):
            if each not in reduced and not self._is_of_inner_loop(each, loop):
                self.fail(
                    loop,
                    f"'{each}' is assigned by the iterations of prange, which run in any order, and "
                    "read after the loop: store it in an array, or reduce it with + or min",
                )
        mark_shared_updates(nest, self.is_range, self.look_up)
        self._nests[loop] = nest, reductions
        return nest, reductions

    def _inputs(self, loop: ast.stmt, nest: loops.Nest | None) -> list[str]:
        """The variables that a loop reads, and arrays outside of the function."""
        mentioned = names([loop]) | assigned([loop])
        variables = self.locals - (self._constants.keys() & self._liveness.certain[loop])
        found = (self._liveness.before[loop] & variables & mentioned) | self._arrays_outside(loop)
        return sorted(found - self._only_in_bounds(loop, nest) if nest else found)

    def _only_reduces(self, loop: ast.stmt, outputs: list[str]) -> bool:
        """Whether a loop that is not parallel computes sums and other reductions only, which may be reordered."""
        if not self._reorders or not outputs or not changes_only_variables(loop, self):
            return False
        found = independence_of(loop, self.live_after, self.look_up)
        return bool(found and not found.keys and {*outputs} <= {variable for variable, _ in found.reductions})

    def _as_reduction(self, loop: ast.For, inputs: list[str], outputs: list[str], options) -> _Called:
        """The call of a loop that only reduces as if it were parallel, for GPUs."""
        nest = loops.Nest([loop.target], [loops.bounds_of(loop.iter)], loop.body)  # type: ignore[arg-type]
        reductions = self._reductions(loop, nest)
        options = {title: value for title, value in options.items() if title not in ("for_gpus", "reduces")}
        options["only_on_gpus"] = True

        def trees() -> dict[str, tuple]:
            return self._trees(loop, nest, inputs, True)

        made = _kernel.Loop(self._scope, trees, 1, False, reductions, outputs, options)
        self.loops.append(made)
        private = nest.read_first().difference(variable for variable, _, _ in reductions)
        return _Called(made, self._arguments(loop, nest, inputs, private), outputs, False, for_gpus=True)

    def _with_scratch(self, loop: ast.For, reductions, outputs: list[str], private, options) -> _Called | None:
        """The call of a loop whose iterations create arrays of variable size; None if they do not."""
        nest = loops.Nest([loop.target], [loops.bounds_of(loop.iter)], loop.body)  # type: ignore[arg-type]
        varying = (assigned([loop]) | self.locals) - (self._liveness.certain[loop] - assigned([loop]))
        arrays = ScratchArrays(loop, varying, self.look_up, self.is_parallel, self.helper)
        if not arrays.given:
            return None
        inputs = self._inputs(loop, nest)
        nest.body = arrays.body

        def trees() -> dict[str, tuple]:
            return self._trees(loop, nest, [*inputs, *arrays.parameters], True)

        options = {title: value for title, value in options.items() if title != "for_gpus"}
        options["scratch"] = arrays.parameters
        made = _kernel.Loop(self._scope, trees, 1, False, reductions, outputs, options)
        self.loops.append(made)
        given = [*self._arguments(loop, nest, inputs, private), *arrays.given]
        return _Called(made, given, outputs, False, is_reported=not arrays.has_samples)

    def _read_after(self, loop: ast.stmt) -> frozenset[str]:
        """The variables that are read after a loop, by the functions and generators in this function, too."""
        return self._liveness.after[loop] | (self._captured & self.locals)

    def _may_raise(self, loop: ast.stmt) -> bool:
        """Whether a loop has statements that raise exceptions, slices, or calls of functions of the program."""
        if kinds(loop) & {ast.Raise, ast.Assert, ast.Slice} or os.environ.get("DPEP_CHECK", "0") not in ("", "0"):
            return True
        return any(isinstance(self.look_up(each.func), _kernel.Function | FunctionType) for each in calls(loop))

    def _launches_kernels(self, loop: ast.stmt) -> bool:
        return any(self.look_up(each.func) in _LAUNCHES for each in calls(loop))

    def _nest_of(self, loop: ast.For) -> loops.Nest:
        if loop.orelse:
            self.fail(loop, "a loop over prange has no else, since its iterations run in any order")
        nest = loops.Nest([loop.target], [loops.bounds_of(loop.iter)], loop.body)
        if any(isinstance(each, ast.Starred) for each in loop.iter.args):  # type: ignore[attr-defined]
            self.fail(loop, "prange takes one to three numbers, and no *arguments")
        self._check_exits(loop)
        while len(nest.ranges) < _MOST_DIMENSIONS and len(nest.body) == 1 and self.is_parallel(nest.body[0]):
            inner = nest.body[0]
            assert isinstance(inner, ast.For) and isinstance(inner.iter, ast.Call)
            changed = assigned([loop])
            if inner.orelse or names(inner.iter.args) & changed:
                break
            self._check_exits(inner)
            nest = loops.Nest([*nest.targets, inner.target], [*nest.ranges, loops.bounds_of(inner.iter)], inner.body)
        if len(nest.ranges) > 1 and self._carried(nest, self._liveness.certain[loop]):
            return loops.Nest([loop.target], [loops.bounds_of(loop.iter)], loop.body)
        return nest

    def _check_exits(self, loop: ast.For) -> None:
        """Refuse statements that leave a parallel loop early."""

        def visit(statements: list[ast.stmt], inner: bool) -> None:
            for s in statements:
                if isinstance(s, ast.Return) or (isinstance(s, ast.Break) and not inner):
                    what = "return" if isinstance(s, ast.Return) else "break"
                    self.fail(
                        s, f"{what} cannot leave a loop over prange, whose iterations run in any order: use range"
                    )
                within = inner or isinstance(s, ast.For | ast.While)
                visit(getattr(s, "body", []), within)
                visit(getattr(s, "orelse", []), within if not isinstance(s, ast.For | ast.While) else inner)

        visit(loop.body, False)

    def _carried(self, nest: loops.Nest, certain: frozenset[str]) -> list[str]:
        """The variables whose values an iteration takes from an earlier one.

        A variable that an inner loop assigns is private, although the inner loop may have no iterations, unless it is
        `certain` to have a value before the parallel loop.
        """
        return sorted(nest.read_first() & (certain | nest.read_first(iterates=True)))

    def _is_of_inner_loop(self, variable: str, loop: ast.For) -> bool:
        """Whether only `loop` assigns a variable, and only its next run reads it, where an inner loop does not run."""
        if self._iterating is None:
            self._iterating = Liveness(iterates=True)
            self._iterating.analyse(self._tree)
        return variable not in self._iterating.after[loop] and (
            _assignments(self._tree, variable) == _assignments(loop, variable)
        )

    def _reductions(self, loop: ast.For, nest: loops.Nest) -> list[_Reduction]:
        found = []
        for variable in self._carried(nest, self._liveness.certain[loop]):
            operation = reduction_of(variable, nest.body, self.look_up)
            if operation is None:
                self.fail(
                    loop,
                    f"'{variable}' is carried from one iteration of prange to the next, and is not a "
                    "reduction: iterations may only add to it (+ - * & | ^ min max and or), by one of these "
                    "operations",
                )
            in_place = changes_in_place(variable, nest.body)
            of_arrays = None if in_place is None else ArrayReduction(operation, in_place)
            found.append((variable, operation, of_arrays))
        return found

    def _only_in_bounds(self, loop: ast.stmt, nest: loops.Nest) -> frozenset[str]:
        bounds = names([part for bounds in nest.ranges for part in bounds])
        return bounds - names(nest.body) - assigned([loop])

    def _arrays_outside(self, loop: ast.stmt) -> frozenset[str]:
        """Arrays that are global or captured: they are passed like the function's own variables."""
        outside = names([loop]) - self.locals
        return frozenset(
            each for each in outside if hasattr(self.look_up(loops.name(each)), "__sycl_usm_array_interface__")
        )

    def _trees(self, loop, nest, inputs: list[str], reduces: bool) -> dict[str, tuple]:
        title = f"{self._function.__name__}_line_{loop.lineno}"

        def tree(form: str, body: list[ast.stmt]) -> tuple:
            body = without_branches(body, loop, self._liveness.certain.get(loop, NONE))
            function = loops.kernel(title, [*loops.parameters_of(form, nest), *inputs], body, loop)
            return function, 0, self.file, self._first, self._lines

        if nest is None:
            return {"none": tree("none", loops.sequential(loop))}
        trees = {}
        if reduces or (len(nest.ranges) == 1 and loops.runs_along_rows(nest, self.is_range, self._reorders)):
            trees["chunks"] = tree("chunks", loops.by_chunks(nest, reduces))
        if reduces:
            trees["strides"] = tree("strides", loops.by_strides(nest))
        else:
            trees["items"] = tree("items", loops.by_items(nest))
        return trees

    def live_after(self, loop: ast.For) -> frozenset[str]:
        """The variables that are read after a loop."""
        return self._liveness.after[loop]

    def _forms_for_gpus(self, loop, nest: loops.Nest | None, inputs: list[str], has_outputs: bool = False) -> dict:
        """How GPUs execute a loop, if not as CPUs: its forms, in order of preference, with what they require.

        `by_python`: whether Python had better execute the loop, which has none.
        """
        title = f"{self._function.__name__}_line_{loop.lineno}"
        found = forms_for_gpus(loop, nest, self, has_outputs)
        forms = []
        for form in found:
            parameters = [*loops.parameters_of(form.name, nest), *inputs]
            function = loops.kernel(title, parameters, form.statements, loop)
            forms.append(form.described((function, 0, self.file, self._first, self._lines), self._reorders))
        return {"forms": forms, "by_python": nest is None and is_for_python(loop, found, self)}

    def _arguments(self, loop: ast.stmt, nest: loops.Nest | None, inputs: list[str], private=NONE) -> list[ast.expr]:
        """The expressions of the arguments of a loop's call. Of `private` variables, each iteration has its own."""
        given: list[ast.expr] = [loops.clone(part) for bounds in (nest.ranges if nest else []) for part in bounds]
        certain = self._liveness.certain[loop]
        for each in inputs:
            if each in private:
                given.append(ast.Constant(...))
            elif each in certain or each not in self.locals:
                given.append(loops.name(each))
            else:  # may have no value yet
                variables = ast.Call(self.helper("locals", locals), [], [])
                of_name = [ast.Constant(each), ast.Constant(...)]
                given.append(ast.Call(ast.Attribute(variables, "get", ast.Load()), of_name, []))
        return given

    def _call(self, loop: ast.For | ast.While, called: _Called) -> list[ast.stmt]:
        made, outputs = called.loop, called.outputs
        kernels = [(self.helper("loop", made.run), called.arguments)]
        if called.otherwise:
            kernels.append((self.helper("loop", called.otherwise.loop.run), called.otherwise.arguments))
            if called.otherwise.for_gpus:
                kernels.append((self.helper("loop", made.run_in_order), called.arguments))
            elif called.otherwise.is_reported:
                made = called.otherwise.loop
        arguments: list[ast.expr] = [self.helper("refused", made), ast.Constant(self.file), ast.Constant(loop.lineno)]
        warning = ast.Expr(ast.Call(self.helper("warn", warn_of_refusal), arguments, []))
        timing = [ast.Expr(ast.Call(self.helper("finished", made.finished), [], []))] if called.has_parallel else []
        taken: list[ast.stmt] = []
        if outputs:
            # A variable that may have no value is assigned only if the loop assigned it: otherwise the output is None.
            # A loop that does not take the variable assigns it in any case.
            uncertain = self.locals - self._liveness.certain[loop]
            optional = [each for each in outputs if each in uncertain and each in self._liveness.before[loop]]
            titles = [f"#new {each}" if each in optional else each for each in outputs]
            targets = ast.Tuple([ast.Name(each, ast.Store()) for each in titles], ast.Store())
            taken.append(ast.Assign([targets], loops.name(_OUTPUTS)))
            for each in optional:
                value = loops.name(f"#new {each}")
                is_set = ast.Compare(value, [ast.IsNot()], [ast.Constant(None)])
                taken.append(ast.If(is_set, [loops.assign(each, value)], []))
        if loops.RETURNED in outputs:
            leave: list[ast.stmt] = [ast.Return(None)]
            if loops.RESULT in outputs:
                has_value = ast.Compare(loops.name(loops.RETURNED), [ast.Eq()], [ast.Constant(loops.WITH_VALUE)])
                leave.insert(0, ast.If(has_value, [ast.Return(loops.name(loops.RESULT))], []))
            taken.append(ast.If(loops.name(loops.RETURNED), leave, []))
        refused = ast.Compare(loops.name(_OUTPUTS), [ast.Is()], [ast.Constant(None)])
        attempts: list[ast.stmt] = [loops.assign(_OUTPUTS, ast.Call(kernel, given, [])) for kernel, given in kernels]
        attempts[1:] = [ast.If(refused, [each], []) for each in attempts[1:]]
        # The loop itself takes the place of `pass`.
        statements = [*attempts, ast.If(refused, [warning, ast.Pass(), *timing], taken)]
        return [loops.locate(each, loop) for each in statements]


def _has_statements_of_host(loop: ast.stmt) -> bool:
    """Whether a loop contains a node of a class in `_OF_HOST`."""
    return bool(_OF_HOST & kinds(loop))


def _assignments(node: ast.AST, variable: str) -> int:
    """The number of places in a node that give a variable a value."""
    return sum(
        isinstance(each, ast.Name) and each.id == variable and isinstance(each.ctx, ast.Store)
        for each in nodes_of(node)
    ) + sum(isinstance(each, ast.arg) and each.arg == variable for each in nodes_of(node))


def _returns_value(loop: ast.stmt) -> bool:
    return any(map(loops.returns_value, nodes_of(loop)))


def _code_named(code: CodeType, title: str) -> CodeType:
    return next(each for each in code.co_consts if isinstance(each, CodeType) and each.co_name == title)
