"""Another name for what `cimport dpctl` declares."""

from dpctl cimport SyclEvent, SyclEvent_GetEventRef, SyclEvent_Make
