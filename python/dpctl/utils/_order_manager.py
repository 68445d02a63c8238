"""Sequential order on out-of-order queues: events of submitted tasks, on which later tasks depend."""

from dpep._core import SequentialOrderManager

__all__ = ["SequentialOrderManager"]
