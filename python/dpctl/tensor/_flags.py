"""The flags of arrays, under the name of dpctl's module."""

from dpep._array import Flags

__all__ = ["Flags"]
