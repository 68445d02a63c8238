// Rules of SYCL 2020 on the edge of an interface, each of which conforming programs rely on.
#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

constexpr const char *name_of(sycl::target t) {
  switch (t) {
  case sycl::target::device:
    return "device";
  case sycl::target::host_task:
    return "host_task";
  case sycl::target::constant_buffer:
    return "constant_buffer";
  case sycl::target::local:
    return "local";
  case sycl::target::host_buffer:
    return "host_buffer";
  default:
    return "another";
  }
}

}  // namespace

TEST(accessor_targets, have_different_values) {
  EXPECT_STREQ(name_of(sycl::target::constant_buffer), "constant_buffer");
  EXPECT_STREQ(name_of(sycl::target::host_task), "host_task");
  EXPECT_EQ(sycl::access::target::global_buffer, sycl::target::device);
}

TEST(accessor_targets, constant_buffers_are_read_in_kernels) {
  sycl::queue q;
  std::vector<int> in{1, 2, 3}, out(3);
  sycl::buffer<int> a(in.data(), 3), b(out.data(), 3);
  q.submit([&](sycl::handler &h) {
    const auto from = a.get_access<sycl::access_mode::read, sycl::target::constant_buffer>(h);
    static_assert(std::is_same_v<decltype(from.get_pointer()), sycl::constant_ptr<int>>);
    const sycl::accessor to(b, h, sycl::write_only);
    h.parallel_for(3, [=](sycl::id<1> i) { to[i] = from[i] + from.get_pointer()[i[0]]; });
  });
  const sycl::host_accessor got(b);
  EXPECT_EQ(got[0], 2);
  EXPECT_EQ(got[2], 6);
}

TEST(accessor_targets, deprecated_accessors_are_no_placeholders) {
  sycl::buffer<int> b(4);
  sycl::queue().submit([&](sycl::handler &h) {
    const sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::local> local(4, h);
    EXPECT_FALSE(local.is_placeholder());
  });
  const sycl::accessor<int, 1, sycl::access_mode::read, sycl::target::host_buffer> host(b);
  EXPECT_FALSE(host.is_placeholder());
}

TEST(accessors_without_dimensions, have_no_element_of_an_empty_buffer) {
  sycl::buffer<int> empty(0), one(1);
  {
    const sycl::host_accessor<int, 0> host(empty);
    EXPECT_TRUE(host.empty());
    EXPECT_EQ(host.byte_size(), 0u);
    EXPECT_EQ(host.begin(), host.end());
  }
  const sycl::accessor<int, 0> placeholder(empty);
  EXPECT_TRUE(placeholder.empty());
  EXPECT_EQ(placeholder.size(), 0u);
  sycl::queue().submit([&](sycl::handler &h) {
    EXPECT_TRUE((sycl::accessor<int, 0>(empty, h).empty()));
    EXPECT_EQ((sycl::accessor<int, 0>(one, h).size()), 1u);
  });
}

TEST(require, refuses_an_accessor_without_a_buffer) {
  sycl::queue q;
  const sycl::accessor<int, 1, sycl::access_mode::write> none;
  const test::caught_error error =
      test::error_of([&] { q.submit([&](sycl::handler &h) { h.require(none); }).wait_and_throw(); });
  EXPECT_EQ(error.code, sycl::errc::invalid) << error.message;
  sycl::buffer<int> b(1);
  const sycl::accessor placeholder(b, sycl::write_only);
  q.submit([&](sycl::handler &h) {
     const sycl::accessor bound(b, h, sycl::read_only);
     const sycl::accessor<const int, 1, sycl::access_mode::read> converted = bound;
     h.require(bound);  // no effect
     h.require(converted);
     h.require(placeholder);
   }).wait_and_throw();
}

namespace {

struct counts_its_submissions {
  int *p;
  int submissions = 0;
  void operator()(sycl::handler &h) {
    submissions++;
    h.single_task([to = p, n = submissions] { *to += n; });
  }
};

}  // namespace

TEST(submit, takes_command_groups_that_change_themselves) {
  sycl::queue q;
  const shared_array<int> p(1, q);
  *p.get() = 0;
  counts_its_submissions group{p.get()};
  q.submit(group).wait();
  q.submit(group).wait();
  q.submit(group, sycl::queue()).wait();
  q.submit([to = p.get(), n = 1](sycl::handler &h) mutable {
     n++;
     h.single_task([to, n] { *to += n; });
   }).wait();
  EXPECT_EQ(*p.get(), 5);
}

namespace {

/// Launches a kernel as a task, over a range, and in work-groups, and expects what the device supports.
template <class Kernel> void launch_each_way(bool supported) {
  sycl::queue q;
  const auto expect = [&](const char *way, auto launch) {
    const test::caught_error error = test::error_of([&] { q.submit(launch).wait_and_throw(); });
    EXPECT_EQ(error.message.empty(), supported) << way << ": " << error.message;
    if (!error.message.empty()) EXPECT_EQ(error.code, sycl::errc::kernel_not_supported) << way << ": " << error.message;
  };
  expect("single_task", [](sycl::handler &h) { h.single_task(Kernel()); });
  expect("parallel_for", [](sycl::handler &h) { h.parallel_for(sycl::range(3), Kernel()); });
  expect("work-groups", [](sycl::handler &h) { h.parallel_for_work_group(sycl::range(2), sycl::range(1), Kernel()); });
}

template <std::uint32_t Size> struct in_sub_groups {
  [[sycl::reqd_sub_group_size(Size)]] void operator()() const {}
  [[sycl::reqd_sub_group_size(Size)]] void operator()(sycl::item<1>) const {}
  [[sycl::reqd_sub_group_size(Size)]] void operator()(sycl::group<1>) const {}
};

template <std::size_t Size> struct in_groups {
  [[sycl::reqd_work_group_size(Size)]] void operator()(sycl::item<1>) const {}
};

template <std::uint32_t Size> void launch_in_sub_groups() {
  SCOPED_TRACE(Size);
  const auto sizes = sycl::device().get_info<sycl::info::device::sub_group_sizes>();
  launch_each_way<in_sub_groups<Size>>(std::find(sizes.begin(), sizes.end(), Size) != sizes.end());
}

}  // namespace

