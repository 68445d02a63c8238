// Kernels: captures, queries and output; kernel bundles and specialization constants.
#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

constexpr sycl::specialization_id<int> factor(3);
constexpr sycl::specialization_id<std::array<float, 2>> pair_of_floats(std::array<float, 2>{1, 2});

struct handle_like {
  handle_like(int v) : value(v) {}
  handle_like(const handle_like &other) : value(other.value) {}
  int value;
};

}  // namespace

template <> struct sycl::is_device_copyable<handle_like> : std::true_type {};

TEST(kernels, capture_device_copyable_types) {
  static_assert(sycl::is_device_copyable_v<std::tuple<int, float>>);
  static_assert(sycl::is_device_copyable_v<std::pair<int, std::tuple<char>>>);
  static_assert(sycl::is_device_copyable_v<const handle_like[3]>);
  static_assert(!sycl::is_device_copyable_v<std::vector<int>>);
  static_assert(!sycl::is_device_copyable_v<std::tuple<int, std::string>>);
  sycl::queue q;
  const shared_array<double> p(6, q);
  const std::tuple<int, double> tuple(1, 2.5);
  const std::pair<char, float> pair(3, 4.5f);
  const std::optional<int> optional(7);
  const std::variant<int, double> variant(8.5);
  const std::array<short, 3> array{1, 2, 9};
  const int plain[2] = {5, 6};
  q.single_task([=, p = p.get()] {
     p[0] = std::get<0>(tuple) + std::get<1>(tuple);
     p[1] = pair.first + pair.second;
     p[2] = *optional;
     p[3] = *std::get_if<double>(&variant);
     p[4] = array[2];
     p[5] = plain[1];
   }).wait();
  EXPECT_EQ(p.values(), (std::vector{3.5, 7.5, 7.0, 8.5, 9.0, 6.0}));
}

TEST(kernels, capture_classes_with_tuples_which_are_elements_of_buffers) {
  struct with_tuple {
    std::tuple<int, float> values;
    std::pair<char, int> more;
  };
  sycl::queue q;
  with_tuple result{{0, 0}, {0, 0}};
  {
    sycl::buffer<with_tuple> b(&result, sycl::range<1>(1));
    q.submit([&](sycl::handler &h) {
      const sycl::accessor a(b, h);
      h.single_task([=, given = with_tuple{{1, 2.5f}, {3, 4}}] { a[0] = given; });
    });
  }
  EXPECT_EQ(result.values, std::tuple(1, 2.5f));
  EXPECT_EQ(result.more.second, 4);
  const shared_array<int> filled(8, q);
  q.fill(filled.get(), std::pair(7, 8), 4).wait();
  EXPECT_EQ(filled.values(), (std::vector{7, 8, 7, 8, 7, 8, 7, 8}));
}

// GPUs' grids have up to 65,535 work-groups in these dimensions.
template <int D> void expect_all_groups(const sycl::range<D> &groups, const sycl::range<D> &local) {
  sycl::queue q;
  const sycl::range<D> global = groups * local;
  const shared_array<int> seen(global.size(), q), wrong(1, q);
  q.submit([&](sycl::handler &h) {
     const sycl::local_accessor<int, 1> count(1, h);
     h.parallel_for(sycl::nd_range<D>(global, local),
                    [=, seen = seen.get(), wrong = wrong.get()](sycl::nd_item<D> item) {
                      using atomic = sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>;
                      bool right = item.get_global_range() == global && item.get_group_range() == groups;
                      std::size_t group = 0, at = 0;
                      for (int d = 0; d < D; ++d) {
                        group = group * groups[d] + item.get_group(d);
                        at = at * global[d] + item.get_group(d) * local[d] + item.get_local_id(d);
                      }
                      right &= group == item.get_group_linear_id() && at == item.get_global_linear_id();
                      if (!right) atomic(*wrong) += 1;
                      if (item.get_local_linear_id() == 0) count[0] = 0;
                      sycl::group_barrier(item.get_group());
                      atomic(count[0]) += 1;
                      sycl::group_barrier(item.get_group());
                      atomic(seen[item.get_global_linear_id()]) += count[0];
                    });
   }).wait();
  EXPECT_EQ(wrong[0], 0);
  const std::vector<int> all = seen.values();
  EXPECT_EQ(std::ranges::count(all, static_cast<int>(local.size())), static_cast<std::ptrdiff_t>(all.size()));
}
TEST(kernels, run_in_any_number_of_work_groups) {
  expect_all_groups<2>({70001, 2}, {1, 4});
  expect_all_groups<3>({66000, 1, 2}, {1, 2, 1});
  expect_all_groups<3>({2, 65536, 1}, {1, 1, 3});
}

