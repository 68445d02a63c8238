"""Programs: kernels that are compiled from source in OpenCL C or SYCL, and run by `SyclQueue.submit`.

>>> import dpctl.program
>>> q = dpctl.SyclQueue()
>>> program = dpctl.program.create_program_from_source(q, "kernel void nothing(global int *a) {}")
>>> program.get_sycl_kernel("nothing").num_args
1
"""

from dpep._core import (
    SyclKernel,
    SyclProgram,
    SyclProgramCompilationError,
    __pyx_capi__,  # noqa: F401  Cython gets the functions of dpctl's .pxd files from here
    create_kernel_bundle_from_sycl_source,
    create_program_from_bitcode,
    create_program_from_source,
    create_program_from_spirv,
    is_sycl_source_compilation_available,
)

__all__ = [
    "SyclKernel",
    "SyclProgram",
    "SyclProgramCompilationError",
    "create_kernel_bundle_from_sycl_source",
    "create_program_from_bitcode",
    "create_program_from_source",
    "create_program_from_spirv",
    "is_sycl_source_compilation_available",
]

for _type in (SyclKernel, SyclProgram, SyclProgramCompilationError):
    _type.__module__ = __name__  # the public module, for messages
del _type


def __getattr__(name: str) -> object:
    if name == "_program":
        from importlib import import_module

        return import_module("dpctl.program._program")
    raise AttributeError(f"module 'dpctl.program' has no attribute {name!r}")
