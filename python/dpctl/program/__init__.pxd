"""`cimport dpctl.program`: what `dpctl.program._program` declares."""

from dpctl.program._program cimport (
    SyclKernel,
    SyclKernel_GetKernelRef,
    SyclKernel_Make,
    SyclProgram,
    SyclProgram_GetKernelBundleRef,
    SyclProgram_Make,
    create_program_from_source,
    create_program_from_spirv,
)
