"""Tables whose elements depend on those above and to the left, in strips of rows: a work-item executes a row.

In each step a work-item executes an iteration of its row, or a block of several, behind the work-item of the row above.
It keeps the elements that it stored last in variables, and gets those of the rows above through local memory:
work-items store them in a ring of their own, where others load them after the next barrier. The rows above a strip are
copied to rings by the first work-items, one step ahead. Otherwise the table is loaded only where a row begins. A
work-item begins its row of the next strip as soon as it has finished one, so that all are busy most of the time.
Smith-Waterman scores are computed on GPUs in this way (Y. Liu, D. Maskell and B. Schmidt, CUDASW++, 2009).

Stores along a diagonal take an H200 two cycles for each element. So blocks are stored from the rings, in the step after
that in which they were computed: consecutive work-items store consecutive elements.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from numba_dpex.core.dpjit.kept_elements import Kept, Offsets, Use, is_element, kept_array, offsets_of, stores_to
from numba_dpex.core.dpjit.liveness import kinds
from numba_dpex.core.dpjit.loops import assign, clone, locate, name
from numba_dpex.core.dpjit.templates import statements_of

MOST_ELEMENTS = 6144  # of 8 bytes, in the local memory of a group: 48 KiB
_MOST_OF_ONE = 4096  # of them for a nest that stores to one array
_LEAST_ROWS = 48  # of the rings of a work-group
# The iterations of a step where there are many: so many altogether, in long rows; or long rows in each of many groups,
# which have fewer work-items.
_BLOCK = 4
_MANY, _LONG = 1 << 19, 256
_MOST_LANES, _LONG_IN_GROUPS = 1024, 64
_LEAST_WIDTH = 128  # the rows of a strip, if there are as many


@dataclass
class Steps:
    """How steps are executed.

    Attributes:
        block: the iterations of a work-item in a step.
        delay: by how many steps a work-item is behind that of the row above.
        kept: the arrays that have rings.
        ring: the elements of a ring.
        rings: the rings of an array in local memory, if its elements have up to 8 bytes.
        defers: whether elements are stored from rings one step later.
    """

    block: int
    delay: int
    kept: list[Kept]
    ring: int
    rings: int
    defers: bool

    @property
    def above(self) -> int:
        """The most rows above a strip that are copied to rings. All work-items begin that much later."""
        return max((each.rows for each in self.kept), default=0)


@dataclass
class Strips:
    """How strips of rows execute two nested loops.

    Attributes:
        kept: the arrays of which every iteration stores one element.
        few: the steps for nests of few iterations.
        many: those for nests of many, or None.
        elements: the elements in local memory of each array that has rings.
    """

    kept: list[Kept]
    few: Steps
    many: Steps | None
    elements: int

    @property
    def local_elements(self) -> int:
        """The elements in local memory."""
        return self.elements * sum(map(self._has_rings, range(len(self.kept))))

    def _has_rings(self, n: int) -> bool:
        return bool(self.many or self.kept[n].above)

    def statements(
        self,
        number: int,
        row: list[ast.stmt],
        body: list[ast.stmt],
        counters: tuple[ast.Name, ast.Name],
        barrier: ast.stmt,
    ) -> list[ast.stmt]:
        """The statements of each work-item, in a template in which the loops' bounds have values.

        Args:
            number: distinguishes the variables of several uses.
            row: the statements at the beginning of a row.
            body: the statements of an iteration.
            counters: the two counters.
            barrier: a barrier.
        """
        arrays = range(len(self.kept))
        text = f"""
i = first_i
j = first_j
start_of_row
{_lines(self._first_values(n) for n in arrays)}
{self._either()}
"""
        titles = (counters[0].id, counters[1].id)
        expressions: dict[str, ast.expr] = {"i": counters[0], "j": counters[1]}
        for n, kept in enumerate(self.kept):
            expressions[f"array_{n}"] = name(kept.title)
            for down, right in [(0, 0), *kept.positions()]:
                expressions[f"element{_suffix(n, down, right)}"] = kept.element(down, right, titles)
            copied = f"#copied_i_{n} {number}", f"#copied_j_{n} {number}"
            expressions[f"copied_element_{n}"] = kept.element(0, 0, copied)
            stored = f"#stored_i {number}", f"#stored_j {number}"
            expressions[f"stored_element_{n}"] = kept.element(0, 0, stored)
        replaced = {"barrier": [barrier], "start_of_row": row}
        for steps in (self.few, self.many):
            if steps:
                own = {n: _of_ring(steps, n, "j") for n in arrays} if steps.defers else {}
                changed = _Body(self.kept, list(titles), number, own).changed(body)
                replaced[f"body_{steps.block}"] = changed
        return statements_of(text, number, replaced, expressions)

    def _either(self) -> str:
        """The steps of blocks, or of single iterations."""
        if not self.many:
            return self._steps(self.few)
        copying = self.many.block * self.many.above
        is_many = f"rows * columns >= {_MANY} and columns >= {_LONG}"
        has_long_rows = f"columns >= {self.many.block} * min(rows, {self.many.rings})"
        in_groups = f"lanes < min(rows, {_MOST_LANES}) and columns >= {_LONG_IN_GROUPS}"
        return f"""
