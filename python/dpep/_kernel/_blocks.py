"""The control flow graph of a function's byte code, and its conversion to structured statements.

The conversion follows the dominator tree (Ramsey, "Beyond Relooper", 2022): a block with several predecessors is placed
after a labelled statement, which its predecessors leave. Python has no such statement, so that Labelled and LeaveLabel
are AST nodes of this module. Loops over iterables stay `for` loops, because the compiler has more information about
their counters.
"""

from __future__ import annotations

import ast
import dis
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType

ENDS = frozenset(["RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE"])
JUMPS = frozenset(["JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP"])


class Labelled(ast.stmt):
    """Statements that LeaveLabel nodes with the same label leave."""

    _fields = ("label", "body")


class LeaveLabel(ast.stmt):
    """A jump to the end of the enclosing Labelled statement with the same label."""

    _fields = ("label",)


@dataclass
class Block:
    """A basic block."""

    start: int
    instructions: list[dis.Instruction]
    next: list[int] = field(default_factory=list)  # successors; for a conditional jump, first the fall-through
    before: list[int] = field(default_factory=list)
    statements: list[ast.stmt] = field(default_factory=list)
    test: ast.expr | None = None  # condition of the branch to next[1]
    loop: ast.For | None = None  # a loop with its body at next[0] and the code after it at next[1]
    out: list[list] = field(default_factory=list)  # the stack for each successor


def _is_jump(instruction: dis.Instruction) -> bool:
    return instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs


def _read_blocks(code: CodeType) -> dict[int, Block]:
    everything = [each for each in dis.get_instructions(code) if each.opname not in ("CACHE", "EXTENDED_ARG")]
    starts = {everything[0].offset}
    for each, following in zip(everything, [*everything[1:], None]):
        if _is_jump(each):
            starts.add(each.argval)
        if following and (_is_jump(each) or each.opname in ENDS):
            starts.add(following.offset)
    # the target of a jump may be an EXTENDED_ARG, which is replaced by the instruction after it
    offsets = [each.offset for each in everything]
    real = {start: next((o for o in offsets if o >= start), None) for start in starts}
    blocks: dict[int, Block] = {}
    current = None
    for each in everything:
        if current is None or each.offset in real.values():
            current = blocks[each.offset] = Block(each.offset, [])
        current.instructions.append(each)
    order = list(blocks)
    for start, following in zip(order, [*order[1:], None]):
        block = blocks[start]
        last = block.instructions[-1]
        if last.opname in JUMPS:
            block.next = [real[last.argval]]
        elif _is_jump(last):
            block.next = [following, real[last.argval]]
        elif last.opname not in ENDS:
            block.next = [following]
    reached, todo = {order[0]}, [order[0]]
    while todo:
        for target in blocks[todo.pop()].next:
            if target not in reached:
                reached.add(target)
                todo.append(target)
    blocks = {start: block for start, block in blocks.items() if start in reached}
    for start, block in blocks.items():
        for target in block.next:
            blocks[target].before.append(start)
    return blocks


