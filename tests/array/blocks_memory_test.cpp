// Strided copies between all layouts, stores past the caches, repeated elements, ramps.
#include <gtest/gtest.h>

#include <random>

#include "array/blocks/table.hpp"
#include "blocks_reference.hpp"

namespace {

using namespace dpep::array;
using namespace dpep::array::blocks;
using dpep::dtype;

class block_memory : public testing::TestWithParam<instructions> {
protected:
  void SetUp() override {
    if (!has(GetParam())) GTEST_SKIP() << "the processor has no " << name_of(GetParam());
  }
  const kernel_table table{GetParam()};

  /// Memory with margins around `rows` x `columns` elements at these distances (in elements), also for negative ones.
  struct layout {
    std::int64_t row, column;
  };
  static std::int64_t least(std::size_t rows, std::size_t columns, layout l) {
    return std::min<std::int64_t>(0, l.row * std::int64_t(rows - 1)) +
           std::min<std::int64_t>(0, l.column * std::int64_t(columns - 1));
  }
  static std::int64_t extent(std::size_t rows, std::size_t columns, layout l) {
    return std::abs(l.row) * std::int64_t(rows - 1) + std::abs(l.column) * std::int64_t(columns - 1) + 1;
  }

  void check(std::size_t item, std::size_t rows, std::size_t columns, layout to, layout from) {
    const auto bytes = static_cast<std::int64_t>(item);
    // allocations of exactly the accessible bytes, so that sanitizers find more errors
    std::vector<std::uint8_t> source(std::size_t(extent(rows, columns, from) * bytes));
    std::vector<std::uint8_t> target(std::size_t(extent(rows, columns, to) * bytes), 0xa5);
    std::mt19937 random(9);
    for (auto &x : source) x = static_cast<std::uint8_t>(random() % 100);
    const std::int64_t from_0 = -least(rows, columns, from) * bytes, to_0 = -least(rows, columns, to) * bytes;
    auto expected = target;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c)
        for (std::int64_t b = 0; b < bytes; ++b) {
          const auto row = std::int64_t(r), column = std::int64_t(c);
          expected[std::size_t(to_0 + (row * to.row + column * to.column) * bytes + b)] =
              source[std::size_t(from_0 + (row * from.row + column * from.column) * bytes + b)];
        }
    table.copies().functions[std::countr_zero(item)](rows, columns,
                                                     {target.data() + to_0, to.row * bytes, to.column * bytes},
                                                     {source.data() + from_0, from.row * bytes, from.column * bytes});
    ASSERT_EQ(target, expected) << item << " bytes, " << rows << " x " << columns << ", to (" << to.row << ", "
                                << to.column << "), from (" << from.row << ", " << from.column << ")";
  }
};

TEST_P(block_memory, copies_any_layout_to_any_other) {
  for (const std::size_t item : {1, 2, 4, 8, 16})
    for (const auto [rows, columns] : {std::pair<std::size_t, std::size_t>{1, 1},
                                       {1, 37},
                                       {37, 1},
                                       {7, 100},
                                       {100, 7},
                                       {3, 5},
                                       {16, 16},
                                       {33, 17},
                                       {64, 40},
                                       {9, 2},
                                       {2, 9},
                                       {15, 31},
                                       {200, 3}}) {
      const auto r = std::int64_t(rows), c = std::int64_t(columns);
      const layout layouts[] = {{c, 1},  {1, r},  {c + 3, 1}, {1, r + 5}, {2 * c, 2},
                                {-c, 1}, {c, -1}, {-1, -r},   {3 * c, 3}};
      for (const layout &to : layouts)
        for (const layout &from : layouts) check(item, rows, columns, to, from);
      for (const layout &to : layouts) {  // repeated rows, columns, one element
        check(item, rows, columns, to, {0, 1});
        check(item, rows, columns, to, {1, 0});
        check(item, rows, columns, to, {0, 0});
      }
    }
}

TEST_P(block_memory, streams_any_number_of_bytes_at_any_address) {
  std::mt19937 random(2);
  for (const std::size_t bytes : {0, 1, 63, 64, 65, 127, 1000, 40000})
    for (const std::size_t to : {0, 1, 8, 63})
      for (const std::size_t from : {0, 3, 8}) {
        std::vector<std::uint8_t> source(bytes + 64), target(bytes + 128, 0xa5);
        for (auto &x : source) x = static_cast<std::uint8_t>(random());
        table.memory().copy_nontemporal(target.data() + to, source.data() + from, bytes);
        auto expected = std::vector<std::uint8_t>(bytes + 128, 0xa5);
        std::copy_n(source.begin() + long(from), bytes, expected.begin() + long(to));
        ASSERT_EQ(target, expected) << bytes << " " << to << " " << from;
      }
}

TEST_P(block_memory, fills_with_elements_of_any_size) {
  const std::uint8_t element[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  for (const std::size_t item : {1, 2, 4, 8, 16})
    for (const std::size_t count : {0, 1, 7, 1000}) {
      std::vector<std::uint8_t> target(count * item + 16, 0xa5);
      table.memory().fill(target.data(), element, item, count);
      for (std::size_t i = 0; i < target.size(); ++i) ASSERT_EQ(target[i], i < count * item ? element[i % item] : 0xa5);
    }
}

TEST_P(block_memory, ramps_start_anywhere) {
  const auto at = [&](dtype t, scalar start, scalar step, std::uint64_t first, std::size_t i) {
    std::vector<std::byte> values(16 * 100);
    const auto n = [](const scalar &x) {
      const bool real = x.what == scalar::kind::real || x.what == scalar::kind::complex;
      return numbers{std::uint64_t(x.integer), real ? x.number.real() : double(x.integer), x.number.imag()};
    };
    table.memory().iota[std::size_t(t)](values.data(), n(start), n(step), first, 100);
    return blocks_test::value_of(t, values.data() + i * dpep::size_of(t));
  };
  EXPECT_EQ(at(dtype::int32, scalar::of(std::int64_t{5}), scalar::of(std::int64_t{-3}), 1000, 99).real(), 5 - 3 * 1099);
  EXPECT_EQ(at(dtype::uint8, scalar::of(std::int64_t{250}), scalar::of(std::int64_t{1}), 0, 10).real(), 4);
  EXPECT_EQ(at(dtype::int64, scalar::of(std::int64_t{1} << 62), scalar::of(std::int64_t{1}), 0, 3).real(), 0x1p62L + 3);
  EXPECT_EQ(at(dtype::float64, scalar::of(0.5), scalar::of(0.25), std::uint64_t{1} << 40, 1).real(),
            0.5L + 0.25L * (0x1p40L + 1));
  EXPECT_EQ(at(dtype::float16, scalar::of(1.0), scalar::of(0.5), 0, 5).real(), 3.5L);
  EXPECT_EQ(at(dtype::complex64, scalar::of(std::complex<double>(1, 2)), scalar::of(std::complex<double>(0, 1)), 3, 4),
            blocks_test::number(1, 9));
}

std::string set_name(const testing::TestParamInfo<instructions> &i) {
  constexpr const char *names[] = {"v2", "v3", "v4"};
  return names[static_cast<int>(i.param)];
}
INSTANTIATE_TEST_SUITE_P(instructions, block_memory, testing::ValuesIn(all_instructions), set_name);

}  // namespace
