// Kernels that are compiled for the ranges of local accessors and for small buffers: they are right when the ranges
// change, and for all elements that an accessor reaches.
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include "shared_array.hpp"

namespace {

constexpr std::size_t side = 8;

/// Reverses blocks of side * side numbers by tiles in local memory with padding at the end of each row.
std::vector<int> reversed_by_tiles(sycl::queue &q, const std::vector<int> &values, std::size_t padding) {
  std::vector<int> result(values.size());
  sycl::buffer<int> from(values), to(result);
  q.submit([&](sycl::handler &h) {
    const sycl::accessor in(from, h, sycl::read_only);
    const sycl::accessor out(to, h, sycl::write_only, sycl::no_init);
    const sycl::local_accessor<char> before(padding * 3, h);  // moves the tile
    const sycl::local_accessor<int, 2> tile({side, side + padding}, h);
    const sycl::local_accessor<short, 3> copy({side, 2, side / 2 + padding}, h);
    const sycl::range<2> group(side, side);
    h.parallel_for(sycl::nd_range<2>({side, values.size() / side}, group), [=](sycl::nd_item<2> item) {
      const std::size_t row = item.get_local_id(0), column = item.get_local_id(1);
      const std::size_t first = item.get_group(1) * side * side;
      if (before.size()) before[0] = 1;
      tile[row][column] = in[first + row * side + column];
      copy[row][column % 2][column / 2] = static_cast<short>(tile[row][column]);
      sycl::group_barrier(item.get_group());
      const std::size_t y = side - 1 - row, x = side - 1 - column;
      out[first + row * side + column] = tile[y][x] * 1000 + copy[sycl::id<3>(y, x % 2, x / 2)] +
                                         static_cast<int>(tile.get_range()[1] - side - padding);
    });
  });
  q.wait();
  return {sycl::host_accessor(to).begin(), sycl::host_accessor(to).end()};
}

}  // namespace

TEST(local_ranges, may_change_with_each_launch) {
  sycl::queue q;
  std::vector<int> values(side * side * 5), expected(values.size());
  std::iota(values.begin(), values.end(), 1);
  for (std::size_t i = 0; i < values.size(); i++) {
    const std::size_t first = i / (side * side) * side * side;
    expected[i] = values[first + side * side - 1 - (i - first)] * 1001;
  }
  for (const std::size_t padding : {0, 1, 0, 2, 5, 3, 1, 4, 7, 0, 6, 9, 1, 0, 8})
    EXPECT_EQ(reversed_by_tiles(q, values, padding), expected) << padding;
}

TEST(local_ranges, may_be_empty) {
  sycl::queue q;
  const shared_array<int> sizes(4, q);
  for (const std::size_t rows : {0, 3, 0, 5}) {
    q.submit([&](sycl::handler &h) {
      const sycl::local_accessor<int, 2> memory({rows, 4}, h), none({0, 0}, h);
      int *const to = &sizes[0];
      h.parallel_for(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1> item) {
        const std::size_t i = item.get_local_id(0);
        int sum = static_cast<int>(none.size());
        for (std::size_t k = 0; k < memory.get_range()[0]; k++) memory[k][i] = static_cast<int>(k + i);
        for (std::size_t k = 0; k < memory.get_range()[0]; k++) sum += memory[k][i];
        to[i] = sum;
      });
    });
    q.wait();
    for (std::size_t i = 0; i < 4; i++)
      EXPECT_EQ(sizes[i], static_cast<int>(rows * (rows + 1) / 2 - rows + rows * i)) << rows;
  }
}

namespace {

/// Accessors within other objects and in arrays.
struct pair_of_tiles {
  sycl::local_accessor<float, 2> tiles[2];
};

}  // namespace

TEST(local_ranges, are_found_in_members_and_arrays) {
  sycl::queue q;
  const shared_array<float> results(32, q);
  for (const std::size_t width : {4, 5, 7}) {
    q.submit([&](sycl::handler &h) {
      const pair_of_tiles both{{sycl::local_accessor<float, 2>({8, width}, h), {{8, width + 1}, h}}};
      float *const to = &results[0];
      h.parallel_for(sycl::nd_range<2>({8, 4}, {8, 4}), [=](sycl::nd_item<2> item) {
        const std::size_t y = item.get_local_id(0), x = item.get_local_id(1);
        both.tiles[0][y][x] = static_cast<float>(y * 4 + x);
        both.tiles[1][y][x] = 100 * both.tiles[0][y][x];
        item.barrier();
        to[y * 4 + x] = both.tiles[0][7 - y][3 - x] + both.tiles[1][7 - y][3 - x];
      });
    });
    q.wait();
    for (int i = 0; i < 32; i++) EXPECT_EQ(results[i], 101.0f * static_cast<float>(31 - i)) << width;
  }
}

