"""Programs in SPIR-V: clang's modules of the kernels in OpenCL C, modules written by hand, and damaged ones."""

from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess

import dpctl.program
import dpctl.tensor as dpt
import numpy as np
import opencl_kernels
import pytest
from dpctl.program import SyclProgramCompilationError, create_program_from_spirv

CLANG = os.environ.get("DPCXX_CLANG") or shutil.which("clang-22") or "/usr/lib/llvm-22/bin/clang"
# clang 22's code generator crashes for the first, and writes modules that spirv-val refuses for copies by groups.
NOT_FROM_CLANG = {"butterflies", "copied_by_groups", "shortest_paths"}
NAMES = sorted(opencl_kernels.CASES.keys() - NOT_FROM_CLANG)


def compiled(source: str, options: str = "") -> bytes:
    command = [CLANG, "-x", "cl", "--target=spirv64", "-O1", "-w", *options.split(), "-c", "-", "-o", "-"]
    done = subprocess.run(command, input=source.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_kernels_compute_what_numpy_computes(name, queue):
    case = opencl_kernels.CASES[name](np.random.default_rng(7))
    program = create_program_from_spirv(queue, compiled(case.source, case.options))
    device = [dpt.asarray(a, sycl_queue=queue) if isinstance(a, np.ndarray) else a for a in case.arguments]
    queue.submit(program.get_sycl_kernel(name), device, case.global_range, case.local_range)
    for position, expected in case.results.items():
        result = dpt.asnumpy(device[position])
        if name == "escape_times":  # points beside the border of the set may differ in single precision
            assert (result != expected).mean() < case.tolerance
        else:
            scale = np.abs(expected).max()
            np.testing.assert_allclose(result, expected, rtol=case.tolerance, atol=case.tolerance * scale)


FUNCTIONS = """
#define EACH(F, T) kernel void F##_##T(global const T *x, global T *y) { size_t i = get_global_id(0); y[i] = F(x[i]); }
EACH(exp, float4) EACH(sinpi, float2) EACH(cbrt, double) EACH(rint, float) EACH(normalize, float3) EACH(popcount, uint4)
EACH(clz, ushort) EACH(native_recip, float) EACH(native_sqrt, float) EACH(fabs, double2) EACH(erf, float)
EACH(sign, float8)
kernel void mixed(global const float4 *x, global int *y) {
  const size_t i = get_global_id(0);
  const float4 a = x[i];
  int exponent;
  float whole;
  const float part = modf(a.x, &whole) + frexp(a.y, &exponent) + dot(a, a.wzyx) + fmod(a.x, 0.75f);
  const int4 whole_numbers = convert_int4_sat_rte(a * 1e10f);
  const uchar4 bytes = convert_uchar4_sat(a * 100);
  y[i] = (int)(part * 1000) + exponent + any(isless(a, a.yzwx)) + whole_numbers.z / 1000 + bytes.w
       + mul_hi(whole_numbers.x, 3) + (int)hadd(bytes.x, bytes.y) + abs_diff(exponent, 7) + select(1, 2, bytes.z > 30)
       + shuffle(whole_numbers, (uint4)(3, 2, 1, 0)).x / 77;
}
"""


def test_built_in_functions_give_what_they_give_in_opencl_c(queue):
    spirv = create_program_from_spirv(queue, compiled(FUNCTIONS))
    source = dpctl.program.create_program_from_source(queue, FUNCTIONS)
    rng = np.random.default_rng(1)
    names = ["exp_float4", "sinpi_float2", "cbrt_double", "rint_float", "normalize_float3", "popcount_uint4",
             "clz_ushort", "native_recip_float", "native_sqrt_float", "fabs_double2", "erf_float", "sign_float8",
             "mixed"]  # fmt: skip
    for name in names:
        floats = "float" in name or name == "mixed"
        dtype = np.float32 if floats else np.float64 if "double" in name else np.uint32 if "uint" in name else np.uint16
        x = (rng.random(256) * (100 if "int" in name or "ushort" in name else 1)).astype(dtype)
        results = []
        for program in (spirv, source):
            y = dpt.zeros(256, dtype="i4" if name == "mixed" else dtype, sycl_queue=queue)
            queue.submit(program.get_sycl_kernel(name), [dpt.asarray(x, sycl_queue=queue), y], [16])
            results.append(dpt.asnumpy(y))
        np.testing.assert_allclose(*results, rtol=1e-6, err_msg=name)
        assert results[0].any(), name


@pytest.mark.parametrize("buffer", [bytes, bytearray, memoryview, lambda b: np.frombuffer(b, np.uint8)])
def test_modules_are_buffers(buffer, queue):
    module = compiled("kernel void f(global int *x) { x[0] = 1; }")
    assert create_program_from_spirv(queue, buffer(module)).has_sycl_kernel("f")


def test_modules_have_the_properties_of_their_kernels(queue):
    source = """
    struct pair { int a; double b; };
    kernel __attribute__((reqd_work_group_size(8, 1, 1)))
    void k(global float *numbers, local int *scratch, constant char *table, struct pair p, int4 v, short s) {}"""
    kernel = create_program_from_spirv(queue, compiled(source)).get_sycl_kernel("k")
    assert (kernel.num_args, kernel.work_group_size) == (6, 8)
    x = dpt.zeros(8, dtype="f4", sycl_queue=queue)
    arguments = [x, dpctl.LocalAccessor("i4", (1,)), x, bytes(16), bytes(16), np.int16(1)]
    queue.submit(kernel, arguments, [8], [8])
    for position, wrong in ((0, np.int32(3)), (1, x), (3, bytes(15)), (4, bytes(12)), (5, np.int32(1))):
        with pytest.raises(dpctl.SyclKernelSubmitError, match=f"argument {position + 1} "):
            queue.submit(kernel, [*arguments[:position], wrong, *arguments[position + 1 :]], [8], [8])


def words(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


HEADER = words(0x07230203, 0x00010000, 0, 10, 0)
WRONG = {
    "empty": (b"", "not SPIR-V"),
    "text": (b"kernel void f(global int *x) {}  ", "not SPIR-V"),
    "no magic number": (bytes(40), "magic number"),
    "an instruction without length": (HEADER + words(0x00000011), "an instruction exceeds the module"),
    "an instruction that is too long": (HEADER + words(0x00050011, 4), "an instruction exceeds the module"),
    "an id out of its bound": (HEADER + words(0x00020013, 50), "id 50 is out of its bound"),
    "a graphics module": (HEADER + words(0x0003000E, 0, 1), "memory model"),
    "a vector of nothing": (HEADER + words(0x00040017, 1, 2, 4), "id 2 is not a type"),
    "no kernels at 32 bits": (HEADER + words(0x0003000E, 1, 2), "64-bit addresses"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_modules_are_errors(name, queue):
    module, message = WRONG[name]
    with pytest.raises(SyclProgramCompilationError, match=message):
        create_program_from_spirv(queue, module)


def test_images_are_refused(queue):
    source = (
        "kernel void f(read_only image2d_t x, sampler_t s, global float4 *y) { y[0] = read_imagef(x, s, (int2)(0)); }"
    )
    with pytest.raises(SyclProgramCompilationError, match="not supported"):
        create_program_from_spirv(queue, compiled(source))


@pytest.mark.parametrize("wrong", ["text", 3, None])
def test_other_types_are_type_errors(wrong, queue):
    with pytest.raises(TypeError):
        create_program_from_spirv(queue, wrong)


def test_damaged_modules_are_errors_or_programs(queue):
    whole = [compiled(opencl_kernels.CASES[n](np.random.default_rng(7)).source, "-cl-std=CL3.0") for n in NAMES[:6]]
    rng = random.Random(1)
    refused = 0
    for _ in range(300):
        module = bytearray(rng.choice(whole))
        for _ in range(rng.choice([1, 2, 5])):
            at = 4 * rng.randrange(5, len(module) // 4)
            module[at : at + 4] = rng.choice([rng.randrange(500), rng.randrange(1 << 32)]).to_bytes(4, "little")
        try:
            create_program_from_spirv(queue, bytes(module))
        except SyclProgramCompilationError as e:
            assert "LLVM crashed" not in str(e)
            refused += 1
    assert refused > 100
