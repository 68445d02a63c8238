"""Types of a kernel's first parameter, for signatures: ItemType, NdItemType, and GroupType for device functions."""

from numba_dpex.core.types.base import Type


class _IndexSpaceType(Type):
    _what = ""

    def __init__(self, ndim: int) -> None:
        if ndim not in (1, 2, 3):
            raise TypeError(f"{type(self).__name__}: ndim must be 1, 2 or 3, not {ndim!r}")
        super().__init__(f"{self._what}({ndim})")
        self.ndim = ndim


class ItemType(_IndexSpaceType):
    """The type of Item, in a kernel that is launched over a Range of `ndim` dimensions."""

    _what = "Item"


class NdItemType(_IndexSpaceType):
    """The type of NdItem, in a kernel that is launched over an NdRange of `ndim` dimensions."""

    _what = "NdItem"


class GroupType(_IndexSpaceType):
    """The type of Group, in an index space of `ndim` dimensions."""

    _what = "Group"