TEST(buffer_indices, reach_neighbours_in_all_directions) {
  sycl::queue q;
  constexpr int depth = 5, height = 7, width = 9;
  std::vector<int> values(depth * height * width), result(values.size());
  std::iota(values.begin(), values.end(), 0);
  const sycl::range<3> size(depth, height, width);
  {
    sycl::buffer<int, 3> from(values.data(), size), to(result.data(), size);
    q.submit([&](sycl::handler &h) {
      const sycl::accessor in(from, h, sycl::read_only);
      const sycl::accessor out(to, h, sycl::read_write);
      h.parallel_for(sycl::nd_range<3>(size, {1, 7, 3}), [=](sycl::nd_item<3> item) {
        const int x = item.get_global_id(2), y = item.get_global_id(1), z = item.get_global_id(0);
        if (x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1)
          out[z][y][x] = 1000 * in[z][y][x] + in[z][y][x - 1] + 2 * in[z][y][x + 1] + 3 * in[z][y - 1][x] +
                         4 * in[z][y + 1][x] + 5 * in[z - 1][y][x] + 6 * in[z + 1][y][x];
      });
    });
  }
  const auto at = [&](int z, int y, int x) { return values[(z * height + y) * width + x]; };
  for (int z = 1; z < depth - 1; z++)
    for (int y = 1; y < height - 1; y++)
      for (int x = 1; x < width - 1; x++)
        EXPECT_EQ(result[(z * height + y) * width + x], 1000 * at(z, y, x) + at(z, y, x - 1) + 2 * at(z, y, x + 1) +
                                                            3 * at(z, y - 1, x) + 4 * at(z, y + 1, x) +
                                                            5 * at(z - 1, y, x) + 6 * at(z + 1, y, x));
}

TEST(buffer_indices, are_relative_to_the_offset_of_ranged_accessors_and_may_be_before_it) {
  sycl::queue q;
  std::vector<int> values(10 * 12), result(2);
  std::iota(values.begin(), values.end(), 0);
  {
    sycl::buffer<int, 2> from(values.data(), sycl::range<2>(10, 12));
    sycl::buffer<int> to(result);
    q.submit([&](sycl::handler &h) {
      const sycl::accessor in(from, h, sycl::range<2>(3, 4), sycl::id<2>(4, 5), sycl::read_only);
      const sycl::accessor out(to, h, sycl::write_only);
      h.parallel_for(sycl::nd_range<1>(2, 1), [=](sycl::nd_item<1> item) {
        const int i = static_cast<int>(item.get_global_id(0));
        out[i] = i ? in[2][3] : in[-1][static_cast<std::size_t>(-2)];
      });
    });
  }
  EXPECT_EQ(result, (std::vector<int>{3 * 12 + 3, 6 * 12 + 8}));
}

TEST(buffer_indices, of_several_buffers_sub_buffers_and_placeholders_are_independent) {
  sycl::queue q;
  std::vector<int> a(6 * 8), b(4 * 5), c(3 * 16);
  std::iota(a.begin(), a.end(), 0);
  std::iota(b.begin(), b.end(), 100);
  std::iota(c.begin(), c.end(), 200);
  std::vector<int> result(12);
  {
    sycl::buffer<int, 2> whole(a.data(), sycl::range<2>(6, 8)), second(b.data(), sycl::range<2>(4, 5));
    sycl::buffer<int, 2> rows(whole, sycl::id<2>(2, 0), sycl::range<2>(3, 8));
    sycl::buffer<int> flat(c);
    auto planes = flat.reinterpret<int, 3>(sycl::range<3>(3, 4, 4));
    sycl::buffer<int, 2> to(result.data(), sycl::range<2>(3, 4));
    const sycl::accessor<int, 3, sycl::access_mode::read> later(planes);
    q.submit([&](sycl::handler &h) {
      const sycl::accessor in(rows, h, sycl::read_only), other(second, h, sycl::read_only);
      const sycl::accessor out(to, h, sycl::write_only, sycl::no_init);
      h.require(later);
      h.parallel_for(sycl::range<2>(3, 4),
                     [=](sycl::id<2> i) { out[i] = in[i] + other[i[0] + 1][i[1]] + later[i[0]][i[1]][3 - i[1]]; });
    });
  }
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 4; x++)
      EXPECT_EQ(result[y * 4 + x], a[(y + 2) * 8 + x] + b[(y + 1) * 5 + x] + c[y * 16 + x * 4 + 3 - x]);
}

/// Reductions in sub-groups and work-groups of sizes that fill sub-groups and that do not.
TEST(group_reductions, of_all_sizes_are_right) {
  sycl::queue q;
  for (const std::size_t size : {1, 2, 7, 31, 32, 33, 64, 96, 100, 128, 250, 256}) {
    const shared_array<int> sums(2 * size, q), largest(2 * size, q);
    const shared_array<float> parts(2 * size, q);
    int *const sum = &sums[0], *const most = &largest[0];
    float *const part = &parts[0];
    q.parallel_for(sycl::nd_range<1>(2 * size, size), [=](sycl::nd_item<1> item) {
       const std::size_t i = item.get_global_id(0);
       const int mine = static_cast<int>((i * 37) % 101);
       sum[i] = sycl::reduce_over_group(item.get_group(), mine, sycl::plus<int>());
       most[i] = sycl::reduce_over_group(item.get_group(), mine, sycl::maximum<int>());
       const sycl::sub_group lanes = item.get_sub_group();
       const float total = sycl::reduce_over_group(lanes, static_cast<float>(mine), sycl::plus<float>());
       const std::uint32_t members = sycl::reduce_over_group(lanes, 1u, sycl::plus<std::uint32_t>());
       part[i] = members == lanes.get_local_linear_range() ? total : -1;
     }).wait();
    for (std::size_t g = 0; g < 2; g++) {
      int total = 0, greatest = 0;
      for (std::size_t i = g * size; i < (g + 1) * size; i++) {
        total += static_cast<int>((i * 37) % 101);
        greatest = std::max(greatest, static_cast<int>((i * 37) % 101));
      }
      for (std::size_t i = g * size; i < (g + 1) * size; i++) {
        EXPECT_EQ(sums[i], total) << size;
        EXPECT_EQ(largest[i], greatest) << size;
        EXPECT_GE(parts[i], 0) << size;
      }
    }
  }
}