TEST(kernels, may_be_empty_or_constant) {
  sycl::queue q;
  q.single_task([] {}).wait();
  q.parallel_for(1000, [](auto) {}).wait();
  q.parallel_for(sycl::nd_range<3>({4, 4, 4}, {2, 2, 2}), [](sycl::nd_item<3>) {}).wait();
  EXPECT_NO_THROW(q.wait_and_throw());  // errors of kernels are thrown here
}

TEST(kernels, read_specialization_constants) {
  sycl::queue q;
  const shared_array<float> p(10, q);
  q.submit([&](sycl::handler &h) {
     h.set_specialization_constant<factor>(5);
     EXPECT_EQ(h.get_specialization_constant<factor>(), 5);
     h.parallel_for(10, [p = p.get()](sycl::id<1> i, sycl::kernel_handler k) {
       p[i] =
           float(i[0] * k.get_specialization_constant<factor>()) + k.get_specialization_constant<pair_of_floats>()[1];
     });
   }).wait();
  for (int i = 0; i < 10; i++) ASSERT_EQ(p[i], 5 * i + 2);
  q.single_task([p = p.get()](sycl::kernel_handler k) { p[0] = k.get_specialization_constant<factor>(); }).wait();
  EXPECT_EQ(p[0], 3);
}

namespace {
struct without_default {
  int value;
  constexpr explicit without_default(int v) : value(v) {}
};
template <int I> constexpr sycl::specialization_id<sycl::vec<double, 16>> sixteen_doubles(I + 0.5);
constexpr sycl::specialization_id<sycl::marray<double, 10>> ten_doubles(7.25);
constexpr sycl::specialization_id<std::tuple<int, float>> int_and_float(3, 0.5f);
constexpr sycl::specialization_id<without_default> made_from_int(9);
constexpr sycl::specialization_id<std::array<char, 1500>> large(std::array<char, 1500>{'a'});
}  // namespace

// Vectors of 128 bytes also have that alignment, and a tuple is device copyable without being trivially copyable.
TEST(kernels, read_specialization_constants_of_any_device_copyable_type) {
  sycl::queue q;
  const shared_array<double> p(14, q);
  const auto read = [p = p.get()](sycl::kernel_handler k) {
    p[0] = k.get_specialization_constant<made_from_int>().value;
    p[1] = k.get_specialization_constant<ten_doubles>()[9];
    p[2] = std::get<0>(k.get_specialization_constant<int_and_float>());
    p[3] = std::get<1>(k.get_specialization_constant<int_and_float>());
    const auto last = [&]<int... I>(std::integer_sequence<int, I...>) {
      ((p[4 + I] = k.get_specialization_constant<sixteen_doubles<I>>()[15]), ...);
    };
    last(std::make_integer_sequence<int, 10>());
  };
  q.single_task(read).wait();
  const double initial[4] = {9, 7.25, 3, 0.5};
  for (int i = 0; i < 4; i++) EXPECT_EQ(p[i], initial[i]) << i;
  for (int i = 0; i < 10; i++) EXPECT_EQ(p[4 + i], i + 0.5);
  q.submit([&](sycl::handler &h) {
     h.set_specialization_constant<made_from_int>(without_default(-1));
     h.set_specialization_constant<int_and_float>({4, 2.5f});
     const auto set = [&]<int... I>(std::integer_sequence<int, I...>) {
       (h.set_specialization_constant<sixteen_doubles<I>>(sycl::vec<double, 16>(100.0 + I)), ...);
     };
     set(std::make_integer_sequence<int, 10>());
     h.set_specialization_constant<ten_doubles>(sycl::marray<double, 10>(-2.5));
     h.set_specialization_constant<sixteen_doubles<3>>(sycl::vec<double, 16>(-3.0));  // again
     EXPECT_EQ(std::get<1>(h.get_specialization_constant<int_and_float>()), 2.5f);
     h.single_task(read);
   }).wait();
  const double then[4] = {-1, -2.5, 4, 2.5};
  for (int i = 0; i < 4; i++) EXPECT_EQ(p[i], then[i]) << i;
  for (int i = 0; i < 10; i++) EXPECT_EQ(p[4 + i], i == 3 ? -3.0 : 100.0 + i);
}

