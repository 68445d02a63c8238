// Accessors: shapes, offsets, subscripts, iterators, placeholders, conversions, and copies through them.
#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

template <int D> sycl::range<D> some_range() {
  if constexpr (D == 1)
    return {60};
  else if constexpr (D == 2)
    return {6, 10};
  else
    return {3, 4, 5};
}
template <int D> sycl::range<D> some_part() {
  if constexpr (D == 1)
    return {20};
  else if constexpr (D == 2)
    return {2, 3};
  else
    return {2, 2, 3};
}
template <int D> sycl::id<D> some_offset() {
  if constexpr (D == 1)
    return {5};
  else if constexpr (D == 2)
    return {3, 4};
  else
    return {1, 1, 2};
}

template <int D> class filled {
public:
  filled() : values(some_range<D>().size()) { std::iota(values.begin(), values.end(), 0); }
  std::vector<int> values;
  /// The value at an index, in row-major order.
  int at(const sycl::id<D> &i) const {
    std::size_t n = i[0];
    for (int d = 1; d < D; d++) n = n * some_range<D>()[d] + i[d];
    return values[n];
  }
};

template <class D> class accessors_by_dimension : public testing::Test {};
using dimensions =
    testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(accessors_by_dimension, dimensions);

}  // namespace

TYPED_TEST(accessors_by_dimension, are_subscripted_by_ids) {
  constexpr int D = TypeParam::value;
  sycl::queue q;
  filled<D> data;
  {
    sycl::buffer<int, D> b(data.values.data(), some_range<D>());
    q.submit([&](sycl::handler &h) {
      const auto a = b.template get_access<sycl::access::mode::read_write>(h);
      h.parallel_for(some_range<D>(), [=](sycl::item<D> i) { a[i] += 100 * int(i.get_linear_id()); });
    });
  }
  for (int i = 0; i < 60; i++) ASSERT_EQ(data.values[i], 101 * i);
}

TYPED_TEST(accessors_by_dimension, of_a_part_start_at_their_offset) {
  constexpr int D = TypeParam::value;
  sycl::queue q;
  filled<D> data;
  const filled<D> before;
  {
    sycl::buffer<int, D> b(data.values.data(), some_range<D>());
    q.submit([&](sycl::handler &h) {
      const sycl::accessor a(b, h, some_part<D>(), some_offset<D>(), sycl::read_write);
      EXPECT_EQ(a.get_range(), some_part<D>());
      EXPECT_EQ(a.get_offset(), some_offset<D>());
      EXPECT_EQ(a.size(), some_part<D>().size());
      EXPECT_EQ(a.byte_size(), a.size() * sizeof(int));
      h.parallel_for(some_part<D>(), [=](sycl::id<D> i) { a[i] = -a[i]; });
    });
    const sycl::host_accessor a(b, some_part<D>(), some_offset<D>());
    EXPECT_EQ(a[sycl::id<D>()], -before.at(some_offset<D>()));
    EXPECT_EQ(a.get_pointer()[1], 1);  // of the whole buffer
    int sum = 0;
    for (const int x : a) sum += x;  // goes over the part only
    EXPECT_LT(sum, 0);
    EXPECT_EQ(a.end() - a.begin(), std::ptrdiff_t(some_part<D>().size()));
    EXPECT_EQ(*a.rbegin(), -before.at(some_offset<D>() + sycl::id<D>(some_part<D>() - 1)));
    for (int &x : a) x = -x;
  }
  EXPECT_EQ(data.values, before.values);
}

TYPED_TEST(accessors_by_dimension, beyond_the_buffer_are_refused) {
  constexpr int D = TypeParam::value;
  sycl::buffer<int, D> b(some_range<D>());
  sycl::queue q;
  EXPECT_THROW(q.submit([&](sycl::handler &h) { sycl::accessor(b, h, some_range<D>(), some_offset<D>()); }),
               sycl::exception);
  EXPECT_THROW(sycl::host_accessor(b, some_range<D>() + 1), sycl::exception);
}

