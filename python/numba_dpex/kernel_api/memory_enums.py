"""Memory orders, scopes and address spaces; the values are those of the published package."""

from numba_dpex.kernel_api.flag_enum import FlagEnum


class MemoryOrder(FlagEnum):
    """How an atomic operation or fence orders the memory accesses around it, as `sycl::memory_order`.

    CONSUME_UNSUPPORTED keeps the values those of C++; using it is an error.
    """

    RELAXED = 0
    ACQUIRE = 1
    CONSUME_UNSUPPORTED = 2
    RELEASE = 3
    ACQ_REL = 4
    SEQ_CST = 5


class MemoryScope(FlagEnum):
    """Which work-items an ordering constraint is for, as `sycl::memory_scope`."""

    WORK_ITEM = 0
    SUB_GROUP = 1
    WORK_GROUP = 2
    DEVICE = 3
    SYSTEM = 4


class AddressSpace(FlagEnum):
    """Where a reference points, as `sycl::access::address_space`."""

    PRIVATE = 0
    GLOBAL = 1
    CONSTANT = 2
    LOCAL = 3
    GENERIC = 4
