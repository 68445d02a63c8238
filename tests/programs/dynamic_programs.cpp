// Dynamic programs: alignments in tiles, paths through grids and graphs, hidden Markov models, knapsacks.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "data.hpp"

namespace programs {
namespace {

constexpr int tile = 16, gap = 5;

int score(std::uint32_t a, std::uint32_t b) { return a == b ? 6 : a % 2 == b % 2 ? 1 : -3; }

/// Needleman and Wunsch's scores of the tiles on an anti-diagonal. Scores have one more row and column than texts.
class align_tiles {
  using scores = sycl::accessor<int, 2, sycl::access_mode::read_write>;
  using text = sycl::accessor<const std::uint32_t, 1, sycl::access_mode::read>;

public:
  align_tiles(scores all, text a, text b, int diagonal, int first, sycl::handler &h)
      : all_(all),
        a_(a),
        b_(b),
        diagonal_(diagonal),
        first_(first),
        tile_({tile + 1, tile + 1}, h),
        a_part_(tile, h),
        b_part_(tile, h) {}

  [[sycl::reqd_work_group_size(tile)]] void operator()(sycl::nd_item<1> item) const {
    const int l = static_cast<int>(item.get_local_id(0)), row = first_ + static_cast<int>(item.get_group(0));
    const int top = row * tile, left = (diagonal_ - row) * tile;
    const int rows = sycl::min(tile, static_cast<int>(a_.size()) - top);
    const int columns = sycl::min(tile, static_cast<int>(b_.size()) - left);
    if (l < rows) a_part_[l] = a_[top + l];
    if (l < columns) b_part_[l] = b_[left + l];
    if (l == 0) tile_[0][0] = all_[top][left];
    if (l < columns) tile_[0][l + 1] = all_[top][left + l + 1];
    if (l < rows) tile_[l + 1][0] = all_[top + l + 1][left];
    for (int step = 0; step < 2 * tile - 1; step++) {
      item.barrier();
      const int i = l + 1, j = step - l + 1;
      if (j < 1 || j > columns || i > rows) continue;
      const int diagonal = tile_[i - 1][j - 1] + score(a_part_[i - 1], b_part_[j - 1]);
      tile_[i][j] = sycl::max(diagonal, sycl::max(tile_[i - 1][j], tile_[i][j - 1]) - gap);
    }
    item.barrier(sycl::access::fence_space::local_space);
    for (int i = 1; i <= rows; i++)
      if (l < columns) all_[top + i][left + l + 1] = tile_[i][l + 1];
  }

private:
  scores all_;
  text a_, b_;
  int diagonal_, first_;
  sycl::local_accessor<int, 2> tile_;
  sycl::local_accessor<std::uint32_t, 1> a_part_, b_part_;
};

/// One phase of Floyd and Warshall's algorithm on blocks of USM memory: d(i, j) = min(d(i, j), d(i, k) + d(k, j)).
template <int Phase> void relax_blocks(sycl::queue &q, int *distance, std::size_t n, std::size_t k) {
  const std::size_t blocks = n / tile;
  const sycl::range<2> local(tile, tile);
  const sycl::range<2> groups(Phase == 3 ? blocks : Phase, Phase == 1 ? 1 : blocks);
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<int, 2> left(local, h), right(local, h);
    h.parallel_for(sycl::nd_range(groups * local, local), [=](sycl::nd_item<2> item) {
      std::size_t row = k, column = k;
      if constexpr (Phase == 2) {
        if (item.get_group(1) == k) return;  // the whole group
        (item.get_group(0) ? row : column) = item.get_group(1);
      } else if constexpr (Phase == 3) {
        row = item.get_group(0), column = item.get_group(1);
        if (row == k || column == k) return;
      }
      const std::size_t y = item.get_local_id(0), x = item.get_local_id(1);
      int &own = distance[(row * tile + y) * n + column * tile + x];
      left[y][x] = distance[(row * tile + y) * n + k * tile + x];
      right[y][x] = distance[(k * tile + y) * n + column * tile + x];
      sycl::group_barrier(item.get_group());
      int least = own;
      for (int m = 0; m < tile; m++) {
        least = sycl::min(least, left[y][m] + right[m][x]);
        if constexpr (Phase < 3) {  // the block is its own left or right block, or both
          sycl::group_barrier(item.get_group());
          if (row == k) right[y][x] = least;
          if (column == k) left[y][x] = least;
          sycl::group_barrier(item.get_group());
        }
      }
      own = least;
    });
  });
}

}  // namespace

