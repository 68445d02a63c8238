// Sorting, scans, compaction and the compression that is made of them.
#include <algorithm>
#include <numeric>

#include "data.hpp"

namespace programs {
namespace {

constexpr std::size_t group_size = 128;

/// Exclusive sums of a buffer's elements: blocks, then their sums, then both together.
void exclusive_scan(sycl::queue &q, sycl::buffer<std::uint32_t> &in, sycl::buffer<std::uint32_t> &out) {
  const std::size_t n = in.size(), blocks = (n + group_size - 1) / group_size;
  sycl::buffer<std::uint32_t> sums(blocks), offsets(blocks);
  q.submit([&](sycl::handler &h) {
    sycl::accessor from(in, h, sycl::read_only);
    sycl::accessor to(out, h, sycl::write_only);
    sycl::accessor s(sums, h, sycl::write_only);
    sycl::local_accessor<std::uint32_t> tree(group_size, h);
    // Blelloch's algorithm: sums up the tree, then prefixes down.
    h.parallel_for(sycl::nd_range<1>(blocks * group_size, group_size), [=](sycl::nd_item<1> item) {
      const std::size_t l = item.get_local_id(0), i = item.get_global_id(0);
      tree[l] = i < n ? from[i] : 0;
      for (std::size_t step = 1; step < group_size; step *= 2) {
        sycl::group_barrier(item.get_group());
        const std::size_t right = (l + 1) * step * 2 - 1;
        if (right < group_size) tree[right] += tree[right - step];
      }
      sycl::group_barrier(item.get_group());
      if (l == 0) {
        s[item.get_group(0)] = tree[group_size - 1];
        tree[group_size - 1] = 0;
      }
      for (std::size_t step = group_size / 2; step > 0; step /= 2) {
        sycl::group_barrier(item.get_group());
        const std::size_t right = (l + 1) * step * 2 - 1;
        if (right < group_size) {
          const std::uint32_t left = tree[right - step];
          tree[right - step] = tree[right];
          tree[right] += left;
        }
      }
      sycl::group_barrier(item.get_group());
      if (i < n) to[i] = tree[l];
    });
  });
  if (blocks == 1) return;
  exclusive_scan(q, sums, offsets);
  q.submit([&](sycl::handler &h) {
    sycl::accessor to(out, h);
    sycl::accessor o(offsets, h, sycl::read_only);
    h.parallel_for(n, [=](sycl::id<1> i) { to[i] += o[i[0] / group_size]; });
  });
}

}  // namespace

TEST(sorting_and_scans, work_efficient_scan) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{127}, std::size_t{128}, std::size_t{40'000}}) {
    std::vector<std::uint32_t> in = integers(n, 100, n), result(n), expected(n);
    {
      sycl::queue q;
      sycl::buffer from(in);
      sycl::buffer to(result);
      exclusive_scan(q, from, to);
    }
    std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0u);
    ASSERT_EQ(result, expected) << n;
  }
}