TEST(attributes, of_unsupported_sub_groups_refuse_every_launch) {
  launch_in_sub_groups<8>();
  launch_in_sub_groups<16>();
  launch_in_sub_groups<32>();
  launch_in_sub_groups<4099>();
}

TEST(attributes, of_too_large_work_groups_refuse_launches_over_ranges) {
  sycl::queue q;
  const auto error_with = [&](auto kernel) {
    return test::error_of([&] { q.parallel_for(sycl::range(8), kernel).wait_and_throw(); });
  };
  EXPECT_EQ(error_with(in_groups<16>()).message, "");
  for (const test::caught_error &error :
       {error_with(in_groups<4294967295>()), error_with(in_groups<~std::size_t(0)>())})
    EXPECT_EQ(error.code, sycl::errc::kernel_not_supported) << error.message;
}

TEST(kernel_bundles, have_each_device_once) {
  sycl::queue q;
  const sycl::context c = q.get_context();
  const sycl::device d = q.get_device();
  const std::vector<sycl::device> twice{d, d};
  using enum sycl::bundle_state;
  EXPECT_EQ(sycl::get_kernel_bundle<executable>(c, twice).get_devices().size(), 1u);
  EXPECT_EQ(sycl::get_kernel_bundle<executable>(c, twice, std::vector<sycl::kernel_id>()).get_devices().size(), 1u);
  const auto every = [](const auto &) { return true; };
  EXPECT_EQ(sycl::get_kernel_bundle<executable>(c, twice, every).get_devices().size(), 1u);
  const auto from = sycl::get_kernel_bundle<input>(c, twice);
  EXPECT_EQ(sycl::compile(from, twice).get_devices(), std::vector{d});
  EXPECT_EQ(sycl::build(from, twice).get_devices(), std::vector{d});
  EXPECT_EQ(sycl::link(sycl::compile(from), twice).get_devices(), std::vector{d});
}

TEST(streams, have_a_format) {
  sycl::queue().submit([&](sycl::handler &h) {
    const sycl::stream out(64, 32, h), copy = out;
    static_assert(std::is_same_v<decltype(out.get_precision()), std::size_t>);
    static_assert(std::is_same_v<decltype(out.get_width()), std::size_t>);
    EXPECT_EQ(out.get_precision(), copy.get_precision());
    EXPECT_EQ(out.get_width(), 0u);
    EXPECT_EQ(out.get_stream_mode(), sycl::stream_manipulator::dec);
  });
}

TEST(streams, print_null_pointers_and_do_not_call_them) {
  testing::internal::CaptureStdout();
  sycl::queue q;
  q.submit([&](sycl::handler &h) {
     const sycl::stream out(1024, 256, h);
     h.single_task([=] { out << nullptr << ' ' << static_cast<int *>(nullptr) << sycl::endl; });
   }).wait();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "0x0 0x0\n");
}

TEST(streams, print_multi_ptrs_as_pointers) {
  testing::internal::CaptureStdout();
  sycl::queue q;
  const shared_array<int> p(1, q);
  q.submit([&](sycl::handler &h) {
     const sycl::stream out(1024, 256, h);
     h.single_task([=, raw = p.get()] {
       using enum sycl::access::address_space;
       constexpr auto yes = sycl::access::decorated::yes, no = sycl::access::decorated::no;
       const auto plain = sycl::address_space_cast<global_space, no>(raw);
       out << raw << ' ' << plain << ' ' << sycl::address_space_cast<global_space, yes>(raw) << sycl::endl;
     });
   }).wait();
  const std::string text = testing::internal::GetCapturedStdout();
  const std::size_t length = text.find(' ');
  ASSERT_NE(length, std::string::npos) << text;
  const std::string pointer = text.substr(0, length);
  EXPECT_EQ(text, pointer + ' ' + pointer + ' ' + pointer + '\n');
}

namespace {

template <sycl::backend Of, class Code> bool is_error_of(const sycl::exception &e, const Code &code) {
  static_assert(std::is_same_v<Code, sycl::errc_for<Of>>);
  return e.category() == sycl::error_category_for<Of>() && e.code().value() == code;
}

}  // namespace

TEST(error_categories, of_back_ends_differ) {
  using enum sycl::backend;
  EXPECT_EQ(&sycl::error_category_for<ext_oneapi_cuda>(), &sycl::error_category_for<ext_oneapi_cuda>());
  EXPECT_NE(sycl::error_category_for<ext_oneapi_cuda>(), sycl::error_category_for<opencl>());
  EXPECT_STREQ(sycl::error_category_for<ext_oneapi_cuda>().name(), "ext_oneapi_cuda");
  const sycl::exception of_driver(2, sycl::error_category_for<ext_oneapi_cuda>());
  EXPECT_TRUE(is_error_of<ext_oneapi_cuda>(of_driver, 2));
  EXPECT_FALSE(is_error_of<opencl>(of_driver, 2));
  EXPECT_FALSE(is_error_of<ext_oneapi_cuda>(sycl::exception(make_error_code(sycl::errc::invalid)), 2));
}
