"""AtomicRef: atomic operations on an element of an array."""

from __future__ import annotations

from numba_dpex.kernel_api import current
from numba_dpex.kernel_api.memory_enums import AddressSpace, MemoryOrder, MemoryScope


class AtomicRef:
    """A reference to an element of an array with atomic operations, as `sycl::atomic_ref`.

    Args:
        ref: an array: an argument of the kernel, or local memory.
        index: the element: an int, or a tuple of ints.
        memory_order, memory_scope: of all operations.
        address_space: of `ref`; by default that of the array.

    Raises:
        TypeError: `ref` is not an array.

    Operations return the element's previous value. In kernels the conversion of their operand to the element's type
    must be lossless, unless both are integers; `fetch_and`, `fetch_or` and `fetch_xor` require integers.
    """

    def __init__(
        self,
        ref,
        index,
        memory_order: MemoryOrder = MemoryOrder.RELAXED,
        memory_scope: MemoryScope = MemoryScope.DEVICE,
        address_space: AddressSpace | None = None,
    ) -> None:
        if not (hasattr(ref, "__getitem__") and hasattr(ref, "__setitem__")):
            raise TypeError(f"AtomicRef: ref must be an array, not {type(ref).__name__}")
        self._ref = ref
        self._index = index
        self._memory_order = memory_order
        self._memory_scope = memory_scope
        self._address_space = address_space

    @property
    def ref(self):
        """The element's value."""
        return self.load()

    @property
    def memory_order(self) -> MemoryOrder:
        """The order of all operations."""
        return self._memory_order

    @property
    def memory_scope(self) -> MemoryScope:
        """The scope of all operations."""
        return self._memory_scope

    @property
    def address_space(self) -> AddressSpace | None:
        """The address space that was given."""
        return self._address_space

    def load(self):
        """Return the element's value."""
        return self._unchanged(self._value(), "load")

    def store(self, val) -> None:
        """Set the element to `val`."""
        self._ref[self._index] = val
        current.record_change("store")

    def exchange(self, val):
        """Set the element to `val` and return its previous value."""
        return self._replace(self._value(), val, "exchange")

    def compare_exchange(self, expected, desired, expected_idx=0) -> bool:
        """Set the element to `desired` if it equals `expected[expected_idx]`, and return whether it did.

        Otherwise its value is stored in `expected[expected_idx]`.
        """
        value = self._value()
        if value == expected[expected_idx]:
            self._replace(value, desired, "compare_exchange")
            return True
        expected[expected_idx] = self._unchanged(value, "compare_exchange")
        return False

    def fetch_add(self, val):
        """Add `val` to the element."""
        old = self._value()
        return self._replace(old, old + val, "fetch_add")

    def fetch_sub(self, val):
        """Subtract `val` from the element."""
        old = self._value()
        return self._replace(old, old - val, "fetch_sub")

    def fetch_min(self, val):
        """Set the element to the minimum of it and `val`."""
        old = self._value()
        return self._replace(old, min(old, val), "fetch_min")

    def fetch_max(self, val):
        """Set the element to the maximum of it and `val`."""
        old = self._value()
        return self._replace(old, max(old, val), "fetch_max")

    def fetch_and(self, val):
        """Set the element to the bitwise and of it and `val`."""
        old = self._value()
        return self._replace(old, old & val, "fetch_and")

    def fetch_or(self, val):
        """Set the element to the bitwise or of it and `val`."""
        old = self._value()
        return self._replace(old, old | val, "fetch_or")

    def fetch_xor(self, val):
        """Set the element to the bitwise exclusive or of it and `val`."""
        old = self._value()
        return self._replace(old, old ^ val, "fetch_xor")

    def _value(self):
        value = self._ref[self._index]
        return value.copy() if hasattr(value, "copy") else value  # an element of a device array is a view

    def _replace(self, old, new, operation: str):
        self._ref[self._index] = new
        if old == new:
            return self._unchanged(old, operation)
        current.record_change(operation)
        return old

    def _unchanged(self, value, operation: str):
        current.record_read((id(self._ref), self._index), value, operation)
        return value
