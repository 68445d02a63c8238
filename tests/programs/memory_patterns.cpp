// Ways through memory: placeholders, parts of buffers, other types of the same bytes, copies of groups, linked cells.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>

#include "data.hpp"

namespace programs {
namespace {

/// A grid of a multigrid solver for -u'' = f on the unit square; the border is 0.
struct grid {
  explicit grid(std::size_t cells)
      : n(cells), u(sycl::range(n + 1, n + 1)), f(sycl::range(n + 1, n + 1)), rest(sycl::range(n + 1, n + 1)) {}
  std::size_t n;
  sycl::buffer<double, 2> u, f, rest;
  sycl::range<2> inner() const { return {n - 1, n - 1}; }
};

void clear(sycl::queue &q, sycl::buffer<double, 2> &b) {
  q.submit([&](sycl::handler &h) { h.fill(b.get_access<sycl::access::mode::discard_write>(h), 0.0); });
}

/// Gauss-Seidel's steps on red cells, then on black ones.
void smooth(sycl::queue &q, grid &g, int times) {
  const sycl::accessor<double, 2, sycl::access_mode::read_write, sycl::target::device,
                       sycl::access::placeholder::true_t>
      u{g.u};
  for (int half = 0; half < 2 * times; half++)
    q.submit([&](sycl::handler &h) {
      h.require(u);
      const sycl::accessor f{g.f, h, sycl::read_only};
      h.parallel_for(g.inner(), [=, squared = 1.0 / double(g.n * g.n)](sycl::id<2> id) {
        const std::size_t y = id[0] + 1, x = id[1] + 1;
        if ((x + y + std::size_t(half)) % 2) return;
        u[y][x] = (u[y - 1][x] + u[y + 1][x] + u[y][x - 1] + u[y][x + 1] + squared * f[y][x]) / 4;
      });
    });
}

void find_rest(sycl::queue &q, grid &g) {
  q.submit([&](sycl::handler &h) {
    sycl::accessor u{g.u, h, sycl::read_only}, f{g.f, h, sycl::read_only};
    sycl::accessor r{g.rest, h, sycl::write_only};
    h.parallel_for(g.inner(), [=, cells = double(g.n * g.n)](sycl::id<2> id) {
      const sycl::id<2> at = id + 1;
      const std::size_t y = at[0], x = at[1];
      r[at] = f[at] - cells * (4 * u[at] - u[y - 1][x] - u[y + 1][x] - u[y][x - 1] - u[y][x + 1]);
    });
  });
}

/// A V-cycle: the rest is solved for on coarser grids.
void cycle(sycl::queue &q, std::vector<grid> &grids, std::size_t level) {
  grid &fine = grids[level];
  if (level + 1 == grids.size()) return smooth(q, fine, 20);
  grid &coarse = grids[level + 1];
  smooth(q, fine, 2);
  find_rest(q, fine);
  q.submit([&](sycl::handler &h) {
    sycl::accessor r{fine.rest, h, sycl::read_only};
    sycl::accessor f{coarse.f, h, sycl::write_only};
    h.parallel_for(coarse.inner(), [=](sycl::item<2> item) {
      const std::size_t y = 2 * item[0] + 2, x = 2 * item[1] + 2;
      f[item.get_id() + 1] = (4 * r[y][x] + 2 * (r[y - 1][x] + r[y + 1][x] + r[y][x - 1] + r[y][x + 1]) +
                              r[y - 1][x - 1] + r[y - 1][x + 1] + r[y + 1][x - 1] + r[y + 1][x + 1]) /
                             16;
    });
  });
  clear(q, coarse.u);
  cycle(q, grids, level + 1);
  q.submit([&](sycl::handler &h) {
    sycl::accessor c{coarse.u, h, sycl::read_only};
    sycl::accessor u{fine.u, h};
    h.parallel_for(fine.inner(), [=](sycl::item<2> item) {
      const std::size_t y = item[0] + 1, x = item[1] + 1;
      u[y][x] += (c[y / 2][x / 2] + c[(y + 1) / 2][x / 2] + c[y / 2][(x + 1) / 2] + c[(y + 1) / 2][(x + 1) / 2]) / 4;
    });
  });
  smooth(q, fine, 2);
}

struct particle {
  sycl::float2 at;
  particle *next;
};

}  // namespace

TEST(memory_patterns, multigrid_with_placeholders) {
  constexpr std::size_t n = 64;
  const auto solution = [](std::size_t y, std::size_t x) {
    return std::sin(std::numbers::pi * double(x) / n) * std::sin(2 * std::numbers::pi * double(y) / n);
  };
  sycl::queue q;
  std::vector<grid> grids;
  for (std::size_t cells = n; cells >= 4; cells /= 2) grids.emplace_back(cells);
  for (grid &g : grids)
    for (auto *b : {&g.u, &g.f, &g.rest}) clear(q, *b);
  {
    sycl::host_accessor f{grids[0].f, sycl::write_only};
    for (std::size_t y = 0; y <= n; y++)
      for (std::size_t x = 0; x <= n; x++) f[y][x] = 5 * std::numbers::pi * std::numbers::pi * solution(y, x);
  }
  double before = 0, after = 0;
  for (int k = 0; k < 7; k++) {
    cycle(q, grids, 0);
    find_rest(q, grids[0]);
    sycl::buffer<double> largest{sycl::range{1}};
    q.submit([&](sycl::handler &h) {
      sycl::accessor r{grids[0].rest, h, sycl::read_only};
      h.parallel_for(
          r.get_range(),
          sycl::reduction(largest, h, sycl::maximum<double>(), {sycl::property::reduction::initialize_to_identity()}),
          [=](sycl::id<2> i, auto &most) { most.combine(sycl::fabs(r[i])); });
    });
    before = after;
    after = sycl::host_accessor(largest)[0];
    if (k > 1) EXPECT_LT(after, before * 0.25) << k;
  }
  const sycl::host_accessor u{grids[0].u, sycl::read_only};
  for (std::size_t y = 0; y <= n; y++)
    for (std::size_t x = 0; x <= n; x++) ASSERT_NEAR(u[y][x], solution(y, x), 2e-3) << y << ' ' << x;
}

TEST(memory_patterns, statistics_of_packets_in_bytes) {
  struct packet {
    std::uint32_t address;
    std::uint16_t port, length;
  };
  constexpr std::size_t n = 3007, classes = 12;
  random_numbers r(121);
  std::vector<unsigned char> bytes(n * sizeof(packet));
  for (std::size_t i = 0; i < n; i++) {
    const packet p{r.next(), static_cast<std::uint16_t>(r.below(1024)), static_cast<std::uint16_t>(r.below(1500))};
    std::memcpy(&bytes[i * sizeof p], &p, sizeof p);
  }
  std::vector<std::uint64_t> volume(classes, 3), expected(classes, 3);
  std::uint32_t checksum = 0, expected_checksum = 0;
  {
    sycl::queue q;
    sycl::buffer<unsigned char> raw(bytes);
    sycl::buffer<packet, 1> packets = raw.reinterpret<packet>(sycl::range<1>(n));
    sycl::buffer<std::uint32_t, 2> words = raw.reinterpret<std::uint32_t, 2>(sycl::range<2>(n, 2));
    std::uint64_t *sums = sycl::malloc_shared<std::uint64_t>(classes, q);
    std::ranges::copy(volume, sums);
    sycl::buffer<std::uint32_t> check(&checksum, 1);
    // A sum for each class at once.
    q.submit([&](sycl::handler &h) {
      sycl::accessor p(packets, h, sycl::read_only);
      auto all = sycl::reduction(sycl::span<std::uint64_t, classes>(sums, classes), sycl::plus<>());
      h.parallel_for(sycl::range<1>(n), all,
                     [=](sycl::id<1> i, auto &sum) { sum[p[i].port % classes] += p[i].length; });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor w(words, h, sycl::read_only);
      h.parallel_for(w.get_range(), sycl::reduction(check, h, sycl::bit_xor<std::uint32_t>()),
                     [=](sycl::item<2> item, auto &all) {
                       all ^= sycl::rotate(w[item], std::uint32_t(item.get_linear_id() % 32));
                     });
    });
    q.wait();
    volume.assign(sums, sums + classes);
    sycl::free(sums, q);
  }
  for (std::size_t i = 0; i < n; i++) {
    packet p;
    std::memcpy(&p, &bytes[i * sizeof p], sizeof p);
    expected[p.port % classes] += p.length;
    for (std::size_t k = 0; k < 2; k++) {
      std::uint32_t word;
      std::memcpy(&word, &bytes[i * sizeof p + 4 * k], 4);
      const auto turn = (2 * i + k) % 32;
      expected_checksum ^= turn ? word << turn | word >> (32 - turn) : word;
    }
  }
  EXPECT_EQ(volume, expected);
  EXPECT_EQ(checksum, expected_checksum);
}

TEST(memory_patterns, filters_with_copies_by_groups) {
  constexpr std::size_t channels = 3, n = 1000, taps = 17, local = 50, halo = taps - 1;
  const std::vector<float> samples = fractions(channels * (n + halo), 122), tap = fractions(taps, 123);
  std::vector<float> result(channels * n), expected(channels * n);  // channels in turns, as in the samples
  {
    sycl::queue q;
    sycl::buffer<float> in(samples), factors(tap), out(result.data(), result.size());
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(in, h, sycl::read_only), t(factors, h, sycl::read_only);
      sycl::accessor to(out, h, sycl::write_only);
      sycl::local_accessor<float> part(local + halo, h), done(local, h), weight(taps, h);
      h.parallel_for(sycl::nd_range<2>({channels, n}, {1, local}), [=](sycl::nd_item<2> item) {
        const std::size_t channel = item.get_group(0), first = item.get_group(1) * local, l = item.get_local_id(1);
        using sycl::access::decorated;
        const auto source = from.get_multi_ptr<decorated::yes>() + std::ptrdiff_t(first * channels + channel);
        const sycl::device_event loads[] = {
            item.async_work_group_copy(part.get_multi_ptr<decorated::yes>(), source, local + halo, channels),
            item.async_work_group_copy(weight.get_multi_ptr<decorated::yes>(), t.get_multi_ptr<decorated::yes>(),
                                       taps)};
        item.wait_for(loads[0], loads[1]);
        float sum = 0;
        for (std::size_t k = 0; k < taps; k++) sum += weight[k] * part[l + k];
        done[l] = sum;
        sycl::group_barrier(item.get_group());
        const auto target = to.get_multi_ptr<decorated::yes>() + std::ptrdiff_t(first * channels + channel);
        item.get_group().async_work_group_copy(target, done.get_multi_ptr<decorated::yes>(), local, channels).wait();
      });
    });
  }
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t c = 0; c < channels; c++)
      for (std::size_t k = 0; k < taps; k++) expected[i * channels + c] += tap[k] * samples[(i + k) * channels + c];
  expect_near(result, expected, 1e-4f);
}

