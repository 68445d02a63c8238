// The forms of buffers and accessors: constructors, deduction, constant elements, sub-buffers and final data.
#include <array>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "error_of.hpp"

namespace {

using sycl::access_mode;
using line = sycl::buffer<int, 1>;

template <class Expected, class T> void expect_type(const T &) { static_assert(std::is_same_v<Expected, T>); }

}  // namespace

TEST(buffers, deduce_their_type) {
  std::vector<int> v(4);
  const std::vector<int> constant(4);
  std::array<int, 4> array{};
  const std::list<float> list(4);
  const std::allocator<int> a;
  const sycl::property_list p;
  int *const host = v.data();
  const int *const constant_host = constant.data();
  const sycl::range<1> four(4);
  expect_type<line>(sycl::buffer(v));
  expect_type<line>(sycl::buffer(v, p));
  expect_type<line>(sycl::buffer(v, a));
  expect_type<line>(sycl::buffer(v, a, p));
  expect_type<line>(sycl::buffer(constant, a));
  expect_type<line>(sycl::buffer(array));
  expect_type<line>(sycl::buffer(v.begin(), v.end(), p));
  expect_type<line>(sycl::buffer(v.begin(), v.end(), a));
  expect_type<line>(sycl::buffer(constant.begin(), constant.end(), a, p));
  expect_type<line>(sycl::buffer(host, host + 4, a));
  expect_type<sycl::buffer<float, 1>>(sycl::buffer(list.begin(), list.end()));
  expect_type<line>(sycl::buffer(host, four));
  expect_type<line>(sycl::buffer(constant_host, four, a));
  expect_type<sycl::buffer<int, 2>>(sycl::buffer(host, sycl::range<2>(2, 2), a, p));
  const std::shared_ptr<int[]> shared(new int[4]());
  const std::shared_ptr<int> first(shared, shared.get());
  expect_type<line>(sycl::buffer(shared, four));
  expect_type<line>(sycl::buffer(shared, four, a));
  expect_type<line>(sycl::buffer(first, four, a, p));
  line whole(four);
  expect_type<line>(sycl::buffer(whole, sycl::id<1>(1), sycl::range<1>(2)));
}

TEST(buffers, of_constant_elements_are_read) {
  sycl::queue q;
  std::vector<int> host{1, 2, 3, 4};
  host.resize(32, 2);
  sycl::buffer<const int> b(host.data(), sycl::range(32)), copied(host.begin(), host.end());
  sycl::buffer<const int> part(b, 16, 2);
  int sum = 0;
  {
    line result(&sum, 1);
    q.submit([&](sycl::handler &h) {
      const sycl::accessor<const int, 1, access_mode::read> named(b, h);
      const sycl::accessor<int, 1, access_mode::read> of_int(copied, h);
      const sycl::accessor deduced(b, h, sycl::read_only), of_part(part, h), limited(b, h, sycl::range(2));
      const sycl::accessor<const int, 0> first(b, h);
      const auto got = b.get_access<access_mode::read>(h);
      const sycl::accessor r(result, h, sycl::write_only);
      h.single_task([=] { r[0] = named[1] + of_int[2] + deduced[3] + of_part[0] + limited[0] + first + got[0]; });
    });
  }
  EXPECT_EQ(sum, 2 + 3 + 4 + 2 + 1 + 1 + 1);
  EXPECT_EQ(sycl::host_accessor(b)[3], 4);
  EXPECT_EQ(b.get_host_access(sycl::read_only)[3], 4);
  EXPECT_EQ(b.get_access<access_mode::read>()[3], 4);
  static_assert(!std::is_constructible_v<sycl::accessor<int>, sycl::buffer<const int> &>);
}

TEST(buffers, give_accessors_of_the_deprecated_target_host_buffer) {
  line b(sycl::range(4));
  const sycl::accessor<int, 1, access_mode::write, sycl::target::host_buffer> writes =
      b.get_access<access_mode::write>();
  writes[2] = 7;
  const auto part = b.get_access<access_mode::read>(sycl::range(2), sycl::id(1));
  static_assert(
      std::is_same_v<decltype(part), const sycl::accessor<int, 1, access_mode::read, sycl::target::host_buffer>>);
  EXPECT_EQ(part[1], 7);
}

TEST(buffers, zero_dimensional_accessors_take_tags_and_properties) {
  sycl::queue q;
  line b(sycl::range(1));
  sycl::host_accessor<int, 0>(b, sycl::property_list()) = 1;
  q.submit([&](sycl::handler &h) {
    const sycl::accessor<int, 0> both(b, h, sycl::property_list());
    const sycl::accessor<int, 0, access_mode::read> reads(b, h, sycl::read_only);
    h.single_task([=] { both = reads + 4; });
  });
  q.submit([&](sycl::handler &h) {
    const sycl::accessor<int, 0, access_mode::read_write> placeholder(b);
    h.require(placeholder);
    h.single_task([=] { placeholder = placeholder * 2; });
  });
  const int value = sycl::host_accessor<int, 0>(b);
  EXPECT_EQ(value, 10);
}