class Graph:
    """The control flow graph of a function."""

    def __init__(self, code: CodeType) -> None:
        self.blocks = _read_blocks(code)
        self.order = self._postorder()[::-1]
        self._number = {start: number for number, start in enumerate(self.order)}
        self._dominator = self._dominators()
        line = code.co_firstlineno
        self._at = {"lineno": line, "col_offset": 0, "end_lineno": line, "end_col_offset": 0}

    def _postorder(self) -> list[int]:
        order, seen, todo = [], set(), [(next(iter(self.blocks)), iter(()), True)]
        while todo:
            start, rest, is_new = todo.pop()
            if is_new:
                if start in seen:
                    continue
                seen.add(start)
                rest = iter(reversed(self.blocks[start].next))
            for target in rest:
                if target not in seen:
                    todo.append((start, rest, False))
                    todo.append((target, iter(()), True))
                    break
            else:
                order.append(start)
        return order

    def _dominators(self) -> dict[int, int]:
        """The immediate dominator of each block, by the algorithm of Cooper, Harvey and Kennedy."""
        first = self.order[0]
        dominator = {first: first}

        def common(a: int, b: int) -> int:
            while a != b:
                while self._number[a] > self._number[b]:
                    a = dominator[a]
                while self._number[b] > self._number[a]:
                    b = dominator[b]
            return a

        changed = True
        while changed:
            changed = False
            for start in self.order[1:]:
                known = [each for each in self.blocks[start].before if each in dominator]
                found = known[0]
                for each in known[1:]:
                    found = common(found, each)
                if dominator.get(start) != found:
                    dominator[start] = found
                    changed = True
        return dominator

    def _is_back(self, source: int, target: int) -> bool:
        return self._number[target] <= self._number[source]

    def _is_header(self, start: int) -> bool:
        return any(self._is_back(each, start) for each in self.blocks[start].before)

    def is_merge(self, start: int) -> bool:
        return sum(not self._is_back(each, start) for each in self.blocks[start].before) > 1

    def _in_loop(self, header: int) -> set[int]:
        """The blocks of the natural loop of a header."""
        inside, todo = {header}, [each for each in self.blocks[header].before if self._is_back(each, header)]
        while todo:
            start = todo.pop()
            if start not in inside:
                inside.add(start)
                todo.extend(self.blocks[start].before)
        return inside

    # --- statements

    def statements(self) -> list[ast.stmt]:
        """The structured statements of the function, composed of the statements of its blocks."""
        return self._tree(self.order[0])

    def _tree(self, start: int) -> list[ast.stmt]:
        """The statements of a block and of all blocks that it dominates."""
        below = [each for each in self.order[1:] if self._dominator[each] == start and self.is_merge(each)]
        block = self.blocks[start]
        if not self._is_header(start):
            return self._around(start, below)
        inside = self._in_loop(start)
        if block.loop is None:
            body = self._labelled(f"next {start}", self._around(start, below))
            return [ast.While(ast.Constant(True, **self._at), body, [], **self._at)]
        body, after = block.next
        rounds = self._in_order([each for each in below if each in inside], lambda: self._branch(start, body))
        block.loop.body = self._labelled(f"next {start}", rounds) or [ast.Pass(**self._at)]
        return self._in_order(
            [each for each in below if each not in inside],
            lambda: [*block.statements, block.loop, *self._branch(start, after)],
        )

    def _around(self, start: int, below: list[int]) -> list[ast.stmt]:
        return self._in_order(below, lambda: self._own(start))

    def _in_order(self, below: list[int], first: Callable[[], list[ast.stmt]]) -> list[ast.stmt]:
        """The statements of `first`, followed by the merge blocks `below`, in order."""
        if not below:
            return first()
        *before, last = below
        return [*self._labelled(f"to {last}", self._in_order(before, first)), *self._tree(last)]

    def _labelled(self, label: str, body: list[ast.stmt]) -> list[ast.stmt]:
        return [Labelled(label, body, **self._at)]

    def _own(self, start: int) -> list[ast.stmt]:
        block = self.blocks[start]
        if block.loop is not None:  # a loop that ends in its first iteration
            block.loop.body = self._branch(start, block.next[0])
            return [*block.statements, block.loop, *self._branch(start, block.next[1])]
        if block.test is not None:
            no, yes = self._branch(start, block.next[0]), self._branch(start, block.next[1])
            return [*block.statements, ast.If(block.test, yes, no, **self._at)]
        return [*block.statements, *(self._branch(start, block.next[0]) if block.next else [])]

    def _branch(self, source: int, target: int) -> list[ast.stmt]:
        if self._is_back(source, target):
            return [LeaveLabel(f"next {target}", **self._at)]
        if self.is_merge(target):
            return [LeaveLabel(f"to {target}", **self._at)]
        return self._tree(target)
