"""Memory orders and scopes of atomic operations in kernels' PTX."""

from __future__ import annotations

import os
import re
import subprocess

import numba_dpex as ndx
import numpy as np
import pytest
from building import DPCXX, needs_compiler
from numba_dpex import kernel_api as kapi
from numba_dpex.kernel_api import AtomicRef, MemoryOrder, MemoryScope

SCOPES = {
    MemoryScope.WORK_ITEM: "cta", MemoryScope.SUB_GROUP: "cta", MemoryScope.WORK_GROUP: "cta",
    MemoryScope.DEVICE: "gpu", MemoryScope.SYSTEM: "sys",
}  # fmt: skip


def ordering(ptx) -> list[str]:
    """Returns the atomic and memory-ordering instructions in a PTX file."""
    return re.findall(r"\b((?:atom|fence|ld\.acquire|ld\.relaxed|st\.release|st\.relaxed)\.[\w.]+)", ptx.read_text())


@pytest.fixture
def ptx_of(gpu, put, tmp_path, monkeypatch):
    """Launches a kernel with work-groups and returns the `ordering` of its PTX."""
    monkeypatch.setenv("DPEP_DUMP", str(tmp_path))
    monkeypatch.setenv("DPEP_CACHE", "off")

    def compile_(function) -> list[str]:
        ndx.call_kernel(ndx.kernel(function), ndx.NdRange((64,), (32,)), put(np.zeros(64, np.int64)))
        (text,) = tmp_path.glob("*.ptx")
        return ordering(text)

    return compile_


@pytest.mark.parametrize("scope", SCOPES)
def test_updates_have_the_order_and_scope_of_the_reference(ptx_of, scope):
    def kernel(item, a):
        AtomicRef(a, 0, memory_order=MemoryOrder.ACQ_REL, memory_scope=scope).fetch_add(1)

    assert ptx_of(kernel) == [f"atom.acq_rel.{SCOPES[scope]}.global.add.u64"]


def test_relaxed_updates_have_no_fence(ptx_of):
    def kernel(item, a):
        AtomicRef(a, 0).fetch_add(1)

    assert ptx_of(kernel) == ["atom.global.add.u64"]


def test_loads_stores_and_exchanges_have_them(ptx_of):
    def kernel(item, a):
        flag = AtomicRef(a, 0, memory_order=MemoryOrder.ACQ_REL)
        flag.store(flag.load() + 1)
        flag.exchange(2)
        a[1] = flag.compare_exchange(a, 3, 2)

    assert [each.replace(".global", "") for each in ptx_of(kernel)] == [
        "ld.acquire.gpu.b64", "st.release.gpu.b64", "atom.acq_rel.gpu.exch.b64", "atom.acq_rel.gpu.cas.b64",
    ]  # fmt: skip


@pytest.mark.parametrize("scope", SCOPES)
def test_fences_have_the_requested_order_and_scope(ptx_of, scope):
    def kernel(item, a):
        a[0] = 1
        kapi.atomic_fence(MemoryOrder.ACQ_REL, scope)
        a[1] = 2
        kapi.atomic_fence(MemoryOrder.SEQ_CST, scope)
        a[2] = 3
        kapi.atomic_fence(MemoryOrder.RELAXED, scope)

    assert ptx_of(kernel) == [f"fence.acq_rel.{SCOPES[scope]}", f"fence.sc.{SCOPES[scope]}"]


def test_barriers_fence_if_the_scope_is_wider_than_the_group(ptx_of):
    def kernel(item, a):
        kapi.group_barrier(item.get_group())
        a[0] = 1
        kapi.group_barrier(item.get_group(), MemoryScope.WORK_GROUP)
        a[1] = 1
        kapi.group_barrier(item.get_group(), MemoryScope.DEVICE)

    assert ptx_of(kernel) == ["fence.acq_rel.gpu"] * 2


def test_unsupported_orders_are_an_error(ptx_of):
    def kernel(item, a):
        kapi.atomic_fence(MemoryOrder.CONSUME_UNSUPPORTED, MemoryScope.DEVICE)

    with pytest.raises(Exception, match="memory order"):
        ptx_of(kernel)


SYCL = """
#include <sycl/sycl.hpp>
using namespace sycl;
template <memory_scope S> struct each;
template <memory_scope S> void update(queue &q, int *p) {
  q.parallel_for<each<S>>(nd_range<1>(64, 32), [=](nd_item<1> item) {
    const atomic_ref<int, memory_order::acq_rel, S> a(p[0]);
    a += 1;
    a.fetch_or(2, memory_order::relaxed, memory_scope::device);
    a.store(3);
    p[item.get_global_id(0) + 1] = a.load() + a.exchange(4, memory_order::seq_cst);
    atomic_fence(memory_order::release, S);
    p[0] = 5;
  });
}
int main() {
  queue q{gpu_selector_v};
  int *const p = malloc_device<int>(100, q);
  update<memory_scope::work_group>(q, p);
  update<memory_scope::device>(q, p);
  update<memory_scope::system>(q, p);
  q.wait();
  free(p, q);
}
"""


def test_sycl_headers_pass_order_and_scope(gpu, tmp_path):
    needs_compiler()
    (tmp_path / "atomics.cpp").write_text(SYCL)
    program = tmp_path / "atomics"
    subprocess.run([DPCXX, tmp_path / "atomics.cpp", "-o", program], check=True)
    dumped = tmp_path / "dumped"
    subprocess.run([program], env=dict(os.environ, DPEP_DUMP=str(dumped), DPEP_CACHE="off"), check=True)
    made = sorted([each.replace(".global", "") for each in ordering(path)] for path in dumped.glob("*.ptx"))
    assert made == [
        [
            f"atom.acq_rel.{s}.add.u32", "atom.or.b32", f"st.release.{s}.b32", f"ld.acquire.{s}.b32",
            f"fence.sc.{s}", f"atom.acquire.{s}.exch.b32", f"fence.acq_rel.{s}",
        ]
        for s in ("cta", "gpu", "sys")
    ]  # fmt: skip
