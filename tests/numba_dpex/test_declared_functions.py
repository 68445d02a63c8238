"""C++ functions in Python kernels: declared, linked from source, bitcode and textual IR; and errors."""

from __future__ import annotations

import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
import pytest
from building import needs_compiler
from numba_dpex.core.exceptions import TypingError

SOURCE = """
#include <cmath>
#include <cstdint>
namespace {
float twice(float x) { return x + x; }
}
extern "C" float scaled(float x, std::int64_t n) { return twice(x) * float(n); }
extern "C" double norm(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}
extern "C" bool is_small(std::int8_t x, std::uint16_t limit) { return x < 0 || x < limit; }
extern "C" [[gnu::noinline]] std::int8_t lower(std::int8_t x, bool really) { return really ? x - 1 : x; }
extern "C" void add_to(std::int32_t *where, std::int32_t x) { __atomic_fetch_add(where, x, __ATOMIC_RELAXED); }
float mangled(float x) { return x; }
"""
IR = """
define i32 @triple(i32 %x) {
  %y = mul i32 %x, 3
  ret i32 %y
}
"""


def declared(name: str, signature):
    needs_compiler()
    return ndx.declare_device(name, signature, source=SOURCE)


def test_numbers_are_converted_to_the_declared_types():
    scaled = declared("scaled", "float32(float32, int64)")

    @ndx.kernel
    def kernel(item, x, y):
        i = item.get_id(0)
        y[i] = scaled(x[i], 3)

    x, y = dpt.arange(100, dtype="i4"), dpt.zeros(100, dtype="f4")
    ndx.call_kernel(kernel, ndx.Range(100), x, y)
    np.testing.assert_array_equal(dpt.asnumpy(y), np.arange(100, dtype="f4") * 6)


def test_arrays_are_addresses_of_their_elements():
    norm = declared("norm", ndx.float64(ndx.usm_ndarray(1, "C", ndx.float64), ndx.int32))

    @ndx.device_func
    def length(row):
        return norm(row, row.size)

    @ndx.kernel
    def kernel(item, x, y):
        i = item.get_id(0)
        y[i] = length(x[i])

    x, y = dpt.reshape(dpt.arange(12.0), (3, 4)), dpt.zeros(3)
    ndx.call_kernel(kernel, ndx.Range(3), x, y)
    np.testing.assert_allclose(dpt.asnumpy(y), np.linalg.norm(np.arange(12.0).reshape(3, 4), axis=1))


def test_small_integers_and_bools():
    is_small, lower = declared("is_small", "bool(int8, uint16)"), declared("lower", "int8(int8, boolean)")

    @ndx.kernel
    def kernel(item, x, y):
        i = item.get_id(0)
        y[i] = lower(x[i], is_small(x[i], 40000))

    values = np.array([-128, -1, 0, 127], "i1")
    y = dpt.zeros(4, dtype="i4")
    ndx.call_kernel(kernel, ndx.Range(4), dpt.asarray(values), y)
    assert dpt.asnumpy(y).tolist() == [127, -2, -1, 126]


def test_functions_that_return_nothing():
    add_to = declared("add_to", "void(int32*, int32)")

    @ndx.kernel
    def kernel(item, total):
        add_to(total, item.get_id(0))

    total = dpt.zeros(1, dtype="i4")
    ndx.call_kernel(kernel, ndx.Range(1000), total)
    assert int(total[0]) == 999 * 500


def test_cpp_names_are_symbols_too():
    mangled = declared("_Z7mangledf", "float32(float32)")

    @ndx.kernel
    def kernel(item, y):
        y[0] = mangled(2.5)

    y = dpt.zeros(1, dtype="f4")
    ndx.call_kernel(kernel, ndx.Range(1), y)
    assert float(y[0]) == 2.5


