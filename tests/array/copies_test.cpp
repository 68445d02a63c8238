// Copies: casts, assignment, host memory of any strides, and other queues and kinds of memory.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include <dpep/array_opcodes.hpp>

#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;

TEST(copies, are_arrays_of_their_own) {
  const ndarray x = counting<double>({3, 4});
  const std::vector<int> swapped{1, 0};
  const ndarray kept = copy(permute(x, swapped)), rows = copy(permute(x, swapped), order::row_major);
  EXPECT_EQ(strides_of(kept), (shape_t{1, 4}));
  EXPECT_EQ(strides_of(rows), (shape_t{3, 1}));
  EXPECT_EQ(values_of<double>(kept), values_of<double>(permute(x, swapped)));
  assign(x, scalar::of(0.0));
  EXPECT_EQ(values_of<double>(rows)[1], 4.0);
}

TEST(copies, cast) {
  const ndarray x = array_of<double>({-1.9, 0.0, 2.9});
  EXPECT_EQ(values_of<std::int32_t>(astype(x, dtype::int32)), (std::vector<std::int32_t>{-1, 0, 2}));
  EXPECT_EQ(values_of<bool>(astype(x, dtype::boolean)), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(values_of<std::complex<double>>(astype(x, dtype::complex128))[2], 2.9);
  EXPECT_EQ(astype(x, dtype::float64, casting::unsafe, order::keep, false), x);
  EXPECT_NE(astype(x, dtype::float64), x);
  EXPECT_EQ(refused(refusal::type, [&] { astype(x, dtype::float32, casting::safe); }),
            "astype: float64 cannot be cast to float32 (casting 'safe')");
}

TEST(copies, assignment_broadcasts_and_casts) {
  const ndarray x = counting<std::int32_t>({2, 3});
  assign(x, array_of<double>({7.9, -8.9, 9.0}));
  EXPECT_EQ(values_of<std::int32_t>(x), (std::vector<std::int32_t>{7, -8, 9, 7, -8, 9}));
  assign(x, array_of<std::int32_t>({5}, {1, 1, 1}));
  EXPECT_EQ(values_of<std::int32_t>(x), std::vector<std::int32_t>(6, 5));
  assign(x, scalar::of(std::int64_t{3}));
  EXPECT_EQ(values_of<std::int32_t>(x), std::vector<std::int32_t>(6, 3));
  refused(refusal::type, [&] { assign(x, array_of<std::complex<double>>({{1, 0}})); });
  refused(refusal::value, [&] { assign(x, counting<double>({2})); });
  refused(refusal::overflow, [&] { assign(x, scalar::of(std::int64_t{1} << 40)); });
  x.set_writable(false);
  refused(refusal::value, [&] { assign(x, scalar::of(1.0)); });
}

TEST(copies, assignment_from_overlapping_memory_reads_first) {
  for (const std::int64_t n : {10, 30000}) {
    const ndarray x = counting<double>({n});
    const std::vector<int> all{0};
    assign(x, flip(x, all));
    const auto got = values_of<double>(x);
    for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(got[std::size_t(i)], double(n - 1 - i));
  }
}

/// A view of 12 elements in host memory: shape, strides in bytes, offset of the first byte.
struct seen_host {
  shape_t shape, strides;
  std::ptrdiff_t first;
};

TEST(host_memory, of_any_strides_is_copied_in_both_directions) {
  // the last strides are not multiples of the element size
  const seen_host ways[] = {{{12}, {4}, 0},       {{3, 4}, {16, 4}, 0},   {{4, 3}, {4, 16}, 0}, {{12}, {-4}, 44},
                            {{3, 2}, {16, 8}, 4}, {{3, 2}, {-16, 4}, 32}, {{2, 3}, {0, 4}, 0},  {{}, {}, 8},
                            {{0, 3}, {12, 4}, 0}, {{7}, {5}, 1},          {{2, 3}, {17, 6}, 3}};
  float memory[12];
  for (int i = 0; i < 12; ++i) memory[i] = float(i) + 0.25f;
  const auto at = [](const seen_host &w, const void *base, std::size_t i) {
    std::ptrdiff_t place = w.first;
    for (std::size_t axis = w.shape.size(); axis-- > 0;) {
      place += std::ptrdiff_t(i % std::size_t(w.shape[axis])) * w.strides[axis];
      i /= std::size_t(w.shape[axis]);
    }
    float value;
    std::memcpy(&value, static_cast<const char *>(base) + place, 4);
    return value;
  };
  for (const seen_host &w : ways) {
    const host_view from{reinterpret_cast<char *>(memory) + w.first, dtype::float32, w.shape, w.strides};
    for (const order o : {order::keep, order::row_major, order::column_major}) {
      const auto same = values_of<float>(from_host(from, dtype::float32, here(), o));
      const auto wide = values_of<double>(from_host(from, dtype::float64, here(), o));
      ASSERT_EQ(same.size(), std::size_t(count_of(w.shape)));
      for (std::size_t i = 0; i < same.size(); ++i) {
        const float expected = at(w, memory, i);
        if (std::isnan(expected)) continue;  // bytes of two elements may form any number
        EXPECT_EQ(same[i], expected) << i << " of " << w.strides.size();
        EXPECT_EQ(wide[i], double(expected));
      }
    }
    if (w.shape == shape_t{2, 3} && w.strides[0] == 0) continue;  // several elements at one address
    if (!w.strides.empty() && (w.strides[0] == 5 || w.strides[0] == 17)) {
      alignas(8) char packed[64] = {};
      const shape_t strides = w.strides[0] == 5 ? shape_t{5} : shape_t{17, 5};
      const ndarray x = counting<float>(w.shape, 3);
      copy_to_host(x, {packed + 1, dtype::float32, w.shape, strides});
      const seen_host back{w.shape, strides, 1};
      for (std::size_t i = 0; i < std::size_t(x.size()); ++i) EXPECT_EQ(at(back, packed, i), float(i) + 3);
      continue;
    }
    float target[12] = {};
    const ndarray x = counting<float>(w.shape, 3);
    copy_to_host(x, {reinterpret_cast<char *>(target) + w.first, dtype::float32, w.shape, w.strides});
    for (std::size_t i = 0; i < std::size_t(x.size()); ++i) EXPECT_EQ(at(w, target, i), float(i) + 3);
  }
}

TEST(host_memory, is_cast_while_it_is_copied) {
  const ndarray x = array_of<double>({1.9, -2.9, 0});
  std::int16_t small[3];
  copy_to_host(x, {small, dtype::int16, shape_t{3}, shape_t{2}});
  EXPECT_EQ(small[0], 1);
  EXPECT_EQ(small[1], -2);
  const std::uint8_t bytes[3] = {7, 8, 9};
  copy_from_host(x, {const_cast<std::uint8_t *>(bytes), dtype::uint8, shape_t{3}, shape_t{1}});
  EXPECT_EQ(values_of<double>(x), (std::vector<double>{7, 8, 9}));
  refused(refusal::value, [&] { copy_to_host(x, {small, dtype::int16, shape_t{2}, shape_t{2}}); });
}

TEST(host_memory, large_arrays_in_both_orders) {
  const std::int64_t n = 700;
  std::vector<double> memory(std::size_t(n * n));
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = double(i);
  const ndarray x =
      from_host({memory.data(), dtype::float64, shape_t{n, n}, shape_t{8, 8 * n}}, dtype::float64, here());
  EXPECT_TRUE(x.column_major());
  const auto got = values_of<double>(x);
  for (std::int64_t i = 0; i < n; i += 13)
    for (std::int64_t j = 0; j < n; ++j) ASSERT_EQ(got[std::size_t(i * n + j)], double(j * n + i));
}

TEST(copies, items_are_numbers_of_their_kind) {
  EXPECT_EQ(item(array_of<std::uint64_t>({UINT64_MAX})).beyond_int64, true);
  EXPECT_EQ(item(array_of<std::int8_t>({-3}, {1, 1})).integer, -3);
  EXPECT_EQ(item(array_of<bool>({true})).what, scalar::kind::boolean);
  EXPECT_EQ(item(array_of<_Float16>({_Float16(1.5)})).number, 1.5);
  EXPECT_EQ(item(array_of<std::complex<float>>({{1, 2}})).number, (std::complex<double>(1, 2)));
  EXPECT_EQ(refused(refusal::value, [] { item(counting<double>({2})); }),
            "item: expected one element, got 2 of shape (2,)");
}

TEST(copies, to_other_queues_and_kinds_of_memory) {
  const ndarray x = counting<double>({3, 4});
  EXPECT_EQ(to_placement(x, here()), x);
  const ndarray shared = to_placement(x, here(usm_kind::shared));
  EXPECT_EQ(shared.memory_kind(), usm_kind::shared);
  EXPECT_EQ(values_of<double>(shared), values_of<double>(x));

  const queue same_context{device()};  // it can access the memory
  const ndarray view = to_placement(x, {same_context});
  EXPECT_EQ(view.get_queue(), same_context);
  assign(x, scalar::of(5.0));
  test_queue().wait();
  EXPECT_EQ(values_of<double>(view), std::vector<double>(12, 5.0));

  const context other{device()};
  const queue there{other, device()};
  const std::vector<int> swapped{1, 0}, all{0, 1};
  for (const ndarray &a : {x, permute(x, swapped), flip(x, all)}) {
    const ndarray moved = to_placement(a, {there});
    EXPECT_EQ(moved.get_queue(), there);
    EXPECT_EQ(values_of<double>(moved), values_of<double>(a));
  }
}

TEST(copies, of_arrays_of_another_queue_are_made_before_these_are_overwritten) {
  for (const std::int64_t n : {12, 100000}) {
    const queue mine{device()}, other{device()};
    const ndarray from = empty(shape_t{n}, dtype::float64, {other}), to = empty(shape_t{n}, dtype::float64, {mine});
    assign(from, scalar::of(3.0));
    const user_event gate;
    order_after(mine, gate);
    assign(to, from);
    assign(from, scalar::of(7.0));  // must wait for the gate, too, although its own queue is idle
    gate.complete();
    EXPECT_EQ(values_of<double>(to), std::vector<double>(std::size_t(n), 3.0));
    EXPECT_EQ(values_of<double>(from), std::vector<double>(std::size_t(n), 7.0));
  }
}

TEST(copies, exposed_arrays_are_computed) {
  const ndarray x = counting<double>({100000});
  const ndarray y = apply(opcode::add, x, x);
  const auto memory = y.expose();
  EXPECT_EQ(static_cast<const double *>(memory.base)[memory.offset + 99999], 199998.0);
  EXPECT_EQ(memory.bytes, 800000u);
}

}  // namespace
}  // namespace dpep::array
