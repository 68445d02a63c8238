"""Where earlier releases had the error of arguments on different queues."""

from numba_dpex.core.exceptions import IndeterminateExecutionQueueError

__all__ = ["IndeterminateExecutionQueueError"]
