"""What functions on USM memory need: which queue to run on, what kind of memory to return, in which order."""

from dpctl.utils._compute_follows_data import (
    ExecutionPlacementError,
    get_coerced_usm_type,
    get_execution_queue,
    validate_usm_type,
)
from dpctl.utils._intel_device_info import intel_device_info
from dpctl.utils._order_manager import SequentialOrderManager

__all__ = [
    "ExecutionPlacementError",
    "SequentialOrderManager",
    "get_coerced_usm_type",
    "get_execution_queue",
    "intel_device_info",
    "validate_usm_type",
]
