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
