"""FlagEnum: enumerations whose members are integer constants in kernels."""

from enum import IntEnum


class FlagEnum(IntEnum):
    """Base of enumerations that kernels can use: members are integers, on the host and in kernels."""

    @classmethod
    def basetype(cls) -> int:
        """Return a value of the members' type, an int."""
        return 0