TYPED_TEST(accessors_by_dimension, copy_parts_to_and_from_memory) {
  constexpr int D = TypeParam::value;
  sycl::queue q;
  filled<D> data;
  const filled<D> before;
  std::vector<int> packed(some_part<D>().size());
  {
    sycl::buffer<int, D> b(data.values.data(), some_range<D>());
    q.submit([&](sycl::handler &h) {
       h.copy(sycl::accessor(b, h, some_part<D>(), some_offset<D>(), sycl::read_only), packed.data());
     }).wait();
    std::size_t n = 0;
    const sycl::range<D> part = some_part<D>();
    for (std::size_t i = 0; i < part[0]; i++)
      for (std::size_t j = 0; j < (D > 1 ? part[D > 1 ? 1 : 0] : 1); j++)
        for (std::size_t k = 0; k < (D > 2 ? part[D - 1] : 1); k++) {
          sycl::id<D> index;
          index[0] = i;
          if constexpr (D > 1) index[1] = j;
          if constexpr (D > 2) index[2] = k;
          ASSERT_EQ(packed[n++], before.at(index + some_offset<D>()));
        }
    for (int &x : packed) x = -x;
    q.submit([&](sycl::handler &h) {
       h.copy(packed.data(), sycl::accessor(b, h, some_part<D>(), some_offset<D>(), sycl::write_only));
     }).wait();
  }
  int negative = 0;
  for (int i = 0; i < 60; i++) {
    ASSERT_EQ(std::abs(data.values[i]), i);
    negative += data.values[i] < 0;
  }
  EXPECT_EQ(negative, int(packed.size()));
}

TYPED_TEST(accessors_by_dimension, fill_parts_only) {
  constexpr int D = TypeParam::value;
  sycl::queue q;
  sycl::buffer<int, D> b(some_range<D>());
  q.fill(sycl::accessor(b, sycl::write_only, sycl::no_init), 1);
  q.submit([&](sycl::handler &h) { h.fill(sycl::accessor(b, h, some_part<D>(), some_offset<D>()), 5); });
  const sycl::host_accessor a(b, sycl::read_only);
  EXPECT_EQ(std::accumulate(a.begin(), a.end(), 0), int(60 + 4 * some_part<D>().size()));
  EXPECT_EQ(a[some_offset<D>()], 5);
}

TEST(accessors, are_subscripted_dimension_by_dimension) {
  sycl::queue q;
  sycl::buffer<int, 3> b({2, 3, 4});
  q.submit([&](sycl::handler &h) {
    const sycl::accessor a(b, h, sycl::write_only, sycl::no_init);
    h.parallel_for({2, 3, 4}, [=](sycl::id<3> i) { a[i[0]][i[1]][i[2]] = int(i[0] * 100 + i[1] * 10 + i[2]); });
  });
  const sycl::host_accessor a(b);
  EXPECT_EQ(a[1][2][3], 123);
  EXPECT_EQ((a[{1, 0, 2}]), 102);
}

TEST(accessors, of_placeholders_are_bound_by_require) {
  sycl::queue q;
  std::vector<int> data(10, 1);
  {
    sycl::buffer b(data);
    sycl::accessor a(b, sycl::read_write);
    EXPECT_TRUE(a.is_placeholder());
    for (int round = 0; round < 3; round++)
      q.submit([&](sycl::handler &h) {
        h.require(a);
        h.parallel_for(10, [=](sycl::id<1> i) { a[i] = a[i] * 2 + 1; });
      });
    q.submit([&](sycl::handler &h) {
      const sycl::accessor bound(b, h);
      EXPECT_FALSE(bound.is_placeholder());
      h.require(bound);  // no effect
    });
  }
  EXPECT_EQ(data, std::vector<int>(10, 15));
}

TEST(accessors, of_placeholders_without_require_are_refused) {
  sycl::queue q;
  sycl::buffer<int> b{sycl::range(10)};
  const sycl::accessor a(b, sycl::read_write);
  const sycl::accessor<int, 3> none;  // allowed, since it is captured but not used
  std::vector<int> host(10);
  const auto refused = [](auto submit) {
    const test::caught_error error = test::error_of(submit);
    EXPECT_EQ(error.code, sycl::errc::kernel_argument);
    EXPECT_TRUE(error.mentions("handler::require")) << error.message;
  };
  refused([&] { q.submit([&](sycl::handler &h) { h.parallel_for(10, [=](sycl::id<1> i) { a[i] = 1; }); }); });
  refused([&] { q.parallel_for(10, [=](sycl::id<1> i) { a[i] = 1; }); });
  refused([&] { q.submit([&](sycl::handler &h) { h.copy(a, host.data()); }); });
  refused([&] { q.submit([&](sycl::handler &h) { h.fill(a, 1); }); });
  q.submit([&](sycl::handler &h) {
    h.require(a);
    h.parallel_for(10, [=](sycl::id<1> i) { a[i] = 7 + int(none.size()); });
  });
  q.wait();
  EXPECT_EQ(sycl::host_accessor(b)[9], 7);
}

