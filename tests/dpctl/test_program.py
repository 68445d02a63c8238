"""dpctl.program: programs, kernels and their submission, with wrong sources, options and arguments."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import subprocess
import sys
import threading

import dpctl
import dpctl.memory
import dpctl.program
import dpctl.tensor as dpt
import numpy as np
import pytest
from dpctl.program import (
    SyclProgramCompilationError,
    create_program_from_bitcode,
    create_program_from_source,
)

SOURCE = """
struct pair { int a; float b; };
kernel void scaled(global const float *x, global float *y, float factor) {
  size_t i = get_global_id(0);
  y[i] = factor * x[i];
}
kernel __attribute__((reqd_work_group_size(8, 2, 1), intel_reqd_sub_group_size(8)))
void of_groups(global int *where, local int *scratch, constant int *table, struct pair p, float3 v) {
  scratch[get_local_id(0)] = table[0] + p.a + (int)(p.b + v.z);
  barrier(CLK_LOCAL_MEM_FENCE);
  where[get_global_id(1) * get_global_size(0) + get_global_id(0)] = scratch[7 - get_local_id(0)];
}
"""


@pytest.fixture(scope="module")
def program():
    return create_program_from_source(dpctl.SyclQueue(), SOURCE)


def test_a_program_has_its_kernels(program):
    assert type(program) is dpctl.program.SyclProgram
    assert program.has_sycl_kernel("scaled")
    assert not program.has_sycl_kernel("pair")
    assert program.addressof_ref() > 0
    assert repr(program) == "<dpctl.program.SyclProgram with kernels ['scaled', 'of_groups']>"
    with pytest.raises(ValueError, match="no kernel 'nothing'; it has 'scaled', 'of_groups'"):
        program.get_sycl_kernel("nothing")


def test_modules_have_the_names_that_programs_for_dpctl_import():
    code = """
import dpctl
assert dpctl._sycl_queue.SyclKernelSubmitError is dpctl.SyclKernelSubmitError
assert dpctl.program._program.SyclKernel is dpctl.program.SyclKernel
from dpctl._sycl_queue import kernel_arg_type
assert [k.value for k in kernel_arg_type] == list(range(14))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_kernels_have_properties(program, queue):
    scaled, of_groups = (program.get_sycl_kernel(name) for name in ("scaled", "of_groups"))
    assert (scaled.get_function_name(), scaled.get_num_args(), scaled.num_args) == ("scaled", 3, 3)
    assert of_groups.num_args == 5
    assert scaled.work_group_size == queue.sycl_device.max_work_group_size
    assert of_groups.work_group_size == 16
    assert scaled.preferred_work_group_size_multiple in queue.sycl_device.sub_group_sizes
    assert scaled.max_num_sub_groups * scaled.max_sub_group_size >= scaled.work_group_size
    assert (scaled.compile_num_sub_groups, scaled.compile_sub_group_size) == (0, 0)
    assert (of_groups.compile_sub_group_size, of_groups.max_sub_group_size, of_groups.max_num_sub_groups) == (8, 8, 2)
    assert scaled.private_mem_size == 0
    assert repr(scaled) == "<dpctl.program.SyclKernel 'scaled' with 3 arguments>"


def test_private_arrays_count_as_private_memory(queue):
    source = (
        "kernel void k(global int *x, int n) { int a[100]; for (int i = 0; i < n; ++i) a[x[i]] = i; x[0] = a[x[1]]; }"
    )
    kernel = create_program_from_source(queue, source).get_sycl_kernel("k")
    assert kernel.private_mem_size == 400


@pytest.mark.parametrize("make", ["SyclProgram", "SyclKernel"])
def test_programs_and_kernels_cannot_be_made_empty(make):
    with pytest.raises(TypeError):
        getattr(dpctl.program, make)()


