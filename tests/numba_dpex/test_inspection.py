"""Inspection of kernels: LLVM IR, assembly, and effects of the decorators' options on them."""

from __future__ import annotations

import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex.core import config

ON_CPU = dpt.zeros(1).sycl_device.is_cpu
TYPES = ("Item(1)", "array(float32, 1, C)")


def scale(item, a):
    i = item.get_id(0)
    local_value = a[i] * 3
    a[i] = local_value


def launched(kernel, space=ndx.Range(64)):  # noqa: B008
    ndx.call_kernel(kernel, space, dpt.ones(64, dtype="f4"))
    return kernel


def test_ir_and_assembly_of_each_specialisation():
    kernel = launched(ndx.kernel(scale))
    assert list(kernel.inspect_ir()) == list(kernel.inspect_asm()) == [TYPES]
    assert "define void @scale" in kernel.inspect_ir(TYPES)
    assert kernel.inspect_llvm(TYPES) == kernel.inspect_ir(TYPES)
    assembly = kernel.inspect_asm(TYPES)
    assert "; scale for " in assembly and "launched over 1 dimension\n" in assembly
    if ON_CPU:
        assert "vmulps" in assembly or "mulps" in assembly
    ndx.call_kernel(kernel, ndx.Range(64), dpt.ones(64))
    assert len(kernel.inspect_ir()) == len(kernel.inspect_asm()) == 2


def test_assembly_of_each_size_of_work_groups():
    @ndx.kernel
    def grouped(item, a):
        a[item.get_global_id(0)] += 1

    for size in (8, 16):
        launched(grouped, ndx.NdRange((64,), (size,)))
    (assembly,) = grouped.inspect_asm().values()
    assert "work-groups of (8)" in assembly and "work-groups of (16)" in assembly


def test_kernels_with_signatures_need_no_launch():
    array = ndx.usm_ndarray(1, "C", ndx.float32)
    kernel = ndx.kernel((ndx.types.ItemType(1), array))(scale)
    assert "scale" in kernel.inspect_asm(TYPES)


def test_inspecting_unknown_signatures_and_device_functions_is_an_error():
    with pytest.raises(ValueError, match="was not compiled for"):
        launched(ndx.kernel(scale)).inspect_asm(("float32",))
    with pytest.raises(TypeError, match="inspect those"):
        ndx.device_func(lambda x: x).inspect_ir()


def test_debug_adds_lines_and_variables():
    plain, debug = launched(ndx.kernel(scale)), launched(ndx.kernel(debug=True)(scale))
    assert "!dbg" not in plain.inspect_ir(TYPES)
    text = debug.inspect_ir(TYPES)
    assert '!DILocalVariable(name: "local_value"' in text
    assert '!DILocalVariable(name: "a", arg: 2' in text
    assert '!DISubprogram(name: "scale"' in text


def test_the_configuration_sets_the_default_of_debug(monkeypatch):
    monkeypatch.setattr(config, "DEBUGINFO_DEFAULT", 1)
    assert "!dbg" in launched(ndx.kernel(scale)).inspect_ir(TYPES)
    assert "!dbg" not in launched(ndx.kernel(debug=False)(scale)).inspect_ir(TYPES)


@pytest.mark.parametrize(
    ("options", "error"), [({"debug": 1}, TypeError), ({"inline_threshold": -1}, ValueError), ({"opt": 3}, TypeError)]
)
@pytest.mark.parametrize("decorator", [ndx.kernel, ndx.device_func])
def test_wrong_options_are_errors(decorator, options, error):
    with pytest.raises(error, match=next(iter(options))):
        decorator(**options)(scale)


@ndx.kernel
def checksum(item: ndx.kernel_api.Item, words, table, sums):
    i = item.get_id(0)
    total = np.uint32(0xFFFFFFFF)
    for w in range(48):
        mixed = words[i, w] ^ total
        total = (
            table[3, mixed & 255] ^ table[2, (mixed >> 8) & 255] ^ table[1, (mixed >> 16) & 255] ^ table[0, mixed >> 24]
        )
    sums[i] = total


def test_table_look_ups_are_not_gathers():
    rng = np.random.default_rng(5)
    words = rng.integers(0, 2**32, (37, 48), dtype=np.uint32)
    table = rng.integers(0, 2**32, (4, 256), dtype=np.uint32)
    sums = dpt.empty(37, dtype="u4")
    ndx.call_kernel(checksum, ndx.Range(37), dpt.asarray(words), dpt.asarray(table), sums)
    expected = np.full(37, 0xFFFFFFFF, np.uint32)
    for w in range(48):
        mixed = words[:, w] ^ expected
        expected = (
            table[3, mixed & 255] ^ table[2, (mixed >> 8) & 255] ^ table[1, (mixed >> 16) & 255] ^ table[0, mixed >> 24]
        )
    assert np.array_equal(dpt.asnumpy(sums), expected)
    (assembly,) = checksum.inspect_asm().values()
    assert "gather" not in assembly
