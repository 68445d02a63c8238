// Property lists in braces, for all constructors that take one, also where class template arguments are deduced.
#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <memory>
#include <type_traits>
#include <vector>

namespace {

using sycl::access_mode;
using sycl::property::no_init;

template <class A, class T, int D, access_mode M>
constexpr bool is_accessor = std::is_same_v<A, sycl::accessor<T, D, M, sycl::target::device>>;

TEST(braced_properties, of_accessors_in_command_groups) {
  sycl::queue q;
  sycl::buffer<int, 2> b{sycl::range{4, 8}};
  const sycl::range<2> part{2, 8};
  const sycl::id<2> from{1, 0};
  q.submit([&](sycl::handler &h) {
    sycl::accessor a{b, h, sycl::write_only, {no_init{}}};
    static_assert(is_accessor<decltype(a), int, 2, access_mode::write>);
    h.parallel_for(a.get_range(), [=](sycl::item<2> i) { a[i] = int(i.get_linear_id()); });
  });
  q.submit([&](sycl::handler &h) {
    sycl::accessor all{b, h, {sycl::property_list{}}};
    static_assert(is_accessor<decltype(all), int, 2, access_mode::read_write>);
    sycl::accessor some{b, h, part, {no_init{}}};
    static_assert(is_accessor<decltype(some), int, 2, access_mode::read_write>);
    sycl::accessor read{b, h, part, sycl::read_only, {}};
    static_assert(is_accessor<decltype(read), int, 2, access_mode::read>);
    sycl::accessor shifted{b, h, part, from, {}};
    static_assert(is_accessor<decltype(shifted), int, 2, access_mode::read_write>);
    h.single_task([=] {
      all[{0, 0}] = 100;
      shifted[{0, 0}] = read[{1, 1}];
    });
  });
  q.submit([&](sycl::handler &h) {
    sycl::accessor a{b, h, part, from, sycl::write_only, {no_init{}}};
    static_assert(is_accessor<decltype(a), int, 2, access_mode::write>);
    h.single_task([=] { a[{1, 0}] = -1; });
  });
  sycl::host_accessor host{b, sycl::read_only, {}};
  static_assert(std::is_same_v<decltype(host), sycl::host_accessor<int, 2, access_mode::read>>);
  EXPECT_EQ((host[{0, 0}]), 100);
  EXPECT_EQ((host[{1, 0}]), 9);
  EXPECT_EQ((host[{2, 0}]), -1);
}

TEST(braced_properties, of_placeholders_and_host_accessors) {
  std::vector<float> values(8, 1.0f);
  sycl::buffer b{values.data(), sycl::range{8}, {sycl::property::buffer::use_host_ptr{}}};
  sycl::buffer c{values.begin(), values.end(), {sycl::property::buffer::use_host_ptr{}}};
  sycl::accessor later{b, {no_init{}}};
  sycl::accessor reading{b, sycl::read_only, {}};
  static_assert(is_accessor<decltype(later), float, 1, access_mode::read_write>);
  static_assert(is_accessor<decltype(reading), float, 1, access_mode::read>);
  sycl::accessor part{b, sycl::range{4}, sycl::id{2}, sycl::write_only, {no_init{}}};
  static_assert(is_accessor<decltype(part), float, 1, access_mode::write>);
  {
    sycl::host_accessor host{b, sycl::range{4}, sycl::id{2}, sycl::write_only, {no_init{}}};
    static_assert(std::is_same_v<decltype(host), sycl::host_accessor<float, 1, access_mode::write>>);
    for (std::size_t i = 0; i < 4; ++i) host[i] = float(i);
    sycl::host_accessor whole{c, {no_init{}}};
    static_assert(std::is_same_v<decltype(whole), sycl::host_accessor<float, 1, access_mode::read_write>>);
  }
  sycl::queue{}.submit([&](sycl::handler &h) {
    h.require(reading);
    sycl::accessor<float, 1, access_mode::read> a = reading;
    sycl::local_accessor<float, 1> scratch{sycl::range{4}, h, {}};
    h.parallel_for(sycl::nd_range{sycl::range{4}, sycl::range{4}},
                   [=](sycl::nd_item<1> i) { scratch[i.get_local_id()] = a[i.get_global_id()]; });
  });
  EXPECT_EQ(sycl::host_accessor(b, sycl::read_only)[3], 1.0f);
}

TEST(braced_properties, of_queues_contexts_and_memory) {
  const sycl::device device;
  const sycl::context context{device};
  const auto ignore = [](const sycl::exception_list &) {};
  using in_order = sycl::property::queue::in_order;
  using profiling = sycl::property::queue::enable_profiling;
  for (sycl::queue q : {sycl::queue{{in_order{}}}, sycl::queue{device, {in_order{}, profiling{}}},
                        sycl::queue{sycl::default_selector_v, {in_order{}}},
                        sycl::queue{sycl::default_selector_v, ignore, {in_order{}}},
                        sycl::queue{context, device, {in_order{}}}, sycl::queue{context, device, ignore, {in_order{}}}})
    EXPECT_TRUE(q.is_in_order());
  sycl::queue q{context, device};
  for (int *p : {sycl::malloc_shared<int>(4, q, {}), sycl::malloc_shared<int>(4, device, context, {}),
                 sycl::malloc_host<int>(4, q, {}), sycl::malloc<int>(4, q, sycl::usm::alloc::shared, {}),
                 sycl::aligned_alloc_shared<int>(64, 4, q, {})}) {
    p[3] = 7;
    EXPECT_EQ(p[3], 7);
    sycl::free(p, q);
  }
  sycl::usm_allocator<int, sycl::usm::alloc::shared> allocator{q, {}};
  EXPECT_EQ(std::vector(3, 5, allocator)[2], 5);
}

// <sycl/sycl.hpp> alone declares the standard streams, as most programs expect.
TEST(host_code, has_the_standard_streams) {
  const int number = 3;
  std::cout << "";
  std::cerr << "";
  testing::internal::CaptureStdout();
  std::cout << "number " << number << std::endl;
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "number 3\n");
}

}  // namespace
