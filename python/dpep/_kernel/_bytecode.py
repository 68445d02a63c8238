"""Decompiler of functions without source code, such as those defined by `exec`, from a pipe or at a plain prompt.

The result is an equivalent syntax tree, not the original one. This module converts the instructions of a basic block to
expressions and statements, by symbolic execution on a stack. `_blocks` converts the control flow.
"""

from __future__ import annotations

import ast
import dis
import sys
from types import CodeType, FunctionType

from dpep._kernel._blocks import JUMPS, Block, Graph


class _Null:
    """The NULL of the call protocol, which is on the stack before or after the called function."""


class _Iterator:
    """The iterator of a `for` loop, which is on the stack during the loop."""

    def __init__(self, iterable: ast.expr) -> None:
        self.iterable = iterable


_NULL_BEFORE, _NULL_BEHIND = _Null(), _Null()
_OPERATORS = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "//": ast.FloorDiv, "%": ast.Mod, "**": ast.Pow,
    "<<": ast.LShift, ">>": ast.RShift, "&": ast.BitAnd, "|": ast.BitOr, "^": ast.BitXor, "@": ast.MatMult,
}  # fmt: skip
_COMPARISONS = {"<": ast.Lt, "<=": ast.LtE, "==": ast.Eq, "!=": ast.NotEq, ">": ast.Gt, ">=": ast.GtE}
_UNARY = {"UNARY_NEGATIVE": ast.USub, "UNARY_NOT": ast.Not, "UNARY_INVERT": ast.Invert, "UNARY_POSITIVE": ast.UAdd}
_NOTHING = frozenset(["RESUME", "NOP", "PRECALL", "COPY_FREE_VARS", "END_FOR", "TO_BOOL", "MAKE_CELL", "NOT_TAKEN"])
_WORDS = {  # names of unsupported instructions, for messages
    "MAKE_FUNCTION": "a function or comprehension inside", "BUILD_MAP": "a dictionary", "BUILD_SET": "a set",
    "BUILD_STRING": "an f-string", "FORMAT_VALUE": "an f-string", "FORMAT_SIMPLE": "an f-string",
    "SETUP_ANNOTATIONS": "annotations", "IMPORT_NAME": "an import", "STORE_GLOBAL": "an assignment to a global",
    "STORE_DEREF": "an assignment to a captured variable", "YIELD_VALUE": "yield", "BEFORE_WITH": "with",
    "LOAD_BUILD_CLASS": "a class", "DELETE_FAST": "del", "STORE_ATTR": "an assignment to an attribute",
}  # fmt: skip


class CannotRead(Exception):
    """Raised for byte code that cannot be decompiled."""


def read_back(function: FunctionType) -> ast.FunctionDef:
    """Return the function's syntax tree. Raises CannotRead."""
    code = function.__code__
    if code.co_flags & (0x20 | 0x80 | 0x200):  # generators and coroutines, which have exception tables from 3.12 on
        raise CannotRead("it is a generator or a coroutine")
    if code.co_exceptiontable:
        raise CannotRead("it has try, with, or a comprehension")
    return _Reader(code).function()


def _names_in(node: ast.expr) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _has_slice(node: ast.expr) -> bool:
    """Whether an index is a slice or a tuple with one, which cannot be the value of a variable."""
    return isinstance(node, ast.Slice) or (isinstance(node, ast.Tuple) and any(map(_has_slice, node.elts)))


