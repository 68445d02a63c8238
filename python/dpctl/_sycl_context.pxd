"""Another name for what `cimport dpctl` declares."""

from dpctl cimport SyclContext, SyclContext_GetContextRef, SyclContext_Make
