"""Another name for what `cimport dpctl` declares."""

from dpctl cimport SyclDevice, SyclDevice_GetDeviceRef, SyclDevice_Make
