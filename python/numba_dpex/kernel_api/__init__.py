"""The API that kernels use: index spaces, work-items and their groups, memory, atomics, group algorithms.

Kernels run compiled with `numba_dpex.call_kernel`, or as Python functions with `kernel_api.call_kernel`, for debugging.
"""

from numba_dpex.kernel_api.atomic_ref import AtomicRef
from numba_dpex.kernel_api.barrier import atomic_fence, group_barrier, sub_group_barrier
from numba_dpex.kernel_api.function_objects import bit_and, bit_or, bit_xor, maximum, minimum, multiplies, plus
from numba_dpex.kernel_api.group_algorithms import (
    all_of_group,
    any_of_group,
    exclusive_scan_over_group,
    group_broadcast,
    group_load,
    group_store,
    inclusive_scan_over_group,
    joint_all_of,
    joint_any_of,
    joint_exclusive_scan,
    joint_inclusive_scan,
    joint_none_of,
    joint_reduce,
    joint_sort,
    none_of_group,
    permute_group_by_xor,
    reduce_over_group,
    select_from_group,
    shift_group_left,
    shift_group_right,
    sort_over_group,
)
from numba_dpex.kernel_api.index_space_ids import Group, Item, NdItem, SubGroup
from numba_dpex.kernel_api.launcher import call_kernel, single_task
from numba_dpex.kernel_api.local_accessor import LocalAccessor
from numba_dpex.kernel_api.memory_enums import AddressSpace, MemoryOrder, MemoryScope
from numba_dpex.kernel_api.private_array import PrivateArray
from numba_dpex.kernel_api.ranges import NdRange, Range
from numba_dpex.kernel_api.reductions import Reduction, reduction

__all__ = [
    "AddressSpace",
    "AtomicRef",
    "Group",
    "Item",
    "LocalAccessor",
    "MemoryOrder",
    "MemoryScope",
    "NdItem",
    "NdRange",
    "PrivateArray",
    "Range",
    "Reduction",
    "SubGroup",
    "all_of_group",
    "any_of_group",
    "atomic_fence",
    "bit_and",
    "bit_or",
    "bit_xor",
    "call_kernel",
    "exclusive_scan_over_group",
    "group_barrier",
    "group_broadcast",
    "group_load",
    "group_store",
    "inclusive_scan_over_group",
    "joint_all_of",
    "joint_any_of",
    "joint_exclusive_scan",
    "joint_inclusive_scan",
    "joint_none_of",
    "joint_reduce",
    "joint_sort",
    "maximum",
    "minimum",
    "multiplies",
    "none_of_group",
    "permute_group_by_xor",
    "plus",
    "reduce_over_group",
    "reduction",
    "select_from_group",
    "shift_group_left",
    "shift_group_right",
    "single_task",
    "sort_over_group",
    "sub_group_barrier",
]
