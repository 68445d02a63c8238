"""Helpers for functions on USM memory: the execution queue, the kind of memory of results, the order of tasks."""

from dpctl.utils._compute_follows_data import (
    ExecutionPlacementError,
    get_coerced_usm_type,
    get_execution_queue,
    validate_usm_type,
)
from dpctl.utils._intel_device_info import intel_device_info
from dpctl.utils._onetrace_context import onetrace_enabled
from dpctl.utils._order_manager import SequentialOrderManager

__all__ = [
    "ExecutionPlacementError",
    "SequentialOrderManager",
    "get_coerced_usm_type",
    "get_execution_queue",
    "intel_device_info",
    "onetrace_enabled",
    "validate_usm_type",
]