def test_files_of_textual_ir_are_linked(tmp_path):
    file = tmp_path / "triple.ll"
    file.write_text(IR)
    triple = ndx.declare_device("triple", "int32(int32)", file)

    @ndx.kernel
    def kernel(item, y):
        i = item.get_id(0)
        y[i] = triple(y[i])

    y = dpt.arange(50, dtype="i4")
    ndx.call_kernel(kernel, ndx.Range(50), y)
    np.testing.assert_array_equal(dpt.asnumpy(y), np.arange(50) * 3)
    file.write_text(IR.replace("%x, 3", "%x, 5"))
    triple = ndx.declare_device("triple", "int32(int32)", file)
    y = dpt.arange(50, dtype="i4")
    ndx.call_kernel(ndx.kernel(kernel.py_func), ndx.Range(50), y)
    np.testing.assert_array_equal(dpt.asnumpy(y), np.arange(50) * 5)  # another library gives another kernel


def test_the_host_cannot_call_it():
    with pytest.raises(TypeError, match="scaled is compiled for kernels"):
        declared("scaled", "float32(float32, int64)")(1, 2)


@pytest.mark.parametrize(
    ("name", "signature", "error", "words"),
    [
        ("missing", "float32(float32)", ValueError, "does not define 'missing'; it defines .*scaled"),
        ("mangled", "float32(float32)", ValueError, 'extern "C"'),
        ("scaled", "float64(float32, int64)", TypingError, r"declared as float64.*as float\(float, i64\)"),
        ("scaled", "float32(float32)", TypingError, "is declared as"),
        ("scaled", "complex64(float32, int64)", TypingError, "the result of 'scaled' is complex64"),
        ("scaled", "float32", ValueError, "a signature is like"),
        ("scaled", "float32(rubbish)", ValueError, "'rubbish' is not a type"),
        ("scaled", 3, TypeError, "a signature must be a string"),
    ],
)
def test_wrong_declarations(name, signature, error, words):
    with pytest.raises(error, match=words):
        declared(name, signature)


def test_wrong_files(tmp_path):
    needs_compiler()
    with pytest.raises(FileNotFoundError):
        ndx.declare_device("f", "int32(int32)", tmp_path / "none.bc")
    damaged = tmp_path / "damaged.bc"
    damaged.write_bytes(b"BC\xc0\xde" + bytes(100))
    with pytest.raises(ValueError, match="cannot be read"):
        ndx.declare_device("f", "int32(int32)", damaged)
    with pytest.raises(ValueError, match=r"does not compile[^$]*expected"):
        ndx.declare_device("f", "int32(int32)", source="int f(int x) { return x }")
    with pytest.raises(TypeError, match="give link"):
        ndx.declare_device("f", "int32(int32)")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [("x[0]", "takes 2 arguments, got 1"),
     ("x, 2", "argument 1 of scaled.. must be float32, got a 1-dimensional array"),
     ("x[0], n=2", "takes no keywords")],
)  # fmt: skip
def test_wrong_calls(arguments, words, tmp_path):
    file = tmp_path / "wrong_call.py"
    file.write_text(f"def kernel(item, x):\n    x[0] = scaled({arguments})\n")
    scope = {"scaled": declared("scaled", "float32(float32, int64)")}
    exec(compile(file.read_text(), file, "exec"), scope)
    with pytest.raises(TypingError, match=words) as raised:
        ndx.call_kernel(ndx.kernel(scope["kernel"]), ndx.Range(1), dpt.zeros(3, dtype="f4"))
    assert raised.value.lineno == 2


def test_addresses_need_contiguous_arrays_of_the_type():
    norm = declared("norm", "float64(float64*, int32)")

    @ndx.kernel
    def kernel(item, x, y):
        y[0] = norm(x, 2)

    for x in (dpt.zeros(8)[::2], dpt.zeros(8, dtype="f4")):
        with pytest.raises(TypingError, match="address of elements of type float64"):
            ndx.call_kernel(kernel, ndx.Range(1), x, dpt.zeros(1))