TEST(sorting_and_scans, radix_sort) {
  std::vector<std::uint32_t> keys = integers(20'000, 1u << 24, 5), expected = keys;
  const std::size_t n = keys.size();
  {
    sycl::queue q;
    sycl::buffer values(keys);
    sycl::buffer<std::uint32_t> other(n), flags(n), places(n);
    for (int bit = 0; bit < 24; bit++) {
      auto &from = bit % 2 ? other : values, &to = bit % 2 ? values : other;
      q.submit([&](sycl::handler &h) {
        sycl::accessor v(from, h, sycl::read_only);
        sycl::accessor f(flags, h, sycl::write_only);
        h.parallel_for(n, [=](sycl::id<1> i) { f[i] = ~v[i] >> bit & 1; });
      });
      exclusive_scan(q, flags, places);
      q.submit([&](sycl::handler &h) {
        sycl::accessor v(from, h, sycl::read_only);
        sycl::accessor f(flags, h, sycl::read_only);
        sycl::accessor p(places, h, sycl::read_only);
        sycl::accessor t(to, h, sycl::write_only);
        h.parallel_for(n, [=](sycl::id<1> i) {
          const std::size_t zeros = p[n - 1] + f[n - 1];
          t[f[i] ? p[i] : zeros + i[0] - p[i]] = v[i];
        });
      });
    }
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(keys, expected);
}

TEST(sorting_and_scans, bitonic_sort_in_local_memory_and_merges) {
  constexpr std::size_t n = 8192, tile = 256;
  std::vector<float> keys = fractions(n, 8), expected = keys;
  sycl::queue q{sycl::property::queue::in_order()};
  float *v = sycl::malloc_device<float>(n, q);
  q.copy(keys.data(), v, n);
  const auto exchange = [](auto &&values, std::size_t i, std::size_t j, bool up) {
    if ((values[i] > values[j]) == up) std::swap(values[i], values[j]);
  };
  for (std::size_t size = 2; size <= n; size *= 2)
    for (std::size_t step = size / 2; step > 0;) {
      if (step >= tile / 2) {
        q.parallel_for(n / 2, [=](sycl::id<1> id) {
          const std::size_t i = id[0] / step * step * 2 + id[0] % step;
          exchange(v, i, i + step, (i & size) == 0);
        });
        step /= 2;
      } else {  // all further steps stay in a tile
        q.submit([&](sycl::handler &h) {
          sycl::local_accessor<float> local(tile, h);
          h.parallel_for(sycl::nd_range<1>(n / 2, tile / 2), [=](sycl::nd_item<1> item) {
            const std::size_t l = item.get_local_id(0), base = item.get_group(0) * tile;
            local[l] = v[base + l];
            local[l + tile / 2] = v[base + l + tile / 2];
            for (std::size_t s = step; s > 0; s /= 2) {
              sycl::group_barrier(item.get_group());
              const std::size_t i = l / s * s * 2 + l % s;
              exchange(local, i, i + s, ((base + i) & size) == 0);
            }
            sycl::group_barrier(item.get_group());
            v[base + l] = local[l];
            v[base + l + tile / 2] = local[l + tile / 2];
          });
        });
        step = 0;
      }
    }
  q.copy(v, keys.data(), n).wait();
  sycl::free(v, q);
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(keys, expected);
}

TEST(sorting_and_scans, odd_even_merge_of_blocks) {
  std::vector<int> keys(777);
  for (std::size_t i = 0; i < keys.size(); i++) keys[i] = int(i * 7919 % 777);
  {
    sycl::queue q;
    sycl::buffer values(keys);
    for (std::size_t phase = 0; phase < keys.size(); phase++)
      q.submit([&](sycl::handler &h) {
        sycl::accessor v(values, h);
        h.parallel_for(keys.size() / 2, [=, n = keys.size()](sycl::id<1> id) {
          const std::size_t i = id[0] * 2 + phase % 2;
          if (i + 1 < n && v[i] > v[i + 1]) std::swap(v[i], v[i + 1]);
        });
      });
  }
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
}

TEST(sorting_and_scans, stream_compaction) {
  std::vector<std::uint32_t> in = integers(30'000, 1000, 6), result(in.size()), expected;
  const std::size_t n = in.size();
  {
    sycl::queue q;
    sycl::buffer values(in);
    sycl::buffer out(result);
    sycl::buffer<std::uint32_t> flags(n), places(n);
    q.submit([&](sycl::handler &h) {
      sycl::accessor v(values, h, sycl::read_only);
      sycl::accessor f(flags, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> i) { f[i] = v[i] % 3 == 0; });
    });
    exclusive_scan(q, flags, places);
    q.submit([&](sycl::handler &h) {
      sycl::accessor v(values, h, sycl::read_only);
      sycl::accessor f(flags, h, sycl::read_only);
      sycl::accessor p(places, h, sycl::read_only);
      sycl::accessor o(out, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> i) {
        if (f[i]) o[p[i]] = v[i];
      });
    });
  }
  std::copy_if(in.begin(), in.end(), std::back_inserter(expected), [](std::uint32_t x) { return x % 3 == 0; });
  result.resize(expected.size());
  EXPECT_EQ(result, expected);
}

TEST(sorting_and_scans, run_length_compression) {
  std::vector<std::uint32_t> in;
  random_numbers r(4);
  while (in.size() < 20'000) in.insert(in.end(), 1 + r.below(9), r.below(4));
  const std::size_t n = in.size();
  std::vector<std::uint32_t> symbols(n), ends(n), decoded;
  std::uint32_t runs = 0;
  {
    sycl::queue q;
    sycl::buffer values(in);
    sycl::buffer s(symbols);
    sycl::buffer e(ends);
    sycl::buffer<std::uint32_t> flags(n), places(n), count(&runs, 1);
    q.submit([&](sycl::handler &h) {
      sycl::accessor v(values, h, sycl::read_only);
      sycl::accessor f(flags, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> i) { f[i] = i[0] + 1 == n || v[i] != v[i[0] + 1]; });
    });
    exclusive_scan(q, flags, places);
    q.submit([&](sycl::handler &h) {
      sycl::accessor v(values, h, sycl::read_only);
      sycl::accessor f(flags, h, sycl::read_only);
      sycl::accessor p(places, h, sycl::read_only);
      sycl::accessor symbol(s, h, sycl::write_only);
      sycl::accessor end(e, h, sycl::write_only);
      sycl::accessor c(count, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> i) {
        if (!f[i]) return;
        symbol[p[i]] = v[i];
        end[p[i]] = std::uint32_t(i[0] + 1);
        if (i[0] + 1 == n) c[0] = p[i] + 1;
      });
    });
  }
  for (std::uint32_t k = 0; k < runs; k++) decoded.insert(decoded.end(), ends[k] - (k ? ends[k - 1] : 0), symbols[k]);
  EXPECT_EQ(decoded, in);
  EXPECT_LT(runs, n / 3);
}