namespace {
struct holder {
  std::array<sycl::accessor<int>, 2> both;
  double numbers[3]{};
  unsigned bits : 3 = 5, more : 7 = 9;
};
class derived_function : private holder {
public:
  derived_function(const sycl::accessor<int> &a, const sycl::accessor<int> &b) : holder{{a, b}} {}
  void operator()(sycl::id<1> i) const { both[0][i] += both[1][i]; }
};
}  // namespace

TEST(accessors, of_placeholders_are_found_in_members_bases_and_arrays) {
  sycl::queue q;
  sycl::buffer<int> x{sycl::range(10)}, y{sycl::range(10)};
  q.submit([&](sycl::handler &h) { h.fill(sycl::accessor(x, h), 1); });
  q.submit([&](sycl::handler &h) { h.fill(sycl::accessor(y, h), 2); });
  sycl::accessor<int> a, b;
  a = sycl::accessor<int>(x);
  b = sycl::accessor<int>(y);
  const derived_function add(a, b);  // copied before the accessors are required
  const sycl::accessor<int> list[2][2]{{a, b}, {b, a}};
  for (int round = 0; round < 3; round++) {
    q.submit([&](sycl::handler &h) {
      h.require(a);
      h.require(b);
      h.parallel_for(10, add);
    });
    q.submit([&](sycl::handler &h) {
      h.require(a);
      h.require(b);
      h.parallel_for(10, [=](sycl::id<1> i) { list[0][0][i] += list[1][0][i]; });
    });
  }
  EXPECT_EQ(sycl::host_accessor(x)[9], 13);
  for (const bool first : {false, true})  // one of them is missing; that it was required before does not matter
    EXPECT_EQ(test::error_of([&] {
                q.submit([&](sycl::handler &h) {
                  h.require(first ? a : b);
                  h.parallel_for(10, add);
                });
              }).code,
              sycl::errc::kernel_argument);
  EXPECT_EQ(test::error_of([&] { q.parallel_for(10, add); }).code, sycl::errc::kernel_argument);
}

TEST(accessors, are_not_found_in_the_bytes_of_other_values) {
  sycl::queue q;
  const shared_array<double> p(8, q);
  sycl::buffer<int> b{sycl::range(10)};
  const sycl::accessor<int> a(b);
  alignas(64) unsigned char bytes[sizeof a + 64];
  std::memcpy(bytes, static_cast<const void *>(&a), sizeof a);  // what an accessor leaves behind on the stack
  const sycl::double8 x(1.5), y(2);
  q.single_task([=, p = p.get()] {
     const sycl::double8 sum = x + y;
     for (int i = 0; i < 8; i++) p[i] = sum[i] + bytes[0] - bytes[0];
   }).wait();
  EXPECT_EQ(p[7], 3.5);
}

TEST(accessors, types_follow_the_tags) {
  using namespace sycl;
  buffer<int> b{range(4)};
  queue().submit([&](handler &h) {
    static_assert(std::is_same_v<decltype(accessor(b, h)), accessor<int, 1, access_mode::read_write>>);
    static_assert(std::is_same_v<decltype(accessor(b, h, read_only)), accessor<int, 1, access_mode::read>>);
    static_assert(std::is_same_v<decltype(accessor(b, h, write_only, no_init)), accessor<int, 1, access_mode::write>>);
    static_assert(std::is_same_v<decltype(accessor(b, h, read_only_host_task)),
                                 accessor<int, 1, access_mode::read, target::host_task>>);
    static_assert(std::is_same_v<decltype(accessor(b, h, read_only)[0]), const int &>);
    static_assert(std::is_trivially_copyable_v<accessor<int, 3>>);
    static_assert(std::is_trivially_copyable_v<local_accessor<int, 2>>);
    const accessor writes(b, h);
    const accessor<const int> reads = writes;
    const accessor<int, 1, access_mode::read> also = reads;
    EXPECT_EQ(also.size(), 4u);
  });
}