TEST(memory_patterns, windows_of_a_large_table) {
  constexpr std::size_t rows = 60, columns = 90;
  const std::vector<std::uint32_t> start = integers(rows * columns, 1000, 124);
  std::vector<std::uint32_t> table = start, expected = start, corner(12 * 7);
  const sycl::range<2> size(12, 7);
  const sycl::id<2> places[] = {{0, 0}, {41, 80}, {48, 83}, {13, 22}};
  {
    sycl::queue q;
    sycl::buffer<std::uint32_t, 2> all(table.data(), {rows, columns});
    for (const sycl::id<2> &place : places)
      q.submit([&](sycl::handler &h) {
        sycl::accessor window(all, h, size, place, sycl::read_write);  // its offset is added to each index
        h.parallel_for(size, [=](sycl::item<2> item) { window[item] += std::uint32_t(item.get_linear_id()); });
      });
    q.submit([&](sycl::handler &h) {
      sycl::accessor window(all, h, size, sycl::id<2>(13, 22), sycl::read_only);
      h.copy(window, corner.data());
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor window(all, h, sycl::range<2>(2, columns), sycl::id<2>(rows - 2, 0), sycl::write_only);
      h.fill(window, 77u);
    });
    sycl::buffer<std::uint32_t, 2> band(all, sycl::id<2>(16, 0), sycl::range<2>(16, columns));
    q.submit([&](sycl::handler &h) {
      sycl::accessor b(band, h);
      h.parallel_for(b.get_range(), [=](sycl::id<2> i) { b[i] ^= 0xffu; });
    });
    q.submit([&](sycl::handler &h) { h.update_host(sycl::accessor(all, h, sycl::read_only)); });
  }
  for (const sycl::id<2> &place : places)
    for (std::size_t i = 0; i < size.size(); i++)
      expected[(place[0] + i / size[1]) * columns + place[1] + i % size[1]] += std::uint32_t(i);
  for (std::size_t i = 0; i < size.size(); i++)
    ASSERT_EQ(corner[i], expected[(13 + i / size[1]) * columns + 22 + i % size[1]]) << i;
  std::fill(expected.end() - 2 * std::ptrdiff_t(columns), expected.end(), 77u);
  for (std::size_t i = 16 * columns; i < 32 * columns; i++) expected[i] ^= 0xffu;
  EXPECT_EQ(table, expected);
}

