"""dpctl's C interface from ctypes: the same library, without a compiler."""

from __future__ import annotations

import ctypes
import os

import dpctl


def load() -> ctypes.CDLL:
    """Return the library with the signatures of the functions that this example calls."""
    library = ctypes.CDLL(os.path.join(os.path.dirname(dpctl.__file__), "libDPCTLSyclInterface.so"))
    reference = ctypes.c_void_p
    signatures = {
        "DPCTLDevice_Create": (reference, []),
        "DPCTLDevice_GetMaxComputeUnits": (ctypes.c_uint32, [reference]),
        "DPCTLDevice_Delete": (None, [reference]),
        "DPCTLQueue_CreateForDevice": (reference, [reference, ctypes.c_void_p, ctypes.c_int]),
        "DPCTLQueue_Delete": (None, [reference]),
        "DPCTLmalloc_shared": (reference, [ctypes.c_size_t, reference]),
        "DPCTLfree_with_queue": (None, [reference, reference]),
        "DPCTLQueue_Fill64": (reference, [reference, reference, ctypes.c_uint64, ctypes.c_size_t]),
        "DPCTLEvent_Wait": (None, [reference]),
        "DPCTLEvent_Delete": (None, [reference]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def main() -> None:
    """Fill shared memory and read it."""
    dpctl_c = load()
    device = dpctl_c.DPCTLDevice_Create()
    queue = dpctl_c.DPCTLQueue_CreateForDevice(device, None, 0)
    memory = dpctl_c.DPCTLmalloc_shared(5 * 8, queue)
    event = dpctl_c.DPCTLQueue_Fill64(queue, memory, 42, 5)
    dpctl_c.DPCTLEvent_Wait(event)
    print("units", dpctl_c.DPCTLDevice_GetMaxComputeUnits(device))
    print("values", list((ctypes.c_uint64 * 5).from_address(memory)))
    dpctl_c.DPCTLEvent_Delete(event)
    dpctl_c.DPCTLfree_with_queue(memory, queue)
    dpctl_c.DPCTLQueue_Delete(queue)
    dpctl_c.DPCTLDevice_Delete(device)


if __name__ == "__main__":
    main()