if lanes >= {copying} and ({is_many} or {has_long_rows} or {in_groups}):
{_indented(self._steps(self.many))}
else:
{_indented(self._steps(self.few))}
"""

    def _steps(self, of: Steps) -> str:
        """The steps of all strips."""
        arrays = range(len(self.kept))
        block, delay, above, ring = of.block, of.delay, of.above, of.ring
        widths = [f"{of.rings} // {_words(n)} - {self.kept[n].rows}" for n in arrays if self._uses_rings(of, n)]
        in_rows = f"for j in range(first_j + start, min(first_j + start + {block}, last_j)):"
        return f"""
blocks = (columns + {block - 1}) // {block}
width = min({", ".join(["lanes", *widths, f"max({_LEAST_WIDTH}, blocks // {delay})"])})
period = (max(blocks, {delay} * width + {above + 3}) + {ring - 1}) // {ring} * {ring}
length = period * {block}
strips = (rows + width - 1) // width
count = (strips - 1) * period + {delay} * (rows - (strips - 1) * width - 1 + {above}) + blocks + {int(of.defers)}
row = lane if lane < width else rows
start = (0 - {delay} * (lane + {above})) * {block}
end = columns if row < rows else 0
{_lines(self._first_copies(of, n) for n in arrays)}
{"stored_start, stored_row = 0 - " + str((above + 1) * block) + ", 0" if of.defers else ""}
for front in range(count):
    barrier
{_indented(self._deferred_stores(of)) if of.defers else ""}
{_lines((self._copies(of, n) for n in arrays), 4)}
    if 0 <= row and 0 <= start and start < end:
        i = first_i + row
        if start == 0:
            j = first_j
            start_of_row
{_lines((self._border(n) for n in arrays), 12)}
        {in_rows if block > 1 else "j = first_j + start"}
{_lines((self._from_above(of, n) for n in arrays), 12 if block > 1 else 8)}
        {"    " if block > 1 else ""}body_{block}
{_lines((self._keep(of, n) for n in arrays), 12 if block > 1 else 8)}
    start += {block}
    if start == length:
        start = 0
        row += width
        end = columns if row < rows else 0
"""

    def _uses_rings(self, of: Steps, n: int) -> bool:
        return bool(of.defers or self.kept[n].above)

    def _first_values(self, n: int) -> list[str]:
        """Values for variables that no iteration uses before it assigns them, from an element that exists."""
        kept, lines = self.kept[n], [f"own_{n} = element{_suffix(n, 0, 0)}"]
        lines += [f"value{_suffix(n, *at)} = own_{n}" for at in kept.positions()]
        if self._has_rings(n):
            lines.append(f"sent_{n} = local(array_{n}, {self.elements} // {_words(n)})")
        return lines

    def _deferred_stores(self, of: Steps) -> str:
        """Store the elements of the step before. The work-items are in two strips at most."""
        stores = [
            f"stored_element_{n} = sent_{n}[{_of_ring(of, n, 'stored_j', 'stored_item')}]"
            for n in range(len(self.kept))
        ]
        return f"""
for stored in range(lane, width * {of.block}, lanes):
    stored_item = stored // {of.block}
    stored_column = stored_start - stored_item * {of.block}
    stored_item_row = (stored_row if 0 <= stored_column else stored_row - width) + stored_item
    stored_column = (stored_column if 0 <= stored_column else stored_column + length) + stored % {of.block}
    if 0 <= stored_item_row and stored_item_row < rows and 0 <= stored_column and stored_column < columns:
        stored_i = first_i + stored_item_row
        stored_j = first_j + stored_column
{_lines([stores], 8)}
stored_start += {of.block}
if stored_start == length:
    stored_start = 0
    stored_row += width
