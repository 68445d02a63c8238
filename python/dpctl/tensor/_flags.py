"""The flags of arrays, under the module name of dpctl."""

from dpep._array import Flags

__all__ = ["Flags"]
