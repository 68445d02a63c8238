"""SYCL programs on a fake GPU: the PTX of their kernels, and refused launches."""

from __future__ import annotations

import os
import re
import subprocess

import pytest
from building import DPCXX, needs_compiler

PROGRAM = """
#include <array>
#include <cmath>
#include <cstdio>
#include <sycl/sycl.hpp>
using namespace sycl;
template <class F> void attempt(const char *what, F launch) {
  try {
    launch();
    std::printf("%s: done\\n", what);
  } catch (const std::exception &e) {
    std::printf("%s: %s\\n", what, e.what());
  }
}
template <class T> struct least;
template <class T, memory_order O, memory_scope S> void minimum_and_maximum(queue &q, T *p) {
  q.parallel_for<least<T>>(nd_range<1>(64, 32), [=](nd_item<1> item) {
    const atomic_ref<T, O, S> a(p[0]);
    p[1] = a.fetch_min(p[2]);
    p[3] = a.fetch_max(p[4]);
  });
}
int main() {
  queue q{gpu_selector_v};
  double *const p = malloc_device<double>(100, q);
  auto *const n = reinterpret_cast<int *>(p);
  minimum_and_maximum<int, memory_order::relaxed, memory_scope::device>(q, n);
  auto *const l = reinterpret_cast<unsigned long *>(p);
  minimum_and_maximum<unsigned long, memory_order::acq_rel, memory_scope::system>(q, l);
  const auto identify = [=](auto item) { n[0] = int(item.get_group(0) + item.get_group_linear_id()); };
  attempt("tall", [&] { q.parallel_for<class tall>(nd_range<2>({1 << 20, 4}, {1, 4}), identify); });
  attempt("taller", [&] { q.parallel_for<class tall>(nd_range<2>({std::size_t{1} << 31, 4}, {1, 4}), identify); });
  attempt("rounding", [&] {
    q.parallel_for<class rounding>(64, [=](id<1> i) {
      n[i] = int(std::lround(p[i]) + std::llround(float(p[i])) + std::lrint(p[i]) + std::llrint(float(p[i])));
    });
  });
  const std::array<char, 3900> long_one{};
  const std::array<char, 4200> too_long{};
  attempt("long", [&] { q.parallel_for<class long_kernel>(64, [=](id<1> i) { n[i] = long_one[n[i] & 1023]; }); });
  attempt("too long", [&] {
    q.parallel_for<class too_long_kernel>(64, [=](id<1> i) { n[i] = too_long[n[i] & 1023]; });
  });
  attempt("long double", [&] {
    q.parallel_for<class extended>(64, [=](id<1> i) { p[i] = double(static_cast<long double>(p[i]) * p[i] + 1.0L); });
  });
  for (const std::size_t width : {4, 5, 4, 6, 7, 8, 9, 10, 5, 11, 12})
    q.submit([&](handler &h) {
      const local_accessor<float, 2> tile({4, width}, h);
      h.parallel_for<class tiled>(nd_range<2>({8, 4}, {4, 4}), [=](nd_item<2> item) {
        tile[item.get_local_id(0)][item.get_local_id(1)] = float(p[item.get_global_linear_id()]);
        group_barrier(item.get_group());
        p[item.get_global_linear_id()] = tile[item.get_local_id(1)][item.get_local_id(0)];
      });
    });
  buffer<float, 3> values(range<3>(8, 16, 64));
  q.submit([&](handler &h) {
    const accessor a(values, h);
    h.parallel_for<class neighbours>(nd_range<3>({4, 8, 32}, {1, 8, 32}), [=](nd_item<3> item) {
      const int z = item.get_global_id(0), y = item.get_global_id(1), x = item.get_global_id(2);
      a[z][y][x] = a[z][y][x + 1] + a[z][y + 1][x] + a[z + 1][y][x];
    });
  });
  q.wait();
  free(p, q);
}
"""


@pytest.fixture(scope="module")
def outcome(gpu, tmp_path_factory):
    """The program's output for each attempt, and the folder with the PTX of its kernels."""
    needs_compiler()
    folder = tmp_path_factory.mktemp("program")
    (folder / "program.cpp").write_text(PROGRAM)
    subprocess.run([DPCXX, "-w", folder / "program.cpp", "-o", folder / "program"], check=True)
    environment = dict(os.environ, DPEP_DUMP=str(folder / "dumped"), DPEP_CACHE="off")
    made = subprocess.run([folder / "program"], env=environment, check=True, capture_output=True, text=True)
    return dict(re.findall(r"^([\w ]+): (.*)$", made.stdout, re.M)), folder / "dumped"


def test_atomic_minima_and_maxima_are_one_instruction(outcome):
    made = sorted(
        each for path in outcome[1].glob("*least*.ptx") for each in re.findall(r"\b(atom\.[\w.]+)", path.read_text())
    )
    assert made == [
        "atom.acq_rel.sys.global.max.u64", "atom.acq_rel.sys.global.min.u64",
        "atom.global.max.s32", "atom.global.min.s32",
    ]  # fmt: skip


def test_work_groups_beyond_the_grid_limits_are_numbered_linearly(outcome):
    assert outcome[0]["tall"] == "done"
    assert "takes at most 2147483647" in outcome[0]["taller"]
    texts = [path.read_text() for path in outcome[1].glob("*4tall*.ptx")]
    assert texts
    assert all("%ctaid.x" in text and "%ctaid.y" not in text for text in texts)


def test_rounding_functions_are_supported(outcome):
    assert outcome[0]["rounding"] == "done"


def test_arguments_beyond_the_limit_are_refused(outcome):
    assert outcome[0]["long"] == "done"
    assert re.search(r"take \d+ bytes; a GPU takes at most 4000", outcome[0]["too long"])


def test_long_doubles_are_refused_by_name(outcome):
    assert "long double" in outcome[0]["long double"]


def test_ranges_of_local_accessors_are_constants_until_they_have_changed_four_times(outcome):
    texts = [path.read_text() for path in outcome[1].glob("*5tiled*.ptx")]
    assert len(texts) == 5
    assert sum("mul.lo.s64" in text for text in texts) == 1  # that for other ranges


def test_indices_of_buffers_with_less_than_2_31_elements_are_computed_in_32_bits(outcome):
    (path,) = outcome[1].glob("*10neighbours*.ptx")
    text = path.read_text()
    assert not re.search(r"(mad|mul)\.lo\.s64", text)
    assert re.search(r"\+-?4\]", text)  # the neighbour in a row has the same address
