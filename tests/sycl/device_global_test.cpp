// Variables with storage on each device (extension sycl_ext_oneapi_device_global).
#include <gtest/gtest.h>

#include <vector>

#include <sycl/sycl.hpp>

#include "error_of.hpp"
#include "free_function_kernel.hpp"

namespace {

namespace syclex = sycl::ext::oneapi::experimental;
using syclex::device_global;

struct pair {
  int first;
  double second;
};

struct doubled {
  constexpr doubled(int x) : value(2 * x) {}
  int value;
};

device_global<int> counter;
static device_global<int[4]> quarters;
inline device_global<float[3]> thirds{1.5, 2.5, 3.5};
device_global<pair> of_fields{pair{3, 0.25}};
device_global<doubled> constructed(21);
device_global<int[2][3]> rows{1, 2, 3, 4, 5, 6};
device_global<int> first_of_line(1), second_of_line(2);
device_global<int *> pointer;
device_global<int, decltype(syclex::properties(syclex::device_image_scope, syclex::host_access_read))> read_only_here{
    7};
device_global<int, decltype(syclex::properties(syclex::host_access_write, syclex::init_mode_reset,
                                               syclex::implement_in_csr_on))>
    written_here;
device_global<int[100000]> large;
device_global<int> original(5);
device_global<long> copied(original);
device_global<unsigned> total;
struct holder {
  static device_global<int> member;
};
device_global<int> holder::member{11};
namespace inner {
device_global<int> counter{100};
}

void add_to_counter(int x) { counter += x; }

TEST(device_globals, start_with_zeros_or_the_initial_value) {
  sycl::queue q;
  std::vector<double> seen(12, -1);
  {
    sycl::buffer<double> out(seen);
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(out, h, sycl::write_only);
      h.single_task([=] {
        a[0] = quarters[0] + quarters[3];
        a[1] = thirds[0];
        a[2] = thirds.get()[2];
        a[3] = of_fields.get().first;
        a[4] = of_fields.get().second;
        a[5] = constructed.get().value;
        a[6] = rows[1][0];
        a[7] = first_of_line;
        a[8] = second_of_line;
        a[9] = static_cast<double>(copied.get());
        a[10] = holder::member;
        a[11] = inner::counter;
      });
    });
  }
  EXPECT_EQ(seen, (std::vector<double>{0, 1.5, 3.5, 3, 0.25, 42, 4, 1, 2, 5, 11, 100}));
}

TEST(device_globals, keep_what_kernels_write) {
  sycl::queue q{sycl::property::queue::in_order()};
  q.single_task([] { counter = 4; });
  q.single_task([] { add_to_counter(3); });
  int seen = 0;
  q.memcpy(&seen, counter).wait();
  EXPECT_EQ(seen, 7);
  sycl::queue other(q.get_device());
  q.wait();
  other.single_task([] { counter.get() *= 2; }).wait();
  q.copy(counter, &seen).wait();
  EXPECT_EQ(seen, 14);
}

TEST(device_globals, are_copied_to_and_from) {
  sycl::queue q;
  const int given[4] = {1, 2, 3, 4};
  q.memcpy(quarters, given).wait();
  int back[4] = {};
  q.memcpy(back, quarters, 2 * sizeof(int), 2 * sizeof(int)).wait();
  EXPECT_EQ(back[0], 3);
  EXPECT_EQ(back[1], 4);
  const sycl::event before = q.copy(given + 2, quarters, 1, 1);
  q.copy(quarters, back, 4, 0, before).wait();
  EXPECT_EQ(std::vector<int>(back, back + 4), (std::vector<int>{1, 3, 3, 4}));
  const std::vector<sycl::event> both{q.submit([&](sycl::handler &h) { h.copy(given, quarters, 2, 2); })};
  q.memcpy(back, quarters, sizeof back, 0, both).wait();
  EXPECT_EQ(std::vector<int>(back, back + 4), (std::vector<int>{1, 3, 1, 2}));
  q.submit([&](sycl::handler &h) { h.memcpy(back, quarters, sizeof(int), 3 * sizeof(int)); }).wait();
  EXPECT_EQ(back[0], 2);
}

TEST(device_globals, are_copied_after_events_in_braces) {
  sycl::queue q;
  const int given[4] = {5, 6, 7, 8};
  const sycl::event first = q.memcpy(quarters, given);
  const sycl::event second = q.copy(given, quarters, 1, 1, {first});
  int back[4] = {};
  q.memcpy(back, quarters, sizeof back, 0, {first, second}).wait();
  EXPECT_EQ(std::vector<int>(back, back + 4), (std::vector<int>{5, 5, 7, 8}));
  q.copy(quarters, back, 2, 2, {q.copy(given, quarters, 1, 2, {first, second})}).wait();
  EXPECT_EQ(std::vector<int>(back, back + 4), (std::vector<int>{5, 8, 7, 8}));
}