TEST(sub_buffers, remain_sub_buffers_when_reinterpreted) {
  line b(sycl::range(8));
  line part(b, 2, 4);
  auto bytes = part.reinterpret<unsigned char>();
  auto square = part.reinterpret<float, 2>(sycl::range(2, 2));
  EXPECT_FALSE(b.is_sub_buffer() || b.reinterpret<float>().is_sub_buffer());
  EXPECT_TRUE(part.is_sub_buffer() && bytes.is_sub_buffer() && square.is_sub_buffer());
  EXPECT_EQ(bytes.size(), 16u);
  bytes.get_host_access()[0] = 1;
  EXPECT_EQ(sycl::host_accessor(b)[2] & 255, 1);
  const auto refused = [](auto call) { EXPECT_EQ(test::error_of(call).code, sycl::errc::invalid); };
  refused([&] { line(part, 0, 1); });
  refused([&] { sycl::buffer<unsigned char>(bytes, 0, 1); });
  refused([&] { line(b, 5, 4); });
  refused([&] { line(b, 9, 0); });
  refused([&] { part.reinterpret<float>(sycl::range(5)); });
  refused([&] { sycl::buffer<char>(sycl::range(6)).reinterpret<int>(); });
  expect_type<sycl::buffer<float, 2>>(square);
}

TEST(sub_buffers, keep_their_place_in_converted_placeholders) {
  sycl::queue q;
  std::vector<int> host(32);
  std::iota(host.begin(), host.end(), 0);
  int result = 0;
  {
    line b(host), r(&result, 1);
    line part(b, 16, 4);
    const sycl::accessor<int> writes(part);
    const sycl::accessor<const int> reads = writes;
    q.submit([&](sycl::handler &h) {
      h.require(reads);
      const sycl::accessor to(r, h, sycl::write_only);
      h.single_task([=] { to[0] = reads[1]; });
    });
  }
  EXPECT_EQ(result, 17);
}

TEST(sub_buffers, must_begin_where_the_device_can_access_them) {
  sycl::queue q;
  const std::size_t alignment = q.get_device().get_info<sycl::info::device::mem_base_addr_align>() / 8;
  ASSERT_GE(alignment, sizeof(int));
  const std::size_t aligned = alignment / sizeof(int);
  line b(sycl::range(4 * aligned));
  line good(b, aligned, aligned), bad(b, aligned + 1, aligned);
  const auto refused = [](auto call) {
    const test::caught_error error = test::error_of(call);
    EXPECT_EQ(error.code, sycl::errc::invalid);
    EXPECT_TRUE(error.mentions("mem_base_addr_align")) << error.message;
  };
  const auto uses = [&](line &part) {
    q.submit([&](sycl::handler &h) {
       const sycl::accessor a(part, h);
       h.single_task([=] { a[0] = 3; });
     }).wait();
  };
  uses(good);
  EXPECT_EQ(sycl::host_accessor<int>(b)[aligned], 3);
  refused([&] { uses(bad); });
  const sycl::accessor<int> placeholder(bad);  // no device is known yet
  refused([&] { q.submit([&](sycl::handler &h) { h.require(placeholder); }); });
  EXPECT_EQ(test::error_of([&] { sycl::host_accessor<int>{bad}[0] = 1; }).message, "");  // the host has no such rule
}

TEST(buffers, write_final_data_to_all_kinds_of_destinations) {
  const auto write = [](auto destination) {
    line b(sycl::range(4));
    for (int &x : sycl::host_accessor(b, sycl::write_only)) x = 5;
    b.set_final_data(destination);
  };
  std::vector<int> appended, v(4);
  std::list<long> list(4);
  const std::shared_ptr<int[]> array(new int[4]());
  const std::shared_ptr<int> first(new int[4](), std::default_delete<int[]>());
  write(v.begin());
  write(std::back_inserter(appended));
  write(list.begin());
  write(std::weak_ptr(array));
  write(std::weak_ptr(first));
  write(std::weak_ptr<int>());
  EXPECT_EQ(v, std::vector(4, 5));
  EXPECT_EQ(appended, std::vector(4, 5));
  EXPECT_EQ(list.back(), 5);
  EXPECT_EQ(array[3], 5);
  EXPECT_EQ(first.get()[3], 5);
  v.assign(4, 0);
  write(v.data());
  EXPECT_EQ(v, std::vector(4, 5));
  {
    line b(v);
    b.set_final_data();
    b.set_final_data<std::nullptr_t>(nullptr);
    b.get_host_access()[0] = 9;
  }
  EXPECT_EQ(v[0], 5);
}

TEST(buffers, have_final_data_in_shared_arrays_and_none_in_null_pointers) {
  std::mutex m;
  const std::shared_ptr<int[]> host(new int[4]{1, 2, 3, 4}), destination(new int[4]{});
  const auto destroy = [&](auto final_data) {
    sycl::buffer<int> b(host, sycl::range<1>(4), {sycl::property::buffer::use_mutex(m)});
    {
      const std::lock_guard lock(m);
      host[3] = 40;  // the buffer uses the memory
    }
    b.set_final_data(final_data);
    b.set_write_back(true);
  };
  destroy(destination);
  EXPECT_EQ(destination[3], 40);
  EXPECT_EQ(destination.use_count(), 1);
  destination[3] = 0;
  destroy(std::weak_ptr(destination));
  EXPECT_EQ(destination[3], 40);
  destroy(static_cast<int *>(nullptr));
}

TEST(buffers, deduce_one_dimension_from_a_number_in_braces) {
  int values[3] = {1, 2, 3};
  sycl::buffer of_pointer(values, {3});
  static_assert(std::is_same_v<decltype(of_pointer), sycl::buffer<int, 1>>);
  EXPECT_EQ(of_pointer.get_host_access()[2], 3);
  const auto shared = std::make_shared<float>(4.0f);
  sycl::buffer of_shared_pointer(shared, {1});
  static_assert(std::is_same_v<decltype(of_shared_pointer), sycl::buffer<float, 1>>);
  EXPECT_EQ(of_shared_pointer.get_host_access()[0], 4.0f);
}