"""

    def _first_copies(self, of: Steps, n: int) -> list[str]:
        kept = self.kept[n]
        if not kept.above:
            return []
        return [
            f"copy_{n} = lane // {of.block} if lane < {kept.rows * of.block} else {kept.rows}",
            f"copied_row_{n} = copy_{n} - {kept.rows}",
            f"copied_{n} = (0 - {of.delay} * (copy_{n} + {of.above - kept.rows})) * {of.block} + lane % {of.block}",
            f"ahead_{n} = own_{n}",
            f"if copy_{n} < {kept.rows}:",
            *("    " + line for line in self._load_ahead(n)),
        ]

    def _copies(self, of: Steps, n: int) -> list[str]:
        """Copy an element of the rows above a strip to a ring, and load that of the next step."""
        kept = self.kept[n]
        if not kept.above:
            return []
        return [
            f"if copy_{n} < {kept.rows}:",
            f"    if 0 <= copied_{n} and copied_{n} < columns:",
            f"        sent_{n}[{_of_ring(of, n, f'(first_j + copied_{n})', f'copy_{n}', 0)}] = ahead_{n}",
            f"    copied_{n} += {of.block}",
            f"    if copied_{n} >= length:",
            f"        copied_{n} -= length",
            f"        copied_row_{n} += width",
            *("    " + line for line in self._load_ahead(n)),
        ]

    def _load_ahead(self, n: int) -> list[str]:
        return [
            f"if 0 <= copied_{n} and copied_{n} < columns and copied_row_{n} < rows:",
            f"    copied_i_{n} = first_i + copied_row_{n}",
            f"    copied_j_{n} = first_j + copied_{n}",
            f"    ahead_{n} = copied_element_{n}",
        ]

    def _border(self, n: int) -> list[str]:
        """Load what is on the left of a row's first element."""
        kept = self.kept[n]
        newest = {(down, least) for down, (least, _) in kept.above.items()}
        at = [each for each in kept.positions() if each not in newest]
        return [f"value{_suffix(n, *each)} = element{_suffix(n, *each)}" for each in at]

    def _from_above(self, of: Steps, n: int) -> list[str]:
        """Load the elements of the rows above that the iteration before did not have."""
        kept, lines = self.kept[n], []
        for down, (least, _) in kept.above.items():
            at = _suffix(n, down, least)
            moved = f"(j + {-least % of.ring})" if least else "j"
            load = f"value{at} = sent_{n}[{_of_ring(of, n, moved, 'lane', kept.rows - down)}]"
            if least:
                test = f"j < first_j + {least}" if least > 0 else f"j >= last_j - {-least}"
                lines += [f"if {test}:", f"    value{at} = element{at}", "else:", "    " + load]
            else:
                lines.append(load)
        return lines

    def _keep(self, of: Steps, n: int) -> list[str]:
        """Send the stored element to others, and move the values of variables by one element."""
        kept = self.kept[n]
        sends = kept.above and not of.defers
        lines = [f"sent_{n}[{_of_ring(of, n, 'j')}] = own_{n}"] if sends else []
        for down, right in reversed([*kept.positions()]):
            if not down and right == 1:
                lines.append(f"value{_suffix(n, 0, 1)} = own_{n}")
            elif not down or right > kept.above[down][0]:
                lines.append(f"value{_suffix(n, down, right)} = value{_suffix(n, down, right - 1)}")
        return lines


def _of_ring(of: Steps, n: int, column: str, item: str = "lane", offset: int | None = None) -> str:
    """The index of an element in the ring of a work-item, behind those of the rows above the strip."""
    offset = of.kept[n].rows if offset is None else offset
    return f"({column} & {of.ring - 1}) * ({of.rings} // {_words(n)}) + {item}" + (f" + {offset}" if offset else "")


def strips_of(
    uses: dict[str, list[Use]], body: list[ast.stmt], distances: list[Offsets], elements: int, carries: bool
) -> Strips | None:
    """How strips of rows execute two loops; None if nothing can be kept, and no row carries variables.

    Args:
        uses: the uses of each stored array in the inner loop.
        body: the inner loop's body.
        distances: the distances between iterations that depend on each other, at least one row.
        elements: the elements of local memory that are left.
        carries: whether variables are carried from one iteration of the inner loop to the next.
    """
    if any(ast.Continue in kinds(s) for s in body):
        return None
    kept = [found for title, of_array in uses.items() if (found := kept_array(title, of_array, body))]
    if not carries and not any(each.is_loaded for each in kept):
        return None
    delay, ahead = delay_of(distances, 1), any(least < 0 for each in kept for least, _ in each.above.values())
    if kept and not ahead and delay_of(distances, _BLOCK) == 1:
        left = min(elements, _MOST_OF_ONE if len(kept) == 1 else MOST_ELEMENTS) // len(kept)
        few, many = _steps(kept, 1, delay, left, False), _steps(kept, _BLOCK, 1, left, True)
        if min(few.rings, many.rings) >= _LEAST_ROWS:
            return Strips(kept, few, many, left)
    kept = [each for each in kept if each.is_loaded]
    left = min(elements, _MOST_OF_ONE) // max(sum(bool(each.above) for each in kept), 1)
    few = _steps(kept, 1, delay, left, False)
    return Strips(kept, few, None, left) if few.rings >= _LEAST_ROWS else None