TEST(device_globals, are_shared_by_all_work_items) {
  sycl::queue q;
  const unsigned zero = 0;
  q.memcpy(total, &zero).wait();
  q.parallel_for(sycl::range(10000), [](sycl::id<1> i) {
     sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device> sum(total.get());
     sum += static_cast<unsigned>(i[0]);
   }).wait();
  unsigned seen = 0;
  q.copy(total, &seen).wait();
  EXPECT_EQ(seen, 49995000u);
}

TEST(device_globals, may_be_large) {
  sycl::queue q;
  q.parallel_for(sycl::range(100000), [](sycl::item<1> i) {
     large[std::ptrdiff_t(i.get_linear_id())] = int(i.get_linear_id()) * 3;
   }).wait();
  std::vector<int> seen(100000);
  q.copy(large, seen.data()).wait();
  for (int i = 0; i < 100000; ++i) ASSERT_EQ(seen[std::size_t(i)], 3 * i);
}

TEST(device_globals, are_the_same_in_two_units) {
  sycl::queue q;
  q.single_task([] { counted_in_both_units += 1; }).wait();
  count_in_other_unit(q);
  q.single_task([] { counted_in_both_units += 1; }).wait();
  int seen = 0;
  q.copy(counted_in_both_units, &seen).wait();
  EXPECT_EQ(seen, 17);
}

TEST(device_globals, give_pointers) {
  sycl::queue q{sycl::property::queue::in_order()};
  int *const memory = sycl::malloc_shared<int>(2, q);
  memory[0] = memory[1] = 0;
  q.single_task([=] {
    pointer = memory;
    auto p = counter.get_multi_ptr<sycl::access::decorated::no>();
    *p = 9;
  });
  q.single_task([] { pointer[1] = counter; });
  q.wait();
  EXPECT_EQ(memory[1], 9);
  sycl::free(memory, q);
}

TEST(device_globals, have_properties) {
  using type = decltype(read_only_here);
  static_assert(type::has_property<syclex::device_image_scope_key>());
  static_assert(!type::has_property<syclex::init_mode_key>());
  static_assert(type::get_property<syclex::host_access_key>() == syclex::host_access_read);
  static_assert(syclex::is_property_key_of<syclex::host_access_key, type>::value);
  static_assert(!std::is_copy_constructible_v<type> && !std::is_copy_assignable_v<decltype(counter)>);
  sycl::queue q;
  int seen = 0;
  q.copy(read_only_here, &seen).wait();
  EXPECT_EQ(seen, 7);
  const int given = 8;
  q.copy(&given, written_here).wait();
  int *const out = sycl::malloc_shared<int>(1, q);
  q.single_task([=] { *out = written_here; }).wait();
  EXPECT_EQ(*out, 8);
  sycl::free(out, q);
}

TEST(device_globals, refuse_copies_beyond_the_end) {
  sycl::queue q;
  int values[8] = {};
  EXPECT_EQ(test::error_of([&] { q.copy(values, quarters, 3, 2); }).code, sycl::errc::invalid);
  EXPECT_EQ(test::error_of([&] { q.memcpy(values, quarters, 17); }).code, sycl::errc::invalid);
  EXPECT_EQ(test::error_of([&] { q.memcpy(values, quarters, 1, 17); }).code, sycl::errc::invalid);
  q.copy(values, quarters, 0, 4).wait();
}

// Specialisations of one declaration, some with equal value types.
template <class Tag> device_global<int> of_tag(7);
template <class Tag> const device_global<int> constant_of_tag(9);
template <int n> struct counters {
  static inline device_global<unsigned> value{unsigned(n)};
};

TEST(device_globals, of_templates_are_told_apart) {
  sycl::queue q;
  int *const seen = sycl::malloc_shared<int>(8, q);
  q.single_task([=] {
     of_tag<char> += 1;
     of_tag<short> += 2;
     seen[0] = of_tag<char>, seen[1] = of_tag<short>;
     seen[2] = constant_of_tag<char>, seen[3] = constant_of_tag<short>;
     counters<3>::value += 10;
     counters<5>::value += 10;
   }).wait();
  q.single_task([=] {
     seen[4] = int(counters<3>::value);
     seen[5] = of_tag<char>;
   }).wait();
  q.single_task([=] {
     seen[6] = int(counters<5>::value);
     seen[7] = of_tag<short>;
   }).wait();
  EXPECT_EQ(std::vector<int>(seen, seen + 8), (std::vector{8, 9, 9, 9, 13, 8, 15, 9}));
  int copied = 0;
  q.copy(of_tag<short>, &copied).wait();
  EXPECT_EQ(copied, 9);
  copied = 100;
  q.copy(&copied, of_tag<char>).wait();
  q.single_task([=] { seen[0] = of_tag<char>, seen[1] = of_tag<short>; }).wait();
  EXPECT_EQ(seen[0], 100);
  EXPECT_EQ(seen[1], 9);
  sycl::free(seen, q);
}

}  // namespace
