"""The names of `dpctl.program`, under the module name that Cython modules and extensions of dpctl import."""

from dpctl.program import (
    SyclKernel,
    SyclProgram,
    SyclProgramCompilationError,
    __pyx_capi__,  # noqa: F401  Cython gets the functions of dpctl's .pxd files from here
    create_program_from_source,
    create_program_from_spirv,
)

__all__ = [
    "SyclKernel",
    "SyclProgram",
    "SyclProgramCompilationError",
    "create_program_from_source",
    "create_program_from_spirv",
]