def _steps(kept: list[Kept], block: int, delay: int, elements: int, defers: bool) -> Steps:
    ring = max((each.ring(block, delay) for each in kept), default=1)
    rings = elements // ring // 32 * 32
    # Work-items that store blocks of consecutive rings access different banks of local memory.
    return Steps(block, delay, kept, ring, min(rings, 1024) - 16 + 16 // block if defers else min(rings, 1024), defers)


def delay_of(distances: list[Offsets], block: int) -> int:
    """By how many steps of so many iterations a row must be behind that above, for distances in rows and columns."""
    blocks = ((down, -(-max(-right, 0) // block)) for down, right in distances)
    return max((-(-(1 + ahead) // down) for down, ahead in blocks), default=1)


class _Body(ast.NodeTransformer):
    """Replaces loads of elements that are kept, and keeps those that are stored.

    Args:
        kept: the arrays.
        counters: the names of the loops' counters.
        number: distinguishes the compiler's variables.
        rings: the indices of the stored elements in rings, where elements are stored there only.
    """

    def __init__(self, kept: list[Kept], counters: list[str], number: int, rings: dict[int, str]) -> None:
        self._kept, self._counters, self._number, self._rings = kept, counters, number, rings
        self._stored: frozenset[int] = frozenset()  # the arrays that the iteration certainly has stored to

    def changed(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return self._block(clone(body))

    def _block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for s in statements:
            stored = [n for n, kept in enumerate(self._kept) if stores_to(s, kept.title)]
            if isinstance(s, ast.AugAssign) and stored and self._rings:
                current = self.visit(self._kept[stored[0]].element(0, 0, (self._counters[0], self._counters[1])))
                made.append(locate(assign(self._element(stored[0], ast.Store()), current), s))
            made.append(self.visit(s))
            for n in stored:
                # The value as a load gives it, in the array's type. LLVM sees that it is what was stored.
                made.append(locate(assign(f"#own_{n} {self._number}", self._element(n, ast.Load())), s))
                self._stored |= {n}
        return made

    def _element(self, n: int, context: ast.expr_context) -> ast.Subscript:
        """The element that the iteration stores, where it does."""
        if not self._rings:
            return self._kept[n].element(0, 0, (self._counters[0], self._counters[1]))
        names_of = {"j": name(self._counters[1]), f"array_{n}": name(self._kept[n].title)}
        (index,) = statements_of(f"x = {self._rings[n]}", self._number, {}, names_of)
        assert isinstance(index, ast.Assign)
        return ast.Subscript(name(f"#sent_{n} {self._number}"), index.value, context)

    def visit_If(self, node: ast.If):
        node.test = self.visit(node.test)
        before = self._stored
        node.body = self._block(node.body)
        after_body, self._stored = self._stored, before
        node.orelse = self._block(node.orelse)
        self._stored &= after_body
        return node

    def visit_For(self, node: ast.For):
        node.iter = self.visit(node.iter)
        before = self._stored
        node.body = self._block(node.body)
        self._stored = before
        return node

    def visit_While(self, node: ast.While):
        node.test = self.visit(node.test)
        before = self._stored
        node.body = self._block(node.body)
        self._stored = before
        return node

    def visit_Subscript(self, node: ast.Subscript):
        for n, kept in enumerate(self._kept):
            if is_element(node, kept.title) and isinstance(node.ctx, ast.Store):
                return locate(self._element(n, ast.Store()), node) if self._rings else node
            if is_element(node, kept.title):
                found = offsets_of(node.slice, self._counters)
                assert found
                distance = kept.distance(Use(node, *found))
                if distance > (0, 0):
                    return ast.copy_location(name(f"#value{_suffix(n, *distance)} {self._number}"), node)
                if distance == (0, 0) and n in self._stored:
                    return ast.copy_location(name(f"#own_{n} {self._number}"), node)
        return self.generic_visit(node)


def _suffix(n: int, down: int, right: int) -> str:
    return f"_{n}_{down}_{right}" if right >= 0 else f"_{n}_{down}_m{-right}"


def _words(n: int) -> str:
    """The number of 8 bytes that an element of an array has, at least 1, which is a constant in kernels."""
    return f"((array_{n}.itemsize + 7) // 8)"


def _indented(text: str) -> str:
    return "\n".join("    " + line for line in text.splitlines())


def _lines(of_arrays, indent: int = 0) -> str:
    return "\n".join(" " * indent + line for lines in of_arrays for line in lines)