TEST(dynamic_programs, global_alignment_in_tiles) {
  constexpr int n = 203, m = 150;
  const std::vector<std::uint32_t> a = integers(n, 4, 41), b = integers(m, 4, 42);
  std::vector<int> all((n + 1) * (m + 1)), expected(all.size());
  const auto at = [](int i, int j) { return std::size_t(i * (m + 1) + j); };
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= m; j++) {
      if (i == 0 || j == 0)
        all[at(i, j)] = expected[at(i, j)] = -gap * (i + j);
      else
        expected[at(i, j)] = std::max({expected[at(i - 1, j - 1)] + score(a[std::size_t(i) - 1], b[std::size_t(j) - 1]),
                                       expected[at(i - 1, j)] - gap, expected[at(i, j - 1)] - gap});
    }
  {
    sycl::queue q{sycl::property::queue::in_order{}};
    sycl::buffer<int, 2> scores(all.data(), sycl::range<2>(n + 1, m + 1));
    sycl::buffer<const std::uint32_t> left(a.data(), a.size()), top(b.data(), b.size());
    constexpr int down = (n + tile - 1) / tile, across = (m + tile - 1) / tile;
    for (int diagonal = 0; diagonal < down + across - 1; diagonal++) {
      const int first = std::max(0, diagonal - across + 1), last = std::min(diagonal, down - 1);
      q.submit([&](sycl::handler &h) {
        sycl::accessor s(scores, h, sycl::read_write);
        sycl::accessor x(left, h, sycl::read_only), y(top, h, sycl::read_only);
        h.parallel_for(sycl::nd_range<1>((last - first + 1) * tile, tile), align_tiles(s, x, y, diagonal, first, h));
      });
    }
  }
  EXPECT_EQ(all, expected);
}

TEST(dynamic_programs, cheapest_path_down_a_grid) {
  constexpr int rows = 101, columns = 1003, local = 64, height = 7, own = local - 2 * height;
  const std::vector<std::uint32_t> cost = integers(rows * columns, 10, 43);
  std::vector<std::uint32_t> result(cost.begin(), cost.begin() + columns), expected = result;
  {
    sycl::queue q;
    sycl::buffer<std::uint32_t, 2> costs(cost.data(), {rows, columns});
    sycl::buffer<std::uint32_t> a{result}, b{sycl::range{columns}};
    for (int row = 1, pass = 0; row < rows; row += height, pass++) {
      const int deep = std::min(height, rows - row);
      q.submit([&](sycl::handler &h) {
        auto c = costs.get_access<sycl::access::mode::read>(h);
        auto from = (pass & 1 ? b : a).get_access<sycl::access::mode::read>(h);
        auto to = (pass & 1 ? a : b).get_access<sycl::access::mode::write>(h);
        sycl::accessor<std::uint32_t, 2, sycl::access::mode::read_write, sycl::access::target::local> line({2, local},
                                                                                                           h);
        const int groups = (columns + own - 1) / own;
        // Groups overlap by the columns that become wrong from their edges, one more with each row.
        h.parallel_for<class pyramid_of_rows>(sycl::nd_range<1>(groups * local, local), [=](sycl::nd_item<1> item) {
          const int l = int(item.get_local_id(0)), x = int(item.get_group(0)) * own + l - height;
          const bool there = x >= 0 && x < columns;
          line[0][l] = there ? from[x] : 1u << 30;
          line[1][l] = 1u << 30;
          for (int step = 0; step < deep; step++) {
            item.barrier(sycl::access::fence_space::local_space);
            if (!there || l == 0 || l == local - 1) continue;
            const auto last = line[step & 1];
            line[~step & 1][l] = c[row + step][x] + sycl::min(last[l], sycl::min(last[l - 1], last[l + 1]));
          }
          item.barrier(sycl::access::fence_space::local_space);
          if (there && l >= height && l < local - height) to[x] = line[deep & 1][l];
        });
      });
      if (row + height >= rows && pass % 2 == 0)
        q.submit([&](sycl::handler &h) {
          h.copy(b.get_access<sycl::access::mode::read>(h), a.get_access<sycl::access::mode::write>(h));
        });
    }
  }
  for (int row = 1; row < rows; row++) {
    const std::vector<std::uint32_t> last = expected;
    for (int x = 0; x < columns; x++) {
      const auto i = std::size_t(x);
      std::uint32_t least = last[i];
      if (x > 0) least = std::min(least, last[i - 1]);
      if (x < columns - 1) least = std::min(least, last[i + 1]);
      expected[i] = cost[std::size_t(row * columns) + i] + least;
    }
  }
  EXPECT_EQ(result, expected);
}

