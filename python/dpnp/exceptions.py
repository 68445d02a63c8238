"""The exceptions and warnings of dpnp's functions: NumPy's, and those of dpctl for queues and memory.

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
    TooHardError,
    VisibleDeprecationWarning,
)
from numpy.linalg import LinAlgError

__all__ = [
    "AxisError",
    "ComplexWarning",
    "DTypePromotionError",
    "ExecutionPlacementError",
    "LinAlgError",
    "ModuleDeprecationWarning",
    "SyclContextCreationError",
    "SyclDeviceCreationError",
    "SyclQueueCreationError",
    "TooHardError",
    "USMAllocationError",
    "VisibleDeprecationWarning",
]