def _is_constant(node: ast.expr, local: frozenset[str]) -> bool:
    """Whether all evaluations give the same value: it contains no local variable and no element."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Name):
        return node.id not in local
    if isinstance(node, ast.Tuple):
        return all(_is_constant(each, local) for each in node.elts)
    if isinstance(node, ast.Attribute):  # attributes of arrays and items do not change
        return _is_constant(node.value, local) or isinstance(node.value, ast.Name)
    return isinstance(node, ast.Slice) and all(
        each is None or _is_constant(each, local) for each in (node.lower, node.upper, node.step)
    )


class _Reader:
    def __init__(self, code: CodeType) -> None:
        self._code = code
        self._graph = Graph(code)
        self._local = frozenset(code.co_varnames)
        self._at: dict[str, int] = {}
        self._stack: list = []
        self._block = self._graph.blocks[self._graph.order[0]]
        self._keywords: tuple[str, ...] = ()
        self._temporaries = 0

    def function(self) -> ast.FunctionDef:
        for start in self._graph.order:
            self._read_block(self._graph.blocks[start])
        body = self._graph.statements()
        code = self._code
        self._at = {"lineno": code.co_firstlineno, "col_offset": 0, "end_lineno": code.co_firstlineno,
                    "end_col_offset": 0}  # fmt: skip
        names = list(code.co_varnames)
        count, only = code.co_argcount, code.co_kwonlyargcount

        def parameters(some: list[str]) -> list[ast.arg]:
            return [ast.arg(name, None, None, **self._at) for name in some]

        rest = iter(names[count + only :])
        arguments = ast.arguments(
            posonlyargs=[],
            args=parameters(names[:count]),
            vararg=parameters([next(rest)])[0] if code.co_flags & 4 else None,
            kwonlyargs=parameters(names[count : count + only]),
            kw_defaults=[],
            kwarg=parameters([next(rest)])[0] if code.co_flags & 8 else None,
            defaults=[],
        )
        return ast.FunctionDef(code.co_name, arguments, body, [], None, **self._at)

    # --- a block's instructions

    def _read_block(self, block: Block) -> None:
        self._block = block
        self._stack = self._stack_at(block)
        for each in block.instructions:
            where = each.positions
            if where and where.lineno is not None:
                self._at = {"lineno": where.lineno, "col_offset": where.col_offset or 0,
                            "end_lineno": where.end_lineno or where.lineno,
                            "end_col_offset": where.end_col_offset or 0}  # fmt: skip
            self._read(each)
        if not block.out:
            block.out = [self._stack] * len(block.next)
        # Entries that are used after the block are evaluated in it.
        if any(block.out):
            self._keep_stacks(block)

    def _stack_at(self, block: Block) -> list:
        """The stack at the beginning of a block, which is equal for all its predecessors."""
        stacks = []
        for each in block.before:
            source = self._graph.blocks[each]
            if source.out:
                stacks += [source.out[k] for k, target in enumerate(source.next) if target == block.start]
        return list(stacks[0]) if stacks else []

    def _keep_stacks(self, block: Block) -> None:
        """Make the stacks of all predecessors of a merge block equal: each entry is a variable that all of them set."""
        kept = []
        known: dict[int, ast.expr] = {}  # an entry for both successors is evaluated once
        for target, stack in zip(block.next, block.out):
            mine = list(stack)
            for slot, entry in enumerate(stack):
                if not isinstance(entry, ast.expr) or self._is_called(stack, slot):
                    continue
                if id(entry) not in known:
                    known[id(entry)] = self._kept(entry)
                mine[slot] = known[id(entry)]
                if self._graph.is_merge(target) and not _has_slice(entry):
                    name = f".{target}.{slot}"
                    block.statements.append(self._assign(name, mine[slot]))
                    mine[slot] = self._name(name)
            kept.append(mine)
        block.out = kept

    def _kept(self, entry: ast.expr) -> ast.expr:
        """An expression with the value of the entry that later statements do not change."""
        if self._stays(entry):
            return entry
        if isinstance(entry, ast.Slice):
            bounds = (entry.lower, entry.upper, entry.step)
            return ast.Slice(*(None if bound is None else self._kept(bound) for bound in bounds), **self._at)
        if isinstance(entry, ast.Tuple) and _has_slice(entry):
            return ast.Tuple([self._kept(each) for each in entry.elts], ast.Load(), **self._at)
        self._temporaries += 1
        name = f".kept.{self._temporaries}"
        self._block.statements.append(self._assign(name, entry))
        return self._name(name)

    def _stays(self, entry: ast.expr) -> bool:
        return _is_constant(entry, self._local) or (isinstance(entry, ast.Name) and entry.id.startswith("."))

    @staticmethod
    def _is_called(stack: list, slot: int) -> bool:
        """Whether an entry is the function of a call, which cannot be a variable: methods are not values in kernels."""
        return (slot > 0 and stack[slot - 1] is _NULL_BEFORE) or stack[slot + 1 : slot + 2] == [_NULL_BEHIND]

    def _assign(self, name: str, value: ast.expr) -> ast.stmt:
        return ast.Assign([self._name(name, ast.Store())], value, **self._at)

    def _name(self, name: str, context: ast.expr_context | None = None) -> ast.Name:
        return ast.Name(name, context or ast.Load(), **self._at)

    def _emit(self, statement: ast.stmt, stored: str | None = None) -> None:
        """Add a statement, after the evaluation of stack entries whose value it may change."""
        for slot, entry in enumerate(self._stack):
            if not isinstance(entry, ast.expr) or self._stays(entry) or self._is_called(self._stack, slot):
                continue
            if stored is not None and stored not in _names_in(entry):
                continue
            self._stack[slot] = self._kept(entry)
        self._block.statements.append(statement)

    def _pop(self, count: int) -> list:
        if count == 0:
            return []
        taken = self._stack[-count:]
        del self._stack[-count:]
        return taken

    def _push(self, entry) -> None:
        self._stack.append(entry)

    def _constant(self, x: object) -> ast.expr:
        if isinstance(x, tuple):
            return ast.Tuple([self._constant(each) for each in x], ast.Load(), **self._at)
        if isinstance(x, slice):
            parts = [None if each is None else self._constant(each) for each in (x.start, x.stop, x.step)]
            return ast.Slice(*parts, **self._at)
        return ast.Constant(x, **self._at)

    def _compare(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.expr:
        return ast.Compare(left, [operator], [right], **self._at)

    def _subscript(self, of: ast.expr, index: ast.expr, context: ast.expr_context) -> ast.expr:
        return ast.Subscript(of, index, context, **self._at)

    def _store_element(self, value: ast.expr, of: ast.expr, index: ast.expr) -> None:
        target = self._subscript(of, index, ast.Store())
        updates = (
            getattr(value, "updates", False)
            and isinstance(value.left, ast.Subscript)
            and ast.dump(value.left.value) == ast.dump(of)
            and ast.dump(value.left.slice) == ast.dump(index)
        )
        if updates:
            self._emit(ast.AugAssign(target, value.op, value.right, **self._at))
        else:
            self._emit(ast.Assign([target], value, **self._at))

    def _store(self, name: str, value) -> None:
        self._emit(self._assign(name, value), stored=name)

    def _unpack(self, count: int) -> None:
        # the following stores pop the values, the first one from the top
        value = self._stack.pop()
        if isinstance(value, ast.Tuple) and len(value.elts) == count:
            self._stack.extend(reversed(value.elts))
            return
        self._temporaries += 1
        name = f".unpacked.{self._temporaries}."
        self._emit(self._assign(name, value))
        targets = ast.Tuple([self._name(f"{name}{k}", ast.Store()) for k in range(count)], ast.Store(), **self._at)
        self._block.statements.append(ast.Assign([targets], self._name(name), **self._at))
        self._stack.extend(self._name(f"{name}{k}") for k in reversed(range(count)))

    def _copied(self, depth: int) -> None:
        entry = self._stack[-depth]
        if isinstance(entry, ast.expr) and not isinstance(entry, ast.Name):
            entry = self._stack[-depth] = self._kept(entry)
        self._push(entry)

    def _jump(self, condition: ast.expr, to: bool, on_jump: list | None = None, otherwise: list | None = None) -> None:
        """End the block with a jump, taken when the condition is `to`, with the stacks for both successors."""
        block = self._block
        block.test = condition if to else ast.UnaryOp(ast.Not(), condition, **self._at)
        block.out = [
            list(self._stack) if otherwise is None else otherwise,
            list(self._stack) if on_jump is None else on_jump,
        ]

    def _read(self, each: dis.Instruction) -> None:
        name = each.opname
        if name in _NOTHING or name in JUMPS:
            return
        method = getattr(self, f"_{name.lower()}", None)
        if method is not None:
            method(each)
        elif name in _UNARY:
            self._push(ast.UnaryOp(_UNARY[name](), self._stack.pop(), **self._at))
        elif name.startswith("POP_JUMP_"):
            self._pop_jump(name)
        elif name.startswith("LOAD_FAST"):
            names = each.argval if isinstance(each.argval, tuple) else (each.argval,)
            self._stack.extend(self._name(each) for each in names)
        else:
            raise CannotRead(f"it has {_WORDS.get(name, name)}")

    def _pop_jump(self, name: str) -> None:
        x = self._stack.pop()
        nothing = self._constant(None)
        if name.endswith("NOT_NONE"):
            self._jump(self._compare(x, ast.IsNot(), nothing), True)
        elif name.endswith("NONE"):
            self._jump(self._compare(x, ast.Is(), nothing), True)
        else:
            self._jump(x, name.endswith("TRUE"))

    def _load_const(self, each: dis.Instruction) -> None:
        if isinstance(each.argval, CodeType):
            raise CannotRead(f"it has {_WORDS['MAKE_FUNCTION']}")
        self._push(self._constant(each.argval))

    _load_small_int = _load_const

    def _load_global(self, each: dis.Instruction) -> None:
        is_behind = sys.version_info >= (3, 13)
        if each.arg & 1 and not is_behind:
            self._push(_NULL_BEFORE)
        self._push(self._name(each.argval))
        if each.arg & 1 and is_behind:
            self._push(_NULL_BEHIND)

    def _load_deref(self, each: dis.Instruction) -> None:
        self._push(self._name(each.argval))

    def _load_name(self, each: dis.Instruction) -> None:
        self._push(self._name(each.argval))

    def _push_null(self, each: dis.Instruction) -> None:
        self._push(_NULL_BEHIND if sys.version_info >= (3, 13) else _NULL_BEFORE)

    def _load_attr(self, each: dis.Instruction) -> None:
        is_method = sys.version_info >= (3, 12) and each.arg & 1
        self._push(ast.Attribute(self._stack.pop(), each.argval, ast.Load(), **self._at))
        if is_method:
            self._push(_NULL_BEHIND)

    def _load_method(self, each: dis.Instruction) -> None:
        self._push(ast.Attribute(self._stack.pop(), each.argval, ast.Load(), **self._at))
        self._push(_NULL_BEHIND)

    def _load_assertion_error(self, each: dis.Instruction) -> None:
        self._push(self._name("AssertionError"))

    def _load_common_constant(self, each: dis.Instruction) -> None:
        self._push(self._name(getattr(each.argval, "__name__", str(each.argval))))

    def _store_fast(self, each: dis.Instruction) -> None:
        self._store(each.argval, self._stack.pop())

    def _store_fast_store_fast(self, each: dis.Instruction) -> None:
        for name in each.argval:
            self._store(name, self._stack.pop())

    def _store_fast_load_fast(self, each: dis.Instruction) -> None:
        first, second = each.argval
        self._store(first, self._stack.pop())
        self._push(self._name(second))

    def _store_subscr(self, each: dis.Instruction) -> None:
        self._store_element(*self._pop(3))

    def _binary_subscr(self, each: dis.Instruction) -> None:
        of, index = self._pop(2)
        self._push(self._subscript(of, index, ast.Load()))

    def _build_slice(self, each: dis.Instruction) -> None:
        self._push(self._slice(*self._pop(each.arg)))

    def _slice(self, *bounds: ast.expr) -> ast.expr:
        parts = [None if isinstance(b, ast.Constant) and b.value is None else b for b in bounds]
        return ast.Slice(*parts, *[None] * (3 - len(parts)), **self._at)

    def _binary_slice(self, each: dis.Instruction) -> None:
        of, start, stop = self._pop(3)
        self._push(self._subscript(of, self._slice(start, stop), ast.Load()))

    def _store_slice(self, each: dis.Instruction) -> None:
        value, of, start, stop = self._pop(4)
        self._store_element(value, of, self._slice(start, stop))

    def _binary_op(self, each: dis.Instruction) -> None:
        left, right = self._pop(2)
        symbol = each.argrepr
        if symbol == "[]":
            self._push(self._subscript(left, right, ast.Load()))
            return
        updates = symbol.endswith("=")
        made = ast.BinOp(left, _OPERATORS[symbol[:-1] if updates else symbol](), right, **self._at)
        made.updates = updates  # the value of an augmented assignment
        self._push(made)

    def _compare_op(self, each: dis.Instruction) -> None:
        left, right = self._pop(2)
        shift = 0 if sys.version_info < (3, 12) else 4 if sys.version_info < (3, 13) else 5
        self._push(self._compare(left, _COMPARISONS[dis.cmp_op[each.arg >> shift]](), right))

    def _is_op(self, each: dis.Instruction) -> None:
        left, right = self._pop(2)
        self._push(self._compare(left, ast.IsNot() if each.arg else ast.Is(), right))

    def _contains_op(self, each: dis.Instruction) -> None:
        left, right = self._pop(2)
        self._push(self._compare(left, ast.NotIn() if each.arg else ast.In(), right))

    def _call_intrinsic_1(self, each: dis.Instruction) -> None:
        positive, list_to_tuple = 5, 6
        x = self._stack.pop()
        if each.arg == positive:
            self._push(ast.UnaryOp(ast.UAdd(), x, **self._at))
        elif each.arg == list_to_tuple:
            self._push(ast.Tuple(x.elts, ast.Load(), **self._at))
        else:
            raise CannotRead(f"it has {each.argrepr}")

    def _list_to_tuple(self, each: dis.Instruction) -> None:
        self._push(ast.Tuple(self._stack.pop().elts, ast.Load(), **self._at))

    def _build_tuple(self, each: dis.Instruction) -> None:
        self._push(ast.Tuple(self._pop(each.arg), ast.Load(), **self._at))

    def _build_list(self, each: dis.Instruction) -> None:
        self._push(ast.List(self._pop(each.arg), ast.Load(), **self._at))

    def _list_extend(self, each: dis.Instruction) -> None:
        more = self._stack.pop()
        into = self._stack[-each.arg]
        into.elts.extend(more.elts if isinstance(more, ast.Tuple) else [ast.Starred(more, ast.Load(), **self._at)])

    def _list_append(self, each: dis.Instruction) -> None:
        more = self._stack.pop()
        self._stack[-each.arg].elts.append(more)

    def _unpack_sequence(self, each: dis.Instruction) -> None:
        self._unpack(each.arg)

    def _swap(self, each: dis.Instruction) -> None:
        stack = self._stack
        stack[-1], stack[-each.arg] = stack[-each.arg], stack[-1]

    def _copy(self, each: dis.Instruction) -> None:
        self._copied(each.arg)

    def _pop_top(self, each: dis.Instruction) -> None:
        top = self._stack.pop()
        if isinstance(top, ast.expr) and not self._stays(top) and not isinstance(top, ast.Name):
            self._emit(ast.Expr(top, **self._at))

    def _kw_names(self, each: dis.Instruction) -> None:
        self._keywords = self._code.co_consts[each.arg]

    def _call(self, each: dis.Instruction) -> None:
        names, self._keywords = self._keywords, ()
        self._make_call(self._pop(each.arg), names)

    def _call_kw(self, each: dis.Instruction) -> None:
        names = tuple(name.value for name in self._stack.pop().elts)
        self._make_call(self._pop(each.arg), names)

    def _make_call(self, given: list[ast.expr], names: tuple[str, ...]) -> None:
        first, second = self._pop(2)
        function = second if first is _NULL_BEFORE else first
        if function is first and second is not _NULL_BEHIND:  # the call of AssertionError with a message
            given = [second, *given]
        count = len(given) - len(names)
        keywords = [ast.keyword(name, x, **self._at) for name, x in zip(names, given[count:])]
        self._push(ast.Call(function, given[:count], keywords, **self._at))

    def _call_function_ex(self, each: dis.Instruction) -> None:
        if each.arg & 1:
            raise CannotRead("it has a dictionary of keywords")
        given = self._stack.pop()
        all_of_it = given.elts if isinstance(given, ast.Tuple) else [ast.Starred(given, ast.Load(), **self._at)]
        self._make_call(all_of_it, ())

    def _get_iter(self, each: dis.Instruction) -> None:
        self._push(_Iterator(self._stack.pop()))

    def _for_iter(self, each: dis.Instruction) -> None:
        iterator = self._stack.pop()
        element = f".{self._block.start}.each"
        self._block.loop = ast.For(self._name(element, ast.Store()), iterator.iterable, [], [], **self._at)
        after = [*self._stack, iterator] if sys.version_info >= (3, 13) else list(self._stack)
        self._block.out = [[*self._stack, iterator, self._name(element)], after]

    def _jump_if_true_or_pop(self, each: dis.Instruction) -> None:
        self._jump_or_pop(True)

    def _jump_if_false_or_pop(self, each: dis.Instruction) -> None:
        self._jump_or_pop(False)

    def _jump_or_pop(self, to: bool) -> None:
        self._copied(1)
        x = self._stack.pop()
        self._jump(x, to, on_jump=list(self._stack), otherwise=self._stack[:-1])

    def _return_value(self, each: dis.Instruction) -> None:
        self._emit_return(self._stack.pop())

    def _return_const(self, each: dis.Instruction) -> None:
        self._emit_return(self._constant(each.argval))

    def _emit_return(self, value: ast.expr) -> None:
        nothing = isinstance(value, ast.Constant) and value.value is None
        self._emit(ast.Return(None if nothing else value, **self._at))

    def _raise_varargs(self, each: dis.Instruction) -> None:
        error = self._pop(each.arg)
        self._emit(ast.Raise(error[0] if error else None, None, **self._at))
