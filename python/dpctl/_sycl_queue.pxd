"""Another name for what `cimport dpctl` declares."""

from dpctl cimport SyclQueue, SyclQueue_GetQueueRef, SyclQueue_Make
