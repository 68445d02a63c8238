"""The simulation: runs a kernel as a Python function, for debuggers and as a reference."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from itertools import product

from numba_dpex.kernel_api import current
from numba_dpex.kernel_api.host_arrays import host_arrays
from numba_dpex.kernel_api.index_space_ids import Group, Item, NdItem, SubGroup
from numba_dpex.kernel_api.local_accessor import LocalAccessor
from numba_dpex.kernel_api.private_array import PrivateArray
from numba_dpex.kernel_api.ranges import NdRange, Range
from numba_dpex.kernel_api.reductions import Reduction
from numba_dpex.kernel_api.scheduler import Scheduler
from numba_dpex.kernel_api.work_group import Rendezvous, WorkGroup


def call_kernel(kernel_fn: Callable, index_range: Range | NdRange, *kernel_args, sub_group_size: int = 8) -> None:
    """Run a kernel in Python, one work-item at a time, without compiling it.

    Args:
        kernel_fn: a function of an Item or NdItem and the arguments, or a kernel.
        index_range: a Range, or an NdRange for work-groups.
        kernel_args: NumPy arrays, dpnp or dpctl.tensor arrays, scalars; local accessors with an NdRange.
        sub_group_size: the number of work-items of a sub-group.

    Raises:
        ValueError: `kernel_fn` is not callable, `index_range` is not a range, or the number of arguments is wrong.
        TypeError: a local accessor is passed with a Range.
        RuntimeError: a deadlock: work-items of a group wait in a call that others do not make, or wait with an
            AtomicRef for a value that no work-item is left to change.

    Work-items run in the order of their linear ids, each until it ends or waits for others, so a debugger sees one at
    a time. Local and private memory is initialised to NaN or the largest integer, so that reads of unwritten elements
    are noticed.

    >>> import numpy as np
    >>> from numba_dpex import kernel_api as kapi
    >>> def double(item, a):
    ...     a[item.get_id(0)] *= 2
    >>> a = np.arange(3)
    >>> kapi.call_kernel(double, kapi.Range(3), a)
    >>> a
    array([0, 2, 4])
    """
    if not callable(kernel_fn):
        raise ValueError(f"call_kernel: the first argument must be a function, not {type(kernel_fn).__name__}")
    if not isinstance(index_range, Range | NdRange):
        raise ValueError(
            f"call_kernel: the second argument must be a Range or NdRange, not {type(index_range).__name__}"
        )
    function = getattr(kernel_fn, "py_func", kernel_fn)
    takes_item = _takes_item(function, len(kernel_args))
    with host_arrays(kernel_args) as arguments:
        if isinstance(index_range, Range):
            _run_range(function, index_range, arguments, takes_item)
        else:
            _run_groups(function, index_range, arguments, takes_item, sub_group_size)
    for argument in kernel_args:
        if isinstance(argument, Reduction):
            argument._finish_simulation()


def single_task(kernel_fn: Callable, *kernel_args) -> None:
    """Run a kernel without an index space once, in Python, as `call_kernel` does.

    >>> import numpy as np
    >>> from numba_dpex import kernel_api as kapi
    >>> def first(a):
    ...     a[0] = 7
    >>> a = np.zeros(2)
    >>> kapi.single_task(first, a)
    >>> a
    array([7., 0.])
    """
    if not callable(kernel_fn):
        raise ValueError(f"single_task: the first argument must be a function, not {type(kernel_fn).__name__}")
    with host_arrays(kernel_args) as arguments:
        getattr(kernel_fn, "py_func", kernel_fn)(*arguments)


def _takes_item(function: Callable, count: int) -> bool:
    """Whether the function has a parameter for the work-item before those for `count` arguments."""
    parameters = inspect.signature(function).parameters.values()
    required = sum(p.default is p.empty for p in parameters if p.kind is not p.VAR_POSITIONAL)
    if required <= count + 1 <= len(parameters) or any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return True
    if required <= count <= len(parameters):
        return False  # an older kernel, which calls get_global_id
    raise ValueError(
        f"call_kernel: {getattr(function, '__name__', 'the kernel')} has {len(parameters)} parameters, got {count} "
        "arguments and a work-item"
    )


def _run_range(function: Callable, extent: Range, arguments: tuple, takes_item: bool) -> None:
    for argument in arguments:
        if isinstance(argument, LocalAccessor):
            raise TypeError("call_kernel: local accessors need work-groups; launch over an NdRange")
    indices = product(*map(range, extent))

    def body(number: int) -> None:
        item = Item(extent, next(indices))
        with current.running(item, None, scheduler, number):
            function(*((item, *arguments) if takes_item else arguments))

    scheduler = Scheduler(extent.size(), body)
    scheduler.run()


def _run_groups(function: Callable, space: NdRange, arguments: tuple, takes_item: bool, sub_group_size: int) -> None:
    group_range = Range(*(g // n for g, n in zip(space.global_range, space.local_range)))
    group_ids = product(*map(range, group_range))
    size = space.local_range.size()
    begun: tuple[WorkGroup, list[NdItem], tuple]  # the group whose work-items begin, which they do in order

    def body(number: int) -> None:
        nonlocal begun
        if number % size == 0:
            own = tuple(
                PrivateArray(argument._shape, argument._dtype) if isinstance(argument, LocalAccessor) else argument
                for argument in arguments
            )
            group = WorkGroup(scheduler, number)
            begun = group, _nd_items(space, group_range, next(group_ids), sub_group_size), own
            _connect_collectives(*begun[:2])
        group, items, own = begun
        item = items[number % size]
        with current.running(item, group, scheduler, number):
            function(*((item, *own) if takes_item else own))

    scheduler = Scheduler(space.global_range.size(), body, size)
    scheduler.run()


def _nd_items(space: NdRange, group_range: Range, group_id: tuple[int, ...], sub_group_size: int) -> list[NdItem]:
    """Return the work-items of one group, in order."""
    size = space.local_range.size()
    count = -(-size // sub_group_size)
    items = []
    for i, local_id in enumerate(product(*map(range, space.local_range))):
        global_id = tuple(g * n + k for g, n, k in zip(group_id, space.local_range, local_id))
        first = i - i % sub_group_size
        members = min(sub_group_size, size - first)
        items.append(
            NdItem(
                Item(space.global_range, global_id),
                Item(space.local_range, local_id),
                Group(space.global_range, space.local_range, group_range, group_id),
                SubGroup(i // sub_group_size, count, i - first, members, min(sub_group_size, size)),
            )
        )
    return items


def _connect_collectives(group: WorkGroup, items: list[NdItem]) -> None:
    """Connect the work-items' groups and sub-groups to the collective operations of the simulation."""
    group_rendezvous = Rendezvous("work-group", range(len(items)))
    sub_group_rendezvous = group_rendezvous
    for i, item in enumerate(items):
        sub_group = item.get_sub_group()
        if sub_group.leader:
            sub_group_rendezvous = Rendezvous("sub-group", range(i, i + sub_group.get_local_linear_range()))
        item.get_group()._collective = partial(group.collective, i, group_rendezvous)
        sub_group._collective = partial(group.collective, i, sub_group_rendezvous)
