"""Wrong SYCL programs that a compiler can recognise: each statement has an error that names its line.

tests/sycl/wrong_programs_test.cpp has those that compile and are refused when they run.
"""

from __future__ import annotations

import re
import subprocess

import pytest
from places import prefix

HEAD = """\
#include <sycl/sycl.hpp>
#include <memory>
#include <string>
#include <vector>
struct not_const { void operator()(sycl::id<1>) {} };
struct with_virtual { virtual int f() const { return 1; } virtual ~with_virtual() = default; };
struct with_copy { int x; with_copy(int v) : x(v) {} with_copy(const with_copy &o) : x(o.x + 1) {} };
struct holder { std::vector<int> v; void operator()() const { (void)v.size(); } };
sycl::queue q;
int *p = nullptr;
sycl::buffer<int> b(10);
"""

# A statement that follows HEAD in a function, and a part of its error.
KERNELS = [
    ("std::vector<int> v; q.single_task([=] { (void)v.size(); });", "device copyable"),
    ("std::string s; q.single_task([=] { (void)s.size(); });", "device copyable"),
    ("auto u = std::make_unique<int>(1); q.single_task([u = std::move(u)] { (void)*u; });", "device copyable"),
    ("auto u = std::make_shared<int>(1); q.single_task([=] { (void)*u; });", "device copyable"),
    ("with_virtual w; q.single_task([=] { (void)w.f(); });", "device copyable"),
    ("with_copy c(1); q.single_task([=] { (void)c.x; });", "device copyable"),
    ("q.single_task(holder{});", "device copyable"),
    ("std::vector<int> v; q.parallel_for(10, [=](sycl::id<1> i) { (void)v[i]; });", "device copyable"),
    ("q.single_task([q = q] { (void)q; });", "device copyable"),
    ("q.single_task([b = b] { (void)b; });", "device copyable"),
    ("sycl::event e; q.single_task([=] { (void)e; });", "device copyable"),
    ("q.parallel_for(10, not_const());", "be const"),
    ("int x = 0; q.parallel_for(10, [=](sycl::id<1>) mutable { ++x; });", "be const"),
    ("q.parallel_for(sycl::range<1>(10), [](sycl::nd_item<1> i) { (void)i; });", "must be callable"),
    ("q.parallel_for(sycl::range<2>(10, 10), [](sycl::id<1> i) { (void)i; });", "must be callable"),
    ("q.parallel_for(sycl::nd_range<1>(10, 5), [](sycl::id<1> i) { (void)i; });", "must be callable"),
    ("q.parallel_for(sycl::nd_range<1>(10, 5), [](sycl::nd_item<2> i) { (void)i; });", "must be callable"),
    ("q.single_task([](int i) { (void)i; });", "must be callable"),
    ("q.parallel_for(10, [](std::string s) { (void)s; });", "must be callable"),
    ("q.fill((std::string *)nullptr, std::string(), 1);", "device copyable"),
    ("sycl::buffer<std::string> s(10);", "device copyable"),
    ("q.submit([](sycl::handler &h) { sycl::handler copy = h; });", "sycl::handler"),
    ("sycl::handler h;", "sycl::handler"),
    ("q.submit([](sycl::handler &h) { sycl::accessor a(b, h, sycl::read_only); a[0] = 1; });", "assign"),
    ("q.submit([] {});", "submit"),
]
TYPES = [
    ("sycl::host_accessor a(b, sycl::read_only); a[0] = 1;", "assign"),
    ("sycl::accessor<float> a(b);", "no matching constructor"),
    ("sycl::accessor<int, 2> a(b);", "no matching constructor"),
    ("sycl::accessor a(b, sycl::range<2>(1, 1));", "sycl::accessor"),
    ("sycl::local_accessor<int> a(10);", "no matching constructor"),
    ("sycl::accessor<int> a = sycl::accessor<int, 1, sycl::access_mode::read>();", "no viable conversion"),
    ("sycl::vec<int, 5> v;", "1, 2, 3, 4, 8 or 16 elements"),
    ("sycl::int4 v(1, 2, 3);", "no matching constructor"),
    ("sycl::float4().swizzle<0, 4>();", "no such element"),
    ("sycl::float4() % sycl::float4();", "invalid operands"),
    ("sycl::float4().as<sycl::float2>();", "sizes must be equal"),
    ("sycl::marray<int, 0> m;", "must be positive"),
    ("sycl::range<4> r;", "one, two and three dimensions"),
    ("sycl::range<2> r(1);", "no matching constructor"),
    ("sycl::nd_range<1> r(sycl::range<2>(1, 1), sycl::range<2>(1, 1));", "no matching constructor"),
    ("sycl::item<1> i;", "sycl::item"),
    ("sycl::kernel k;", "sycl::kernel"),
    ("sycl::kernel_bundle<sycl::bundle_state::input> k;", "sycl::kernel_bundle"),
    ("int i = 0; sycl::atomic_ref<int, sycl::memory_order::acquire, sycl::memory_scope::device> a(i);", "memory_order"),
    ("sycl::usm_allocator<int, sycl::usm::alloc::device> a(q);", "usm_allocator"),
    ("sycl::half h = sycl::float4();", "no viable conversion"),
    ("int *raw = sycl::raw_global_ptr<const int>();", "no viable conversion"),
    ("sycl::raw_local_ptr<int> l = sycl::raw_global_ptr<int>();", "no viable conversion"),
    ("sycl::property_list l(1);", "no matching constructor"),
    ("sycl::queue of_a_device = sycl::device();", "no viable conversion"),
    (
        'sycl::device().create_sub_devices<sycl::info::partition_property::partition_equally>("x");',
        "create_sub_devices",
    ),
    ("sycl::device().get_info<sycl::info::platform::name>();", "get_info"),
    ("sycl::queue().get_info<sycl::info::context::devices>();", "get_info"),
    ("sycl::reduction(p, 1.5, 2);", "reduction"),
    ("sycl::specialization_id<int> s = 3;", "specialization_id"),
]


@pytest.mark.parametrize("table", [KERNELS, TYPES], ids=["kernels", "types"])
def test_errors_name_the_line(table, tmp_path):
    first = HEAD.count("\n") + 1
    body = [f"void wrong_{i}() {{ {statement} }}" for i, (statement, _) in enumerate(table)]
    (tmp_path / "wrong.cpp").write_text(HEAD + "\n".join([*body, ""]))
    words = ["-std=c++20", "-fsyntax-only", "-ferror-limit=0", "-Wno-unused", "wrong.cpp"]
    result = subprocess.run([prefix() / "bin/dpcxx", *words], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert result.returncode == 1
    # An error, with the lines and notes up to the next one.
    errors = re.split(r"\n(?=In file included|\S+: error: )", result.stderr)
    lacking = [
        statement
        for number, (statement, part) in enumerate(table, first)
        if not any(f"wrong.cpp:{number}:" in error and part in error for error in errors)
    ]
    assert not lacking, result.stderr
