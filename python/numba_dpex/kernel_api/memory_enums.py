"""Memory orders, scopes and address spaces; the values are those of numba-dpex."""

from numba_dpex.kernel_api.flag_enum import FlagEnum


class MemoryOrder(FlagEnum):
    """How an atomic operation or fence orders the memory accesses around it, as `sycl::memory_order`.

    CONSUME_UNSUPPORTED exists so that values agree with C++'s; using it is an error.
    """

    RELAXED = 0
    ACQUIRE = 1
    CONSUME_UNSUPPORTED = 2
    RELEASE = 3
    ACQ_REL = 4
    SEQ_CST = 5


class MemoryScope(FlagEnum):
    """The work-items that a memory ordering applies to, as `sycl::memory_scope`."""

    WORK_ITEM = 0
    SUB_GROUP = 1
    WORK_GROUP = 2
    DEVICE = 3
    SYSTEM = 4


class AddressSpace(FlagEnum):
    """The address space of a reference, as `sycl::access::address_space`."""

    PRIVATE = 0
    GLOBAL = 1
    CONSTANT = 2
    LOCAL = 3
    GENERIC = 4