TEST(dynamic_programs, all_shortest_paths_in_blocks) {
  constexpr std::size_t n = 101, padded = (n + tile - 1) / tile * tile;
  constexpr int far = 1 << 28;
  std::vector<int> distance(padded * padded, far), expected(n * n, far), result(n * n);
  random_numbers r(44);
  for (std::size_t i = 0; i < n; i++) {
    distance[i * padded + i] = expected[i * n + i] = 0;
    for (int k = 0; k < 3; k++) {
      const std::size_t j = r.below(n);
      if (i != j) distance[i * padded + j] = expected[i * n + j] = int(1 + r.below(100));
    }
  }
  sycl::queue q{sycl::property::queue::in_order()};
  int *d = sycl::malloc_device<int>(padded * padded, q);
  q.memcpy(d, distance.data(), distance.size() * sizeof(int));
  for (std::size_t k = 0; k < padded / tile; k++) {
    relax_blocks<1>(q, d, padded, k);
    relax_blocks<2>(q, d, padded, k);
    relax_blocks<3>(q, d, padded, k);
  }
  for (std::size_t i = 0; i < n; i++) q.copy(d + i * padded, &result[i * n], n);
  q.wait_and_throw();
  sycl::free(d, q);
  for (std::size_t k = 0; k < n; k++)
    for (std::size_t i = 0; i < n; i++)
      for (std::size_t j = 0; j < n; j++)
        expected[i * n + j] = std::min(expected[i * n + j], expected[i * n + k] + expected[k * n + j]);
  for (std::size_t i = 0; i < n * n; i++) ASSERT_EQ(result[i], expected[i]) << i;
}

