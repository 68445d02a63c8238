"""Devices to and from DLPack's, under the name of dpctl's module."""

from dpctl.tensor._dlpack import dldevice_to_sycl_device, sycl_device_to_dldevice

__all__ = ["dldevice_to_sycl_device", "sycl_device_to_dldevice"]