TEST(memory_patterns, particles_in_linked_cells) {
  constexpr std::size_t n = 2011, side = 20;
  sycl::queue q{sycl::property::queue::in_order()};
  particle *particles = sycl::malloc_device<particle>(n, q), **cells = sycl::malloc_device<particle *>(side * side, q);
  std::vector<particle> start(n);
  random_numbers r(125);
  for (particle &p : start) {
    const float x = r.fraction(), y = r.fraction();
    p = {{x, y}, nullptr};
  }
  float *nearest = sycl::malloc_shared<float>(1, q);
  double *energy = sycl::malloc_shared<double>(1, q);
  *nearest = std::numeric_limits<float>::max();
  *energy = 0;
  q.copy(start.data(), particles, n);
  q.fill(cells, static_cast<particle *>(nullptr), side * side);
  q.parallel_for(sycl::range(n), [=](sycl::id<1> i) {
    particle &own = particles[i];
    const sycl::int2 cell = (own.at * float(side)).convert<int, sycl::rounding_mode::rtz>();
    sycl::atomic_ref<particle *, sycl::memory_order::relaxed, sycl::memory_scope::device> head(
        cells[cell.y() * int(side) + cell.x()]);
    own.next = head.exchange(&own);
  });
  q.parallel_for(sycl::nd_range<1>((n + 63) / 64 * 64, 64), [=](sycl::nd_item<1> item) {
    const std::size_t i = item.get_global_id(0);
    float least = std::numeric_limits<float>::infinity();
    double sum = 0;
    if (i < n) {
      const particle &own = particles[i];
      const sycl::int2 cell = (own.at * float(side)).convert<int, sycl::rounding_mode::rtz>();
      for (int y = sycl::max(cell.y() - 1, 0); y <= sycl::min(cell.y() + 1, int(side) - 1); y++)
        for (int x = sycl::max(cell.x() - 1, 0); x <= sycl::min(cell.x() + 1, int(side) - 1); x++)
          for (const particle *other = cells[y * int(side) + x]; other != nullptr; other = other->next) {
            if (other == &own) continue;
            const float d = sycl::distance(own.at, other->at);
            least = sycl::fmin(least, d);
            if (d < 1.0f / side) sum += double(1 - d * side);
          }
    }
    least = sycl::reduce_over_group(item.get_group(), least, sycl::minimum<>());
    sum = sycl::reduce_over_group(item.get_group(), sum, std::plus<>());
    if (!item.get_group().leader()) return;
    sycl::atomic_ref<float, sycl::memory_order::acq_rel, sycl::memory_scope::device>(*nearest).fetch_min(least);
    sycl::atomic_ref<double, sycl::memory_order::relaxed, sycl::memory_scope::device>(*energy) += sum;
  });
  q.wait();
  float least = std::numeric_limits<float>::max();
  double sum = 0;
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = 0; j < n; j++) {
      if (i == j) continue;
      const float d = std::hypot(start[i].at.x() - start[j].at.x(), start[i].at.y() - start[j].at.y());
      least = std::min(least, d);
      if (d < 1.0f / side) sum += 1 - double(d) * side;
    }
  EXPECT_NEAR(*nearest, least, 1e-6f);
  EXPECT_NEAR(*energy, sum, 1e-3 * sum);
  sycl::free(particles, q);
  sycl::free(cells, q);
  sycl::free(nearest, q);
  sycl::free(energy, q);
}

}  // namespace programs