WRONG_SOURCES = {
    "kernel void f( {": "program.cl:1:16: error",
    "kernel void f(global int *x) { x[0] = y; }": "use of undeclared identifier 'y'",
    "#error not today": "not today",
    "float g(float x); kernel void f(global float *x) { x[0] = g(x[1]); }": "'g' is declared but not defined",
    "kernel void f(read_only image2d_t x, global int *y) { y[0] = 1; }": r"argument 1 \('x'\) .* image2d_t: images",
    "global int counter = 1; kernel void f(global int *x) { x[0] = counter++; }": "global",
    "kernel void f(global int *x) { return 1; }": "error",
    "kernel int f(global int *x) { return 1; }": "error",
    "kernel void f(global int **x) { x[0] = 0; }": "error",
    "kernel void \0": "NUL",
}


@pytest.mark.parametrize("source", WRONG_SOURCES)
def test_wrong_sources_are_errors_with_the_compilers_messages(source, queue):
    with pytest.raises(SyclProgramCompilationError, match=WRONG_SOURCES[source]):
        create_program_from_source(queue, source)


def test_kernels_that_launch_kernels_are_refused(queue):
    source = """
    kernel void f(global int *x) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{ x[0] = 1; });
    }"""
    with pytest.raises(SyclProgramCompilationError, match="kernels that launch kernels are not supported"):
        create_program_from_source(queue, source, "-cl-std=CL2.0")


LANGUAGE = {  # statements of x, an array of ints, and i, the work-item's id: the first results of four work-items
    "g(x, 7)": ([11, 11, 11, 11], ""),
    "x[i] = square(3) + (int)square(1.5f)": ([11] * 4, ""),
    "x[i] = tables[i & 1][1]": ([2, 4, 2, 4], ""),
    "x[i] = factorial(i + 1)": ([1, 2, 6, 24], ""),
    "x[i] = (int)far_away((float4)(1, 2, 3, 4), i).w": ([0, 4, 8, 12], ""),
    "int a[4]; for (int k = 0; k < 4; k++) a[k] = k * i; x[i] = a[3]": ([0, 3, 6, 9], "-cl-opt-disable"),
    "int n = 0; again: n++; if (n < i + 3) goto again; x[i] = n": ([3, 4, 5, 6], ""),
    "switch (i) { case 0: x[0] = 5; break; case 1: x[1] = 7; break; default: x[i] = 9; }": ([5, 7, 9, 9], ""),
    "union { float f; int i; } u; u.f = 1; x[i] = u.i": ([0x3F800000] * 4, ""),
    "int4 a = (int4)(1, 2, 3, i), b = a > 2; x[i] = b.w + 10 * b.z": ([-10, -10, -10, -11], ""),
    "int4 a = (int4)(i, 5, 6, 7); a.yz = a.wx; a.hi += 1; x[i] = a.y + 10 * a.s2 + 100 * a.odd.y": (
        [817, 827, 837, 847],
        "",
    ),
    "x[i] = mad24(1, 2, 3) + vec_step(float3) + sizeof(float3) + as_int(2.0f) - 0x40000000": ([25] * 4, ""),
    "int own = 3; x[i] = value_at(&own) + value_at(x + i)": ([3] * 4, "-cl-std=CL3.0"),
    "int (^block)(int) = ^(int v) { return v + (int)i; }; x[i] = block(3)": ([3, 4, 5, 6], "-cl-std=CL2.0"),
    "x[i] = get_sub_group_local_id() + 10 * sub_group_reduce_add(1)": ([40, 41, 42, 43], "-cl-std=CL3.0"),
    "auto twice = [](auto v) { return 2 * v; }; x[i] = twice(i)": ([0, 2, 4, 6], "-cl-std=CLC++2021"),
}
HELPERS = """
constant int first[2] = {1, 2}, second[2] = {3, 4};
constant int *constant tables[2] = {first, second};
__attribute__((overloadable)) int square(int a) { return a * a; }
__attribute__((overloadable)) float square(float a) { return a * a; }
int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__attribute__((noinline)) float4 far_away(float4 a, int n) { return a * n; }
int value_at(const int *p) { return *p; }
kernel void g(global int *x, int v) {
  local int t[4];
  t[get_local_id(0)] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = t[3 - get_local_id(0)] + get_local_size(0);
}
"""