TEST(kernels, cannot_have_more_specialization_constants_than_their_arguments_hold) {
  sycl::queue q;
  const test::caught_error error = test::error_of([&] {
    q.submit([&](sycl::handler &h) {
      h.set_specialization_constant<large>({'b'});
      h.set_specialization_constant<large>({'c'});
      const sycl::vec<double, 16> ones(1.0);
      h.set_specialization_constant<sixteen_doubles<0>>(ones);
      h.set_specialization_constant<sixteen_doubles<1>>(ones);
      h.set_specialization_constant<sixteen_doubles<2>>(ones);
      h.set_specialization_constant<sixteen_doubles<3>>(ones);
      EXPECT_EQ(h.get_specialization_constant<large>()[0], 'c');
      EXPECT_EQ(h.get_specialization_constant<sixteen_doubles<3>>()[15], 1);
      h.set_specialization_constant<sixteen_doubles<4>>(ones);  // more than 2048 bytes
    });
  });
  EXPECT_EQ(error.code, sycl::errc::invalid);
  EXPECT_TRUE(error.mentions("2048 bytes")) << error.message;
}

TEST(kernels, are_found_in_bundles) {
  sycl::queue q;
  const shared_array<int> p(1, q);
  q.single_task<class in_bundle>([p = p.get()] { p[0] = 1; }).wait();
  const sycl::kernel_id id = sycl::get_kernel_id<in_bundle>();
  EXPECT_NE(std::string(id.get_name()).find("in_bundle"), std::string::npos);
  const auto bundle = sycl::get_kernel_bundle<in_bundle, sycl::bundle_state::executable>(q.get_context());
  EXPECT_TRUE(bundle.has_kernel(id));
  EXPECT_TRUE(sycl::has_kernel_bundle<sycl::bundle_state::executable>(q.get_context()));
  const sycl::kernel k = bundle.get_kernel(id);
  EXPECT_EQ(k.get_info<sycl::info::kernel_device_specific::work_group_size>(q.get_device()),
            q.get_device().get_info<sycl::info::device::max_work_group_size>());
  const auto all = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  q.submit([&](sycl::handler &h) {
     h.use_kernel_bundle(all);
     h.single_task([p = p.get()] { p[0] = 2; });
   }).wait();
  EXPECT_EQ(p[0], 2);
  const std::vector<sycl::kernel_id> ids = all.get_kernel_ids();
  EXPECT_NE(std::find(ids.begin(), ids.end(), id), ids.end());
}

TEST(kernels, print_with_formats) {
  sycl::queue q;
  testing::internal::CaptureStdout();
  q.single_task([] { sycl::ext::oneapi::experimental::printf("%d and %.2f from %s\n", 42, 1.5, "a kernel"); }).wait();
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "42 and 1.50 from a kernel\n");
}