TEST(sorting_and_scans, segmented_sums_in_sub_groups) {
  constexpr std::size_t n = 4096;
  const std::vector<std::uint32_t> in = integers(n, 50, 12);
  std::vector<std::uint32_t> sum(n / 32), largest(n / 32), shifted(n);
  sycl::queue q;
  {
    sycl::buffer values(in);
    sycl::buffer sums(sum);
    sycl::buffer most(largest);
    sycl::buffer moved(shifted);
    q.submit([&](sycl::handler &h) {
      sycl::accessor v(values, h, sycl::read_only);
      sycl::accessor s(sums, h, sycl::write_only);
      sycl::accessor m(most, h, sycl::write_only);
      sycl::accessor t(moved, h, sycl::write_only);
      h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(32)]] {
        const auto sg = item.get_sub_group();
        const std::size_t i = item.get_global_id(0), segment = i / 32;
        std::uint32_t x = v[i];
        t[i] = sycl::select_from_group(sg, x, sg.get_local_linear_id() ^ 1);
        const std::uint32_t all = sycl::reduce_over_group(sg, x, sycl::maximum<>());
        for (std::uint32_t step = 16; step > 0; step /= 2) x += sycl::permute_group_by_xor(sg, x, step);
        if (sg.leader()) {
          s[segment] = x;
          m[segment] = all;
        }
      });
    });
  }
  for (std::size_t k = 0; k < n / 32; k++) {
    const auto first = in.begin() + std::ptrdiff_t(k * 32);
    ASSERT_EQ(sum[k], std::accumulate(first, first + 32, 0u)) << k;
    ASSERT_EQ(largest[k], *std::max_element(first, first + 32)) << k;
  }
  for (std::size_t i = 0; i < n; i++) ASSERT_EQ(shifted[i], in[i ^ 1]) << i;
}

}  // namespace programs
