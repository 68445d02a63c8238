"""AtomicRef: an array's element that work-items update without losing each other's updates."""

from __future__ import annotations

from numba_dpex.kernel_api import current
from numba_dpex.kernel_api.memory_enums import AddressSpace, MemoryOrder, MemoryScope


class AtomicRef:
    """A reference to one element of an array, whose operations are atomic, as `sycl::atomic_ref`.

    Args:
        ref: an array: an argument of the kernel, or local memory.
        index: the element: an int, or a tuple of ints.
        memory_order, memory_scope: of all operations.
        address_space: where `ref` is; by default found out.

    Raises:
        TypeError: `ref` is no array.

    Operations return the element's value before. In kernels their operand must become the element's type without loss,
    or both be integers, and `fetch_and`, `fetch_or` and `fetch_xor` want integers.
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
        """Where the element is, as given."""
        return self._address_space

    def load(self):
        """Return the element's value."""
        return self._left(self._value(), "load")

    def store(self, val) -> None:
        """Set the element to `val`."""
        self._ref[self._index] = val
        current.changed("store")

    def exchange(self, val):
        """Set the element to `val` and return what it was."""
        return self._replace(self._value(), val, "exchange")

    def compare_exchange(self, expected, desired, expected_idx=0) -> bool:
        """Set the element to `desired` if it equals `expected[expected_idx]`, and return whether it did.

        If it does not, its value is stored in `expected[expected_idx]`.
        """
        value = self._value()
        if value == expected[expected_idx]:
            self._replace(value, desired, "compare_exchange")
            return True
        expected[expected_idx] = self._left(value, "compare_exchange")
        return False

    def fetch_add(self, val):
        """Add `val`."""
        old = self._value()
        return self._replace(old, old + val, "fetch_add")

    def fetch_sub(self, val):
        """Subtract `val`."""
        old = self._value()
        return self._replace(old, old - val, "fetch_sub")

    def fetch_min(self, val):
        """Keep the less of the element and `val`."""
        old = self._value()
        return self._replace(old, min(old, val), "fetch_min")

    def fetch_max(self, val):
        """Keep the greater of the element and `val`."""
        old = self._value()
        return self._replace(old, max(old, val), "fetch_max")

    def fetch_and(self, val):
        """Keep the bits that are set in both the element and `val`."""
        old = self._value()
        return self._replace(old, old & val, "fetch_and")

    def fetch_or(self, val):
        """Keep the bits that are set in the element or `val`."""
        old = self._value()
        return self._replace(old, old | val, "fetch_or")

    def fetch_xor(self, val):
        """Keep the bits that are set in one of the element and `val`."""
        old = self._value()
        return self._replace(old, old ^ val, "fetch_xor")

    def _value(self):
        value = self._ref[self._index]
        return value.copy() if hasattr(value, "copy") else value  # elements of arrays on devices are views

    def _replace(self, old, new, operation: str):
        self._ref[self._index] = new
        if old == new:
            return self._left(old, operation)
        current.changed(operation)
        return old

    def _left(self, value, operation: str):
        current.looked((id(self._ref), self._index), value, operation)
        return value