TEST(dynamic_programs, likeliest_states_of_a_hidden_markov_model) {
  constexpr std::size_t states = 45, symbols = 11, length = 61, sequences = 13, local = 48;
  const auto logarithms = [](std::size_t count, std::uint64_t seed) {
    std::vector<float> all = fractions(count, seed);
    for (float &x : all) x = std::log(x + 0.01f);
    return all;
  };
  const std::vector<float> step = logarithms(states * states, 45), emission = logarithms(states * symbols, 46);
  const std::vector<std::uint32_t> seen = integers(sequences * length, symbols, 47);
  std::vector<unsigned char> path(sequences * length), expected(path.size());
  {
    sycl::queue q;
    sycl::buffer<float, 2> steps(step.data(), {states, states}), emissions(emission.data(), {states, symbols});
    sycl::buffer<std::uint32_t, 2> observed(seen.data(), {sequences, length});
    sycl::buffer<unsigned char, 2> paths(path.data(), {sequences, length});
    sycl::buffer<unsigned char, 3> origins({sequences, length, states});
    q.submit([&](sycl::handler &h) {
      sycl::accessor s(steps, h, sycl::read_only);
      sycl::accessor e(emissions, h, sycl::read_only);
      sycl::accessor o(observed, h, sycl::read_only);
      sycl::accessor from(origins, h, sycl::read_write, sycl::no_init);
      sycl::accessor to(paths, h, sycl::write_only, sycl::no_init);
      sycl::local_accessor<float, 2> likelihood(sycl::range(2, local), h);
      h.parallel_for(sycl::nd_range<2>({sequences, local}, {1, local}), [=](sycl::nd_item<2> item) {
        const std::size_t sequence = item.get_group(0), state = item.get_local_id(1);
        const auto group = item.get_group();
        if (state < states) likelihood[0][state] = e[state][o[sequence][0]];
        for (std::size_t t = 1; t < length; t++) {
          sycl::group_barrier(group);
          if (state >= states) continue;
          float best = -INFINITY;
          std::size_t origin = 0;
          for (std::size_t k = 0; k < states; k++) {
            const float total = likelihood[(t - 1) % 2][k] + s[k][state];
            if (total > best) best = total, origin = k;
          }
          likelihood[t % 2][state] = best + e[state][o[sequence][t]];
          from[sequence][t][state] = static_cast<unsigned char>(origin);
        }
        sycl::group_barrier(group);
        const float own = state < states ? likelihood[(length - 1) % 2][state] : -INFINITY;
        const float best = sycl::reduce_over_group(group, own, sycl::maximum<float>());
        auto last = sycl::reduce_over_group(group, own == best ? state : states, sycl::minimum<std::size_t>());
        if (!group.leader()) return;
        for (std::size_t t = length; t-- > 0; last = t ? from[sequence][t][last] : 0)
          to[sequence][t] = static_cast<unsigned char>(last);
      });
    });
  }
  for (std::size_t q = 0; q < sequences; q++) {
    std::vector<float> now(states);
    std::vector<std::vector<unsigned char>> from(length, std::vector<unsigned char>(states));
    for (std::size_t k = 0; k < states; k++) now[k] = emission[k * symbols + seen[q * length]];
    for (std::size_t t = 1; t < length; t++) {
      const std::vector<float> last = now;
      for (std::size_t j = 0; j < states; j++) {
        float best = -INFINITY;
        for (std::size_t k = 0; k < states; k++)
          if (const float total = last[k] + step[k * states + j]; total > best)
            best = total, from[t][j] = static_cast<unsigned char>(k);
        now[j] = best + emission[j * symbols + seen[q * length + t]];
      }
    }
    auto state = std::size_t(std::max_element(now.begin(), now.end()) - now.begin());
    for (std::size_t t = length; t-- > 0; state = from[t][state])
      expected[q * length + t] = static_cast<unsigned char>(state);
  }
  EXPECT_EQ(path, expected);
}

TEST(dynamic_programs, knapsack_by_rows_in_shared_memory) {
  constexpr std::size_t items = 37, capacity = 2003;
  const std::vector<std::uint32_t> weight = integers(items, 200, 48), value = integers(items, 1000, 49);
  std::vector<std::uint32_t> expected(capacity + 1);
  for (std::size_t i = 0; i < items; i++)
    for (std::size_t w = capacity + 1; w-- > weight[i] + 1;)
      expected[w] = std::max(expected[w], expected[w - weight[i] - 1] + value[i]);
  sycl::queue q;
  using allocator = sycl::usm_allocator<std::uint32_t, sycl::usm::alloc::shared>;
  std::vector<std::uint32_t, allocator> rows(2 * (capacity + 1), 0, allocator(q));
  sycl::event last;
  for (std::size_t i = 0; i < items; i++)
    last = q.parallel_for(
        sycl::range{capacity + 1}, last,
        [=, from = &rows[i % 2 * (capacity + 1)], to = &rows[(i + 1) % 2 * (capacity + 1)], w = weight[i] + 1,
         v = value[i]](sycl::id<1> c) { to[c] = c >= w ? sycl::max(from[c], from[c - w] + v) : from[c]; });
  last.wait();
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), rows.begin() + (items % 2) * (capacity + 1)));
}

}  // namespace programs
