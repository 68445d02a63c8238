"""The exceptions and warnings of dpnp's functions: NumPy's, those of dpctl, and one for dtypes.

>>> import dpnp as np
>>> issubclass(np.exceptions.AxisError, ValueError)
True
"""

from dpctl import SyclContextCreationError, SyclDeviceCreationError, SyclQueueCreationError
from dpctl.memory import USMAllocationError
from dpctl.utils import ExecutionPlacementError
from numpy.exceptions import (
    AxisError,
    ComplexWarning,
    DTypePromotionError,
    ModuleDeprecationWarning,
    RankWarning,
    TooHardError,
    VisibleDeprecationWarning,
)
from numpy.linalg import LinAlgError


class UFuncTypeError(TypeError, ValueError):
    """An element function has no loop for the dtypes of its operands.

    It is a TypeError as in NumPy, and a ValueError as in Intel's dpnp.

    >>> import dpnp as np
    >>> issubclass(np.exceptions.UFuncTypeError, TypeError)
    True
    """


__all__ = [
    "AxisError",
    "ComplexWarning",
    "DTypePromotionError",
    "ExecutionPlacementError",
    "LinAlgError",
    "ModuleDeprecationWarning",
    "RankWarning",
    "SyclContextCreationError",
    "SyclDeviceCreationError",
    "SyclQueueCreationError",
    "TooHardError",
    "UFuncTypeError",
    "USMAllocationError",
    "VisibleDeprecationWarning",
]