TEST(accessors, of_mode_atomic_are_atomic) {
  sycl::queue q;
  int sum = 0;
  {
    sycl::buffer<int> b(&sum, 1);
    q.submit([&](sycl::handler &h) {
      const auto a = b.get_access<sycl::access::mode::atomic>(h);
      h.parallel_for(10000, [=](sycl::id<1>) { a[0].fetch_add(1); });
    });
  }
  EXPECT_EQ(sum, 10000);
}

TEST(accessors, copy_between_buffers) {
  sycl::queue q;
  std::vector<int> from(100), to(200, -1);
  std::iota(from.begin(), from.end(), 0);
  {
    sycl::buffer a(from), b(to);
    q.copy(sycl::accessor(a, sycl::read_only), sycl::accessor(b, sycl::range(100), sycl::id(50), sycl::write_only));
    EXPECT_THROW(q.copy(sycl::accessor(b, sycl::read_only), sycl::accessor(a, sycl::write_only)), sycl::exception);
  }
  EXPECT_EQ(to[49], -1);
  EXPECT_EQ(to[50], 0);
  EXPECT_EQ(to[149], 99);
  EXPECT_EQ(to[150], -1);
}

TEST(accessors, copy_to_memory_that_is_shared) {
  sycl::queue q;
  std::vector<int> data(10, 3);
  sycl::buffer b(data);
  std::shared_ptr<int[]> to(new int[10]());
  q.copy(sycl::accessor(b, sycl::read_only), to).wait();
  EXPECT_EQ(to[9], 3);
}

TEST(accessors, update_the_host) {
  sycl::queue q;
  std::vector<int> data(10, 3);
  sycl::buffer<int> b(data.data(), 10, {sycl::property::buffer::use_host_ptr()});
  q.submit([&](sycl::handler &h) {
    const sycl::accessor a(b, h);
    h.parallel_for(10, [=](sycl::id<1> i) { a[i]++; });
  });
  q.update_host(sycl::accessor(b, sycl::read_only)).wait();
  EXPECT_EQ(data, std::vector<int>(10, 4));
}

TEST(accessors, are_deduced_from_host_accessors) {
  sycl::buffer<int> b{sycl::range<1>(2)};
  {
    sycl::accessor a = b.get_host_access(sycl::write_only);
    static_assert(
        std::is_same_v<decltype(a), sycl::accessor<int, 1, sycl::access_mode::write, sycl::target::host_buffer>>);
    a[0] = 1, a[1] = 2;
  }
  EXPECT_EQ(b.get_host_access()[1], 2);
}

TEST(accessor, knows_how_many_elements_its_type_could_have) {
  const sycl::accessor<int, 2> none;
  EXPECT_EQ(none.size(), 0u);
  EXPECT_GT(none.max_size(), std::size_t{1} << 40);
  EXPECT_GT((sycl::host_accessor<double>().max_size()), std::size_t{1} << 40);
  EXPECT_GT((sycl::local_accessor<char>().max_size()), std::size_t{1} << 40);
  EXPECT_EQ((sycl::accessor<int, 0>().max_size()), 1u);
}

namespace {
/// Runs a kernel that captures an accessor and values with the alignment of V.
template <class V> void expect_captured() {
  using T = typename V::element_type;
  sycl::queue q;
  const V a(T(3)), b(T(4));
  V sum(T(0));
  {
    sycl::buffer<V> result(&sum, 1);
    q.submit([&](sycl::handler &h) {
      const sycl::accessor out(result, h);
      h.single_task([=] { out[0] += sycl::fma(a, b, sycl::trunc(a)); });
    });
    q.wait_and_throw();
  }
  for (std::size_t i = 0; i < V::size(); i++) EXPECT_EQ(sum[static_cast<int>(i)], T(15)) << i;
}
}  // namespace

TEST(accessors, are_captured_beside_aligned_vectors) {
  expect_captured<sycl::double2>();
  expect_captured<sycl::double3>();
  expect_captured<sycl::float8>();
  expect_captured<sycl::float16>();
  expect_captured<sycl::double8>();
  expect_captured<sycl::double16>();
}