@pytest.mark.parametrize("statements", LANGUAGE)
def test_the_language(statements, queue):
    expected, options = LANGUAGE[statements]
    helpers = HELPERS
    if "CLC++" in options or not options.startswith("-cl-std"):
        helpers = helpers.replace("int value_at(const int *p) { return *p; }", "")
    if "CLC++" in options:
        helpers = ""
    source = f"{helpers} kernel void f(global int *x) {{ const int i = get_global_id(0); {statements}; }}"
    x = dpt.zeros(16, dtype="i4", sycl_queue=queue)
    queue.submit(create_program_from_source(queue, source, options).get_sycl_kernel("f"), [x], [4], [4])
    np.testing.assert_array_equal(dpt.asnumpy(x)[:4], expected)


@pytest.mark.parametrize("width", [1, 2, 3, 4, 8, 16])
@pytest.mark.parametrize("t", ["uchar", "short", "float", "ulong"])
def test_vectors_of_all_widths_in_memory(width, t, queue):
    dtype = {"uchar": np.uint8, "short": np.int16, "float": np.float32, "ulong": np.uint64}[t]
    n, v = 48_000, "" if width == 1 else str(width)
    load, store = ("x[i]", "y[i] = v") if width == 1 else (f"vload{v}(i, x)", f"vstore{v}(v, i, y)")
    source = f"""
    kernel void f(global const {t} *x, global {t} *y, int rounds) {{
      const size_t i = get_global_id(0);
      {t}{v} v = {load};
      for (int k = 0; k < rounds; ++k) v = v * ({t})3 + {load};
      {store};
    }}"""
    values = np.random.default_rng(2).integers(0, 100, n).astype(dtype)
    x, y = dpt.asarray(values, sycl_queue=queue), dpt.zeros(n, dtype=dtype, sycl_queue=queue)
    kernel = create_program_from_source(queue, source).get_sycl_kernel("f")
    queue.submit(kernel, [x, y, ctypes.c_int(2)], [n // width])
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(dpt.asnumpy(y), values * dtype(13))


def test_variables_in_global_memory_are_refused_by_name(queue):
    source = "global int counter = 1; kernel void f(global int *x) { x[0] = counter++; }"
    with pytest.raises(SyclProgramCompilationError, match="the variable 'counter' is in global memory"):
        create_program_from_source(queue, source, "-cl-std=CL3.0")


def test_functions_of_images_are_refused_by_name(queue):
    source = """
    float4 g(read_only image2d_t x, sampler_t s) { return read_imagef(x, s, (int2)(0, 0)); }
    kernel void f(global float4 *y) {}"""
    with pytest.raises(SyclProgramCompilationError, match="'read_imagef' needs images"):
        create_program_from_source(queue, source)


@pytest.mark.parametrize("arguments", [(None, SOURCE), ("cpu", SOURCE), ("queue", b"text"), ("queue", 3),
                                       ("queue", SOURCE, 3), ("queue", SOURCE, None), ("queue",)])  # fmt: skip
def test_wrong_types_are_type_errors(arguments, queue):
    with pytest.raises(TypeError):
        create_program_from_source(*(queue if a == "queue" else a for a in arguments))


def test_options_reach_the_compiler(queue):
    source = "kernel void f(global int *x, int unused) { x[0] = NUMBER + QUOTED[1]; }"
    options = "-DNUMBER=40 -D QUOTED='\"a\\002b\"' -cl-std=CL3.0 -cl-fast-relaxed-math -cl-kernel-arg-info -w -O3"
    program = create_program_from_source(queue, source, options)
    x = dpt.zeros(1, dtype="i4", sycl_queue=queue)
    queue.submit(program.get_sycl_kernel("f"), [x, ctypes.c_int(1)], [1])
    assert dpt.asnumpy(x)[0] == 42


@pytest.mark.parametrize(("options", "message"), [
    ("-fplugin=x", "'-fplugin=x' is not an option"), ("-cl-nonsense", "'-cl-nonsense' is not an option"),
    ("-DX='1", "open quote"), ("file.cl", "'file.cl' is not an option"), ("-cl-std=CL9", "CL9"), ("-o x", "'-o'"),
])  # fmt: skip
def test_wrong_options_are_errors(options, message, queue):
    with pytest.raises(SyclProgramCompilationError, match=message):
        create_program_from_source(queue, SOURCE, options)


def test_included_files_are_part_of_a_program(queue, tmp_path):
    source = '#include "value.h"\nkernel void f(global int *x) { x[0] = VALUE; }'
    x = dpt.zeros(1, dtype="i4", sycl_queue=queue)
    for value in (1, 2):  # the same source and options
        (tmp_path / "value.h").write_text(f"#define VALUE {value}\n")
        program = create_program_from_source(queue, source, f"-I '{tmp_path}'")
        queue.submit(program.get_sycl_kernel("f"), [x], [1])
        assert dpt.asnumpy(x)[0] == value


RUN = """
import dpctl, dpctl.program, dpctl.tensor as dpt
q = dpctl.SyclQueue()
source = "kernel void f(global int *x) { x[0] = 11 * get_global_size(0); }"
program = dpctl.program.create_program_from_source(q, source)
x = dpt.zeros(1, dtype="i4", sycl_queue=q)
q.submit(program.get_sycl_kernel("f"), [x], [3])
print(dpt.asnumpy(x)[0])
"""


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", RUN], env=os.environ | environment, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(not shutil.which("clang-22"), reason="clang 22 is not installed")
def test_without_clang_programs_come_from_the_cache_or_an_error_names_what_is_missing(tmp_path):
    missing = {"DPCXX_CLANG": "/nowhere/clang++", "DPEP_CACHE": str(tmp_path)}
    without = run(**missing)
    assert "SyclProgramCompilationError: clang 22 was not found" in without.stderr
    assert "create_program_from_source needs it" in without.stderr
    assert "/nowhere/clang++" in without.stderr
    assert run(DPEP_CACHE=str(tmp_path)).stdout == "33\n"
    assert run(**missing).stdout == "33\n"


def test_printf_has_vectors_and_formats(tmp_path):
    text = r"""
import dpctl, dpctl.program
q = dpctl.SyclQueue()
source = r'''
kernel void f(global int *unused, char4 bytes) {
  printf("%d %5.2f|%s|%v4hhd|%#v2x|%.1v2hlf|%lu%%\n",
         -3, 1.0f, "text", bytes, (uint2)(255, 16), (float2)(0.5f, 2.0f), 7ul);
}'''
import numpy as np
program = dpctl.program.create_program_from_source(q, source, "-w")
m = dpctl.memory.MemoryUSMDevice(4, queue=q)
q.submit(program.get_sycl_kernel("f"), [m, np.array([1, -2, 3, -4], np.int8)], [1])
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert done.stdout == "-3  1.00|text|1,-2,3,-4|0xff,0x10|0.5,2.0|7%\n", done.stderr


ARGUMENTS = {
    "usm_ndarray": lambda a: a,
    "usm_data": lambda a: a.usm_data,
    "as_usm_memory": lambda a: dpctl.memory.as_usm_memory(a),
    "interface": lambda a: type("holder", (), {"__sycl_usm_array_interface__": a.__sycl_usm_array_interface__})(),
}
FACTORS = {
    "ctypes": ctypes.c_float(2.5),
    "numpy": np.float32(2.5),
    "array": np.array([2.5], np.float32),
    "raw": dpctl.RawKernelArg(np.float32(2.5)),
    "bytes": np.float32(2.5).tobytes(),
}


@pytest.mark.parametrize("memory", ARGUMENTS)
@pytest.mark.parametrize("factor", FACTORS)
def test_arguments_of_all_kinds(memory, factor, program, queue):
    x = dpt.arange(1_000, dtype="f4", sycl_queue=queue)
    y = dpt.zeros_like(x)
    arguments = [ARGUMENTS[memory](x), ARGUMENTS[memory](y), FACTORS[factor]]
    for submit in (queue.submit, queue.submit_async):
        y[:] = 0
        submit(program.get_sycl_kernel("scaled"), arguments, [1_000]).wait()
        np.testing.assert_array_equal(dpt.asnumpy(y), np.arange(1_000, dtype=np.float32) * 2.5)


def test_dpnp_arrays_and_views_are_their_first_elements(program, queue):
    dpnp = pytest.importorskip("dpnp")
    x = dpnp.arange(20, dtype="f4", sycl_queue=queue)
    y = dpnp.zeros(20, dtype="f4", sycl_queue=queue)
    queue.submit(program.get_sycl_kernel("scaled"), [x[5:], y[10:], np.float32(1)], [10])
    expected = np.zeros(20, np.float32)
    expected[10:] = np.arange(5, 15)
    np.testing.assert_array_equal(dpnp.asnumpy(y), expected)


def test_ranges_of_two_dimensions_with_groups_and_structures(program, queue):
    if 8 not in queue.sycl_device.sub_group_sizes:
        pytest.skip("the kernel requires sub-groups of 8 work-items")
    where = dpt.zeros((6, 16), dtype="i4", sycl_queue=queue)
    table = dpt.asarray([100], dtype="i4", sycl_queue=queue)
    pair = np.array((20, 3.0), np.dtype([("a", np.int32), ("b", np.float32)]))
    vector = np.array([0, 0, 4, 0], np.float32)
    arguments = [where, dpctl.LocalAccessor("i4", (8,)), table, dpctl.RawKernelArg(pair), vector]
    queue.submit(program.get_sycl_kernel("of_groups"), arguments, [6, 16], [2, 8])
    np.testing.assert_array_equal(dpt.asnumpy(where), np.full((6, 16), 127))
    queue.submit(program.get_sycl_kernel("of_groups"), arguments, [6, 16])  # the size is the attribute's
    with pytest.raises(dpctl.SyclKernelInvalidRangeError, match="reqd_work_group_size"):
        queue.submit(program.get_sycl_kernel("of_groups"), arguments, [6, 16], [1, 8])


def test_groups_are_chosen_for_kernels_that_need_them(queue):
    source = """
    kernel void k(global int *x, local int *t) {
      t[get_local_id(0)] = get_global_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      x[get_global_id(0)] = t[get_local_size(0) - 1 - get_local_id(0)];
    }"""
    kernel = create_program_from_source(queue, source).get_sycl_kernel("k")
    for n in (1, 7, 250, 1_000, 30_030):
        x = dpt.zeros(n, dtype="i4", sycl_queue=queue)
        queue.submit(kernel, [x, dpctl.WorkGroupMemory(4 * 256)], [n])
        np.testing.assert_array_equal(np.sort(dpt.asnumpy(x)), np.arange(n))


def test_dependencies_and_order_with_array_operations(program, queue):
    x = dpt.ones(100_000, dtype="f4", sycl_queue=queue)
    kernel = program.get_sycl_kernel("scaled")
    events = []
    for _ in range(10):
        x += 1  # pending when the kernel is submitted
        events = [queue.submit_async(kernel, [x, x, np.float32(2)], [x.size], None, events)]
    x -= 1
    expected = 1.0
    for _ in range(10):
        expected = (expected + 1) * 2
    np.testing.assert_array_equal(dpt.asnumpy(x), np.full(100_000, expected - 1, np.float32))


def test_arguments_live_until_the_kernel_is_complete(program, queue):
    y = dpt.zeros(1 << 20, dtype="f4", sycl_queue=queue)
    for _ in range(20):
        x = dpctl.memory.MemoryUSMShared(4 << 20, queue=queue)
        np.frombuffer(memoryview(x), np.float32)[:] = 3
        event = queue.submit_async(program.get_sycl_kernel("scaled"), [x, y, np.float32(2)], [1 << 20])
        del x
    event.wait()
    assert (dpt.asnumpy(y) == 6).all()


def test_threads_make_and_run_programs_at_once():
    errors: list[BaseException] = []

    def work(thread: int) -> None:
        try:
            q = dpctl.SyclQueue()
            x = dpt.zeros(100, dtype="i4", sycl_queue=q)
            for i in range(15):
                factor = (thread + i) % 5  # some are made by several threads at once
                source = f"kernel void f(global int *x, int v) {{ x[get_global_id(0)] = {factor} * v + 9; }}"
                kernel = create_program_from_source(q, source).get_sycl_kernel("f")
                q.submit_async(kernel, [x, ctypes.c_int(i)], [100]).wait()
                assert (dpt.asnumpy(x) == factor * i + 9).all()
                with pytest.raises(SyclProgramCompilationError):
                    create_program_from_source(q, "kernel void f(")
        except BaseException as e:
            errors.append(e)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors


def test_empty_ranges_do_nothing(program, queue):
    y = dpt.ones(4, dtype="f4", sycl_queue=queue)
    assert queue.submit(program.get_sycl_kernel("scaled"), [y, y, np.float32(0)], [0]).execution_status
    np.testing.assert_array_equal(dpt.asnumpy(y), np.ones(4))


SUBMIT_ERRORS = {  # arguments instead of [x, y, np.float32(2)]: messages
    "few": (lambda x: [x, x], r"argument 3 \('float factor'\) is missing"),
    "many": (lambda x: [x, x, np.float32(2), x], "has 3 arguments, got one more at position 4"),
    "size": (lambda x: [x, x, np.float64(2)], r"argument 3 \('float factor'\) .* expected 4 bytes, got float64 with 8"),
    "value": (lambda x: [x, np.float32(2), np.float32(2)], r"argument 2 \('float\* y'\) .* expected USM memory, got"),
    "pointer": (lambda x: [x, x, x], r"argument 3 \('float factor'\) .* expected 4 bytes, got .*usm_ndarray"),
    "local": (lambda x: [x, dpctl.LocalAccessor("f4", (1,)), np.float32(2)], "USM memory, got .*LocalAccessor"),
    "numpy": (lambda x: [np.ones(3, np.float32), x, np.float32(2)], "expected USM memory, got .*ndarray"),
}  # fmt: skip


@pytest.mark.parametrize("name", SUBMIT_ERRORS)
def test_wrong_arguments_are_named(name, program, queue):
    make, message = SUBMIT_ERRORS[name]
    with pytest.raises(dpctl.SyclKernelSubmitError, match=message):
        queue.submit(program.get_sycl_kernel("scaled"), make(dpt.ones(3, dtype="f4", sycl_queue=queue)), [3])


def test_local_memory_is_required_for_local_pointers(program, queue):
    x = dpt.zeros(16, dtype="i4", sycl_queue=queue)
    pair, vector = bytes(8), np.zeros(4, np.float32)
    with pytest.raises(dpctl.SyclKernelSubmitError, match="expected a LocalAccessor or WorkGroupMemory"):
        queue.submit(program.get_sycl_kernel("of_groups"), [x, x, x, pair, vector], [2, 8])


@pytest.mark.parametrize("wrong", [3, 2.5, None, "text", [1], object()])
def test_objects_that_no_kernel_takes_are_type_errors(wrong, program, queue):
    x = dpt.ones(3, dtype="f4", sycl_queue=queue)
    with pytest.raises(TypeError, match="argument 3 is a"):
        queue.submit(program.get_sycl_kernel("scaled"), [x, x, wrong], [3])


WRONG_RANGES = {
    "none": ([], None, dpctl.SyclKernelInvalidRangeError, "one to three dimensions, got 0"),
    "four": ([1, 1, 1, 1], None, dpctl.SyclKernelInvalidRangeError, "one to three dimensions, got 4"),
    "negative": ([-1], None, dpctl.SyclKernelInvalidRangeError, "must not be negative"),
    "number": (3, None, TypeError, "gS must be a list of integers"),
    "floats": ([2.0], None, TypeError, "gS must be a list of integers"),
    "dimensions": ([4, 4], [4], ValueError, "same number of dimensions"),
    "zero": ([4], [0], dpctl.SyclKernelInvalidRangeError, "zeros"),
    "indivisible": ([16], [5], dpctl.SyclKernelInvalidRangeError, "16"),
}


@pytest.mark.parametrize("name", WRONG_RANGES)
def test_wrong_ranges_are_errors(name, program, queue):
    global_range, local_range, error, message = WRONG_RANGES[name]
    x = dpt.ones(16, dtype="f4", sycl_queue=queue)
    with pytest.raises(error, match=message):
        queue.submit(program.get_sycl_kernel("scaled"), [x, x, np.float32(1)], global_range, local_range)


def test_other_wrong_arguments_of_submit(program, queue):
    x = dpt.ones(16, dtype="f4", sycl_queue=queue)
    kernel = program.get_sycl_kernel("scaled")
    with pytest.raises(TypeError):
        queue.submit("scaled", [x, x, np.float32(1)], [16])
    with pytest.raises(TypeError, match="args must be a list"):
        queue.submit(kernel, None, [16])
    with pytest.raises(TypeError, match="dEvents"):
        queue.submit(kernel, [x, x, np.float32(1)], [16], None, [3])


def test_errors_of_argument_classes():
    for shape, error in (
        (3, TypeError),
        ((), ValueError),
        ((1, 2, 3, 4), ValueError),
        ((-1,), ValueError),
        (("a",), TypeError),
    ):
        with pytest.raises(error):
            dpctl.LocalAccessor("i8", shape)
    with pytest.raises(ValueError, match="'i9'"):
        dpctl.LocalAccessor("i9", (3,))
    for wrong in ((), (2.5,), ("zz", 3), ("i4", 2.5), (1, 2, 3)):
        with pytest.raises(TypeError):
            dpctl.WorkGroupMemory(*wrong)
    with pytest.raises(OverflowError):
        dpctl.WorkGroupMemory(-3)
    for wrong in ((), (5,), ("a", 3), (1, 2, 3)):
        with pytest.raises(TypeError):
            dpctl.RawKernelArg(*wrong)
    with pytest.raises(ValueError, match="address is 0"):
        dpctl.RawKernelArg(4, 0)
    assert dpctl.WorkGroupMemory.is_available()
    assert dpctl.RawKernelArg.is_available()
    value = ctypes.c_float(2.5)
    dpctl.RawKernelArg(ctypes.sizeof(value), ctypes.addressof(value))


def test_too_much_local_memory_is_an_error(queue):
    source = "kernel void k(global int *x, local int *t) { t[get_local_id(0)] = 1; x[0] = t[0]; }"
    kernel = create_program_from_source(queue, source).get_sycl_kernel("k")
    x = dpt.zeros(1, dtype="i4", sycl_queue=queue)
    with pytest.raises(MemoryError, match="local memory"):
        queue.submit(kernel, [x, dpctl.WorkGroupMemory(1 << 30)], [8], [8])


@pytest.fixture(scope="module")
def bitcode(tmp_path_factory):
    """Bitcode of `twice`, compiled as the documentation of create_program_from_bitcode says."""
    clang = next((c for c in (shutil.which("clang-22"), shutil.which("clang")) if c), None)
    if clang is None:
        pytest.skip("needs clang")
    folder = tmp_path_factory.mktemp("bitcode")
    source = folder / "twice.cl"
    source.write_text("kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }")

    def compiled(target: str) -> bytes:
        options = ["-O2", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c"]
        made = folder / f"{target}.bc"
        subprocess.run([clang, "-x", "cl", f"--target={target}", *options, source, "-o", made], check=True)
        return made.read_bytes()

    return compiled


def test_programs_are_made_of_bitcode(bitcode, queue):
    program = create_program_from_bitcode(queue, bitcode("spir64"))
    x = dpt.arange(100, dtype="i4", sycl_queue=queue)
    queue.submit(program.get_sycl_kernel("twice"), [x], [100])
    assert (dpt.asnumpy(x) == 2 * np.arange(100)).all()


def test_damaged_and_foreign_bitcode_is_refused(bitcode, queue):
    with pytest.raises(SyclProgramCompilationError, match="not LLVM bitcode"):
        create_program_from_bitcode(queue, b"BC")
    with pytest.raises(TypeError, match="bitcode must be bytes, got str"):
        create_program_from_bitcode(queue, "BC")
    with pytest.raises(SyclProgramCompilationError, match="another target than spir64"):
        create_program_from_bitcode(queue, bitcode("x86_64"))
    whole = bitcode("spir64")
    random = np.random.default_rng(3)
    for _ in range(20):  # of each, an exception or a program, but no crash
        damaged = bytearray(whole[: random.integers(4, len(whole) + 1)])
        for at in random.integers(4, len(damaged) + 1, 3):
            if at < len(damaged):
                damaged[at] ^= int(random.integers(1, 256))
        with contextlib.suppress(SyclProgramCompilationError):
            create_program_from_bitcode(queue, bytes(damaged))
