"""Sequential loops whose iterations swap two arrays, as in `for i in range(n): …; a, b = b, a`.

Compiled loops do not assign arrays to variables. Where a loop executes two iterations at a time, that is not needed:

    for i in range(start, stop, 2):
        the body, without the swap
        if i + 1 < stop:
            #next = i + 1
            the body for #next, with b in place of a, and a in place of b
    if an odd number of iterations was executed:
        a, b = b, a
"""

from __future__ import annotations

import ast
from collections import Counter

from dpep._kernel import forget_summaries, nodes_of

from numba_dpex.core.dpjit import loops
from numba_dpex.core.dpjit.copies_back import REFUSED, Host

_REFUSED = (
    *REFUSED,
    ast.Match,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.Slice,
    ast.JoinedStr,
)
_MOST_DEEP = 2  # loops in each other; in deeper ones, the time of a launch does not matter
_CALLED = (range, len, int, float, bool, complex, abs, min, max, round, pow, divmod)


def unroll_swaps(tree: ast.FunctionDef, host: Host) -> bool:
    """Change the loops of a function that swap arrays. Returns whether there are any."""
    if not any(_swapped(each) for each in nodes_of(tree)):
        return False
    changed = _Loops(tree, host)
    tree.body = changed.block(tree.body)
    if changed.found:
        forget_summaries(tree)
    return changed.found


class _Loops:
    """Replaces loops in blocks of statements."""

    def __init__(self, tree: ast.FunctionDef, host: Host) -> None:
        self._host = host
        self._loads = _loads(tree)
        # Of the loops as they are given: unrolling an inner loop makes copies of its reads.
        self._loads_in = {each: _loads(each) for each in nodes_of(tree) if isinstance(each, ast.For)}
        self._number = 0

    @property
    def found(self) -> bool:
        return self._number > 0

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        done: list[ast.stmt] = []
        for s in statements:
            if isinstance(s, ast.If | ast.For | ast.While):
                s.body, s.orelse = self.block(s.body), self.block(s.orelse)
            made = self._unrolled(s) if isinstance(s, ast.For) else None
            done += [loops.locate(each, s) for each in made] if made else [s]
        return done

    def _unrolled(self, loop: ast.For) -> list[ast.stmt] | None:
        places = [k for k, s in enumerate(loop.body) if _swapped(s)]
        if len(places) != 1 or not self._is_suitable(loop, *_swapped(loop.body[places[0]])):
            return None
        assert isinstance(loop.iter, ast.Call) and isinstance(loop.target, ast.Name)
        a, b = _swapped(loop.body[places[0]])
        counter, following = loop.target.id, f"#next {self._number}"
        first, last = f"#start {self._number}", f"#stop {self._number}"
        self._number += 1
        start, stop, _ = loops.bounds_of(loop.iter)
        before, after = loop.body[: places[0]], loop.body[places[0] + 1 :]
        once = [*before, *loops.clone(after, {a: b, b: a})]
        again = [*loops.clone(before, {a: b, b: a, counter: following}), *loops.clone(after, {counter: following})]
        one_more = ast.BinOp(loops.name(counter), ast.Add(), ast.Constant(1))
        second = ast.If(ast.Compare(one_more, [ast.Lt()], [loops.name(last)]), [], [])
        second.body = [loops.assign(following, loops.clone(one_more)), *again]
        over = ast.Call(loop.iter.func, [loops.name(first), loops.name(last), ast.Constant(2)], [])
        made = ast.For(loop.target, over, [*once, second], [])
        made.swaps = True  # type: ignore[attr-defined]
        count = ast.BinOp(loops.name(last), ast.Sub(), loops.name(first))
        is_odd = ast.BinOp(loops.clone(count), ast.Mod(), ast.Constant(2))
        some = ast.Compare(count, [ast.Gt()], [ast.Constant(0)])
        swap = ast.If(ast.BoolOp(ast.And(), [some, is_odd]), [loop.body[places[0]]], [])
        return [loops.assign(first, start), loops.assign(last, stop), made, swap]

    def _is_suitable(self, loop: ast.For, a: str, b: str) -> bool:
        """Whether a loop that swaps two variables can be unrolled, and then most likely be compiled."""
        call = loop.iter
        if not isinstance(loop.target, ast.Name) or not isinstance(call, ast.Call) or loop.orelse:
            return False
        if call.keywords or not 1 <= len(call.args) <= 2 or self._host.look_up(call.func) is not range:
            return False
        counter = loop.target.id
        inside = [each for s in loop.body for each in nodes_of(s)]
        stores = Counter(
            each.id for each in inside if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
        )
        if counter in (a, b) or stores[counter] or stores[a] != 1 or stores[b] != 1:
            return False
        if self._loads_in[loop][counter] != self._loads[counter] or not {a, b} <= _indexed(inside):
            return False
        if any(isinstance(each, _REFUSED) or self._host.is_parallel(each) for each in inside):
            return False
        if _depth(loop) > _MOST_DEEP or _leaves(loop.body) or any(isinstance(each, ast.Starred) for each in call.args):
            return False
        bare = [each for s in loop.body if not _swapped(s) for each in _bare_names(s)]
        if {a, b} & {*bare}:
            return False
        return all(self._is_of_numbers(each.func) for each in inside if isinstance(each, ast.Call))

    def _is_of_numbers(self, callee: ast.expr) -> bool:
        function = self._host.look_up(callee)
        return any(function is each for each in _CALLED) or getattr(function, "__module__", None) in ("math", "cmath")


def _swapped(s: ast.AST) -> tuple[str, str] | tuple[()]:
    """The variables of `a, b = b, a`; none for other nodes."""
    match s:
        case ast.Assign(
            targets=[ast.Tuple(elts=[ast.Name(id=a), ast.Name(id=b)])],
            value=ast.Tuple(elts=[ast.Name(id=c), ast.Name(id=d)]),
        ) if (a, b) == (d, c) and a != b:
            return a, b
    return ()


def _loads(tree: ast.AST) -> Counter[str]:
    return Counter(each.id for each in nodes_of(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))


def _indexed(nodes: list[ast.AST]) -> set[str]:
    """The variables of which the nodes use elements."""
    return {each.value.id for each in nodes if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name)}


def _bare_names(s: ast.stmt) -> list[str]:
    """The variables in a statement that are neither indexed nor asked for an attribute or their length."""
    nodes = list(nodes_of(s))
    owned = [
        id(each.value)
        for each in nodes
        if isinstance(each, ast.Subscript | ast.Attribute) and isinstance(each.value, ast.Name)
    ]
    owned += [id(each.args[0]) for each in nodes if isinstance(each, ast.Call) and len(each.args) == 1]
    return [each.id for each in nodes if isinstance(each, ast.Name) and id(each) not in owned]


def _depth(loop: ast.AST) -> int:
    """How many loops are in each other."""
    own = isinstance(loop, ast.For | ast.While)
    return own + max(map(_depth, ast.iter_child_nodes(loop)), default=0)


def _leaves(statements: list[ast.stmt]) -> bool:
    """Whether statements of a loop's body, outside of inner loops, leave the iteration."""
    for s in statements:
        if isinstance(s, ast.Break | ast.Continue):
            return True
        if isinstance(s, ast.If) and (_leaves(s.body) or _leaves(s.orelse)):
            return True
        if isinstance(s, ast.For | ast.While) and _leaves(s.orelse):
            return True
    return False
