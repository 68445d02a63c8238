"""Conversions of devices to and from DLPack devices, under the module name of dpctl."""

from dpctl.tensor._dlpack import dldevice_to_sycl_device, sycl_device_to_dldevice

__all__ = ["dldevice_to_sycl_device", "sycl_device_to_dldevice"]
