"""FlagEnum: enumerations whose members are integer constants in kernels."""

from enum import IntEnum


class FlagEnum(IntEnum):
    """Base of the enumerations that kernels know: members are integers, on the host and in kernels."""

    @classmethod
    def basetype(cls) -> int:
        """Return a value of the type that members have: an int."""
        return 0
