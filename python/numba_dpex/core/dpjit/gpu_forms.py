"""The forms of loops that only GPUs execute: several work-items share an iteration, or copies of arrays."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from numba_dpex.core.dpjit import loops
from numba_dpex.core.dpjit.batches import batches_of_groups, batches_of_sub_groups, by_sub_groups, in_groups
from numba_dpex.core.dpjit.liveness import names
from numba_dpex.core.dpjit.local_sums import by_sums, summed_arrays
from numba_dpex.core.dpjit.shared_statements import Host
from numba_dpex.core.dpjit.single_iterations import with_single_iterations
from numba_dpex.core.dpjit.work_sharing import SharedLoop, contains_shared_loops, shared_loop

_MOST_SUMMED_ARRAYS = 4
_MOST_ROWS_OF_GROUPS = 256  # with more rows, sub-groups for each use the whole GPU, too


@dataclass
class GpuForm:
    """A form of a loop.

    Attributes:
        name: the name of how work-items share the loop, as `src/python/kernel/loop.cpp` has it.
        statements: the body of the kernel.
        shared: what the statements require.
        sums: the arrays of which work-groups have copies.
        has_lanes: whether several work-items share an iteration: in the form "sums" of a parallel loop, in the forms
            "groups" and "concurrent" of an inner loop.
        most_rows: for loops of more iterations, and for short inner loops, the next form takes less time; 0: never.
        single: what must hold for loops of which each work-item executes at most one iteration.
    """

    name: str
    statements: list[ast.stmt]
    shared: SharedLoop
    sums: list[str] = field(default_factory=list)
    has_lanes: bool = False
    most_rows: int = 0
    single: list[tuple] = field(default_factory=list)

    def described(self, tree: tuple, reorders: bool) -> dict:
        """What a compiled loop gets: the form with the tree of its kernel.

        Args:
            tree: the tree.
            reorders: whether operations on floats may be reordered.
        """
        return {
            "form": self.name,
            "tree": tree,
            "is_cheap_on_host": self.shared.is_cheap_on_host,
            "elements": list(self.shared.elements.items()),
            "stored": self.shared.stored,
            "integers": [] if reorders else self.shared.reordered,
            "extents": self.shared.extents,
            "rows": self.shared.rows,
            "reduces": self.shared.reduces,
            "sums": self.sums,
            "has_lanes": self.has_lanes,
            "most_rows": self.most_rows,
            "single": self.single,
        }


def forms_for_gpus(loop: ast.stmt, nest: loops.Nest | None, host: Host, has_outputs: bool) -> list[GpuForm]:
    """The forms of a loop, in order of preference; empty if GPUs execute it as CPUs do.

    Args:
        loop: the loop.
        nest: its nest if it is parallel, or None.
        host: the function that contains it.
        has_outputs: whether it returns variables.
    """
    if getattr(loop, "swaps", False):
        return []  # Python executes it, and launches the loops in it
    body = nest.body if nest else [loop]
    counters = names(nest.targets, ast.Store) if nest else frozenset()
    found = None
    if not has_outputs and (nest is None or len(nest.targets) == 1):
        found = shared_loop(body, counters, host)
    forms = [] if has_outputs or (found and found.needs_group) else _with_sums(nest, found)
    if found and nest and found.reordered:
        summed = shared_loop(body, counters, host, sums_rows=True)
        if summed and summed.summed_rows:
            forms.append(GpuForm("groups", loops.by_groups(nest, summed.body), summed))
    if found and found.needs_group:
        if found.for_launch:
            forms.append(GpuForm("concurrent", loops.by_launch(found.body), found, has_lanes=found.has_sub_groups))
        forms.append(GpuForm("groups", loops.by_groups(nest, found.body), found, has_lanes=found.has_sub_groups))
    elif found:
        single = with_single_iterations(found.body) if nest else None
        if single:
            forms.append(GpuForm("grid", loops.by_grid(nest, single[0], is_single=True), found, single=single[1]))
        forms.append(GpuForm("grid", loops.by_grid(nest, found.body, bool(found.rows)), found))
    elif not nest and (search := batches_of_groups(None, body, host)):
        forms.append(GpuForm("groups", in_groups(None, search.body), search))
    elif nest and not has_outputs and (search := batches_of_sub_groups(nest, host)):
        by_group = batches_of_groups(nest, body, host)
        if by_group:
            forms.append(GpuForm("groups", in_groups(nest, by_group.body), by_group, most_rows=_MOST_ROWS_OF_GROUPS))
        forms.append(GpuForm("batches", by_sub_groups(nest, search.body), search))
    return forms


def is_for_python(loop: ast.For | ast.While, forms: list[GpuForm], host: Host) -> bool:
    """Whether Python had better execute a loop that is not parallel, and has these forms for GPUs."""
    return not forms and (getattr(loop, "swaps", False) or contains_shared_loops(loop, host))


def _with_sums(nest: loops.Nest | None, found: SharedLoop | None) -> list[GpuForm]:
    """The form whose work-groups add to copies of arrays in local memory, if the loop adds to arrays."""
    if found:
        statements = found.body
    elif nest:
        statements = nest.body
    else:
        return []
    arrays = summed_arrays(statements)
    if not 1 <= len(arrays) <= _MOST_SUMMED_ARRAYS:
        return []
    required = found or SharedLoop(statements, False, False, arrays, sorted(arrays), [], [], reduces=False, rows=[])
    has_lanes = bool(nest and required.extents)
    made = by_sums(nest, statements, arrays, has_lanes, bool(required.rows))
    return [GpuForm("sums", made, required, list(arrays), has_lanes)]
