// Simulations on grids: heat in pyramids, diffusion of speckle, spins on a checkerboard, slabs of a volume.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "data.hpp"

namespace programs {
namespace {

/// Philox4x32-10 (Salmon and others, 2011): four random numbers of a counter and a key.
sycl::uint4 philox(sycl::uint4 counter, sycl::uint2 key) {
  for (int round = 0; round < 10; round++, key += sycl::uint2(0x9e3779b9u, 0xbb67ae85u)) {
    const sycl::uint2 factor(0xd2511f53u, 0xcd9e8d57u), even = counter.even();
    const sycl::uint2 high = sycl::mul_hi(factor, even), low = factor * even;
    counter = sycl::uint4(high.y() ^ counter.y() ^ key.x(), low.y(), high.x() ^ counter.w() ^ key.y(), low.x());
  }
  return counter;
}

constexpr int heat_tile = 16, heat_height = 3;

/// Several steps of a plate's heat: tiles overlap by the cells that become wrong from their edges.
struct heat_pyramid {
  sycl::accessor<float, 2, sycl::access_mode::read> from, power;
  sycl::accessor<float, 2, sycl::access_mode::write> to;
  sycl::local_accessor<float, 2> now, next;
  int steps;

  void operator()(sycl::nd_item<2> item) const {
    const int rows = int(from.get_range().get(0)), columns = int(from.get_range().get(1));
    const int ly = int(item.get_local_id(0)), lx = int(item.get_local_id(1));
    constexpr int own = heat_tile - 2 * heat_height;
    const int y = int(item.get_group(0)) * own + ly - heat_height, x = int(item.get_group(1)) * own + lx - heat_height;
    const bool there = y >= 0 && x >= 0 && y < rows && x < columns;
    const sycl::id<2> cell(sycl::clamp(y, 0, rows - 1), sycl::clamp(x, 0, columns - 1));
    now[ly][lx] = from[cell];
    const float source = power[cell];
    // Neighbours beyond the plate's edge are the cell itself.
    const int north = y > 0 ? ly - 1 : ly, south = y < rows - 1 ? ly + 1 : ly;
    const int west = x > 0 ? lx - 1 : lx, east = x < columns - 1 ? lx + 1 : lx;
    for (int step = 1; step <= steps; step++) {
      sycl::group_barrier(item.get_group());
      const bool correct = sycl::min(lx, ly) >= step && sycl::max(lx, ly) < heat_tile - step && there;
      if (correct)
        next[ly][lx] = now[ly][lx] + 0.1f * (source + now[north][lx] + now[south][lx] + now[ly][west] + now[ly][east] -
                                             4 * now[ly][lx] + 0.05f * (0.5f - now[ly][lx]));
      sycl::group_barrier(item.get_group());
      if (correct) now[ly][lx] = next[ly][lx];
    }
    const int least = sycl::min(lx, ly), most = sycl::max(lx, ly);
    if (there && least >= heat_height && most < heat_tile - heat_height) to[cell] = now[ly][lx];
  }
};

}  // namespace

TEST(grids, heat_in_pyramids_of_tiles) {
  constexpr int rows = 77, columns = 101, steps = 20;
  const std::vector<float> power = fractions(rows * columns, 51);
  std::vector<float> heat = fractions(rows * columns, 52), expected = heat, result(heat.size());
  {
    sycl::queue q;
    const sycl::range<2> all(rows, columns);
    std::array<sycl::buffer<float, 2>, 2> plates{sycl::buffer<float, 2>(heat.data(), all), sycl::buffer<float, 2>(all)};
    plates[0].set_write_back(false);
    sycl::buffer<float, 2> sources(power.data(), all);
    int now = 0;
    for (int step = 0; step < steps; step += heat_height, now = 1 - now)
      q.submit([&](sycl::handler &h) {
        constexpr std::size_t own = heat_tile - 2 * heat_height;
        const sycl::range<2> local(heat_tile, heat_tile), groups = (all + (own - 1)) / own;
        const sycl::local_accessor<float, 2> a(local, h), b(local, h);
        h.parallel_for(sycl::nd_range<2>(groups * local, local),
                       heat_pyramid{{plates[std::size_t(now)], h, sycl::read_only},
                                    {sources, h, sycl::read_only},
                                    {plates[std::size_t(1 - now)], h, sycl::write_only},
                                    a,
                                    b,
                                    std::min(heat_height, steps - step)});
      });
    plates[std::size_t(now)].set_final_data(result.begin());
    plates[std::size_t(now)].set_write_back(true);
  }
  const auto at = [](int y, int x) {
    return std::size_t(std::clamp(y, 0, rows - 1) * columns + std::clamp(x, 0, columns - 1));
  };
  for (int step = 0; step < steps; step++) {
    const std::vector<float> t = expected;
    for (int y = 0; y < rows; y++)
      for (int x = 0; x < columns; x++)
        expected[at(y, x)] += 0.1f * (power[at(y, x)] + t[at(y - 1, x)] + t[at(y + 1, x)] + t[at(y, x - 1)] +
                                      t[at(y, x + 1)] - 4 * t[at(y, x)] + 0.05f * (0.5f - t[at(y, x)]));
  }
  expect_near(result, expected, 1e-4f);
}

TEST(grids, diffusion_that_reduces_speckle) {
  constexpr int rows = 67, columns = 93, iterations = 6;
  constexpr float lambda = 0.5f;
  std::vector<float> image = fractions(rows * columns, 53);
  for (float &x : image) x = std::exp(x);
  std::vector<float> expected = image;
  {
    sycl::queue q;
    const sycl::range all(rows, columns);
    sycl::buffer<float, 2> pixels(image.data(), all), c(all);
    sycl::buffer<sycl::float4, 2> differences(all);  // north, south, west, east
    sycl::buffer<double> sum(1), squares(1);
    for (int iteration = 0; iteration < iterations; iteration++) {
      q.submit([&](sycl::handler &h) {
        sycl::accessor j(pixels, h, sycl::read_only);
        const auto fresh = sycl::property::reduction::initialize_to_identity();
        h.parallel_for<class statistics>(all, sycl::reduction(sum, h, 0.0, std::plus<double>(), fresh),
                                         sycl::reduction(squares, h, std::plus<double>(), fresh),
                                         [=](sycl::item<2> item, auto &total, auto &total_squares) {
                                           const double v = j[item];
                                           total += v;
                                           total_squares.combine(v * v);
                                         });
      });
      double variation = 0;
      {
        sycl::host_accessor s(sum, sycl::read_only), s2(squares, sycl::read_only);
        const double mean = s[0] / (rows * columns);
        variation = s2[0] / (rows * columns) / (mean * mean) - 1;
      }
      q.submit([&](sycl::handler &h) {
        sycl::accessor j(pixels, h, sycl::read_only);
        sycl::accessor d(differences, h, sycl::write_only, sycl::no_init);
        sycl::accessor out(c, h, sycl::write_only, sycl::no_init);
        h.parallel_for<class coefficients>(all, [=, q0 = float(variation)](sycl::item<2> item) {
          const std::size_t y = item.get_id(0), x = item.get_id(1);
          const float own = j[item];
          const sycl::float4 delta = sycl::float4(j[y ? y - 1 : 0][x], j[y + 1 < rows ? y + 1 : y][x],
                                                  j[y][x ? x - 1 : 0], j[y][x + 1 < columns ? x + 1 : x]) -
                                     own;
          const float gradient = sycl::dot(delta, delta) / (own * own);
          const float laplacian = (delta.x() + delta.y() + delta.z() + delta.w()) / own;
          const float ratio = (0.5f * gradient - laplacian * laplacian / 16) / sycl::pown(1 + 0.25f * laplacian, 2);
          out[item] = sycl::clamp(1 / (1 + (ratio - q0) / (q0 * (1 + q0))), 0.0f, 1.0f);
          d[item] = delta;
        });
      });
      q.submit([&](sycl::handler &h) {
        sycl::accessor j(pixels, h);
        sycl::accessor d(differences, h, sycl::read_only);
        sycl::accessor in(c, h, sycl::read_only);
        h.parallel_for<class divergence>(all, [=](sycl::id<2> id) {
          const std::size_t y = id[0], x = id[1];
          const sycl::float4 weight(in[id], in[y + 1 < rows ? y + 1 : y][x], in[id],
                                    in[y][x + 1 < columns ? x + 1 : x]);
          j[id] += lambda / 4 * sycl::dot(weight, d[id]);
        });
      });
    }
  }
  const auto at = [](int y, int x) {
    return std::size_t(std::clamp(y, 0, rows - 1) * columns + std::clamp(x, 0, columns - 1));
  };
  for (int iteration = 0; iteration < iterations; iteration++) {
    double sum = 0, squares = 0;
    for (const float v : expected) sum += v, squares += double(v) * v;
    const double mean = sum / (rows * columns), q0 = squares / (rows * columns) / (mean * mean) - 1;
    std::vector<double> c;
    const std::vector<float> old = expected;
    for (int y = 0; y < rows; y++)
      for (int x = 0; x < columns; x++) {
        const double own = old[at(y, x)];
        double gradient = 0, laplacian = 0;
        for (const std::size_t k : {at(y - 1, x), at(y + 1, x), at(y, x - 1), at(y, x + 1)}) {
          gradient += (old[k] - own) * (old[k] - own) / (own * own);
          laplacian += (old[k] - own) / own;
        }
        const double ratio = (0.5 * gradient - laplacian * laplacian / 16) / std::pow(1 + 0.25 * laplacian, 2);
        c.push_back(std::clamp(1 / (1 + (ratio - q0) / (q0 * (1 + q0))), 0.0, 1.0));
      }
    for (int y = 0; y < rows; y++)
      for (int x = 0; x < columns; x++) {
        const double own = old[at(y, x)];
        expected[at(y, x)] +=
            float(lambda / 4 *
                  (c[at(y, x)] * (old[at(y - 1, x)] - own + old[at(y, x - 1)] - own) +
                   c[at(y + 1, x)] * (old[at(y + 1, x)] - own) + c[at(y, x + 1)] * (old[at(y, x + 1)] - own)));
      }
  }
  expect_near(image, expected, 1e-3f);
}

TEST(grids, spins_on_a_checkerboard) {
  EXPECT_TRUE(sycl::all(philox({0, 0, 0, 0}, {0, 0}) == sycl::uint4(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8)));
  constexpr std::size_t rows = 58, columns = 66, sweeps = 12;
  // A flip is accepted with the probability exp(-2 s n / T): thresholds by the neighbours that agree.
  const auto accepted = [](int spin, int neighbours, std::uint32_t random, const std::uint32_t *thresholds) {
    return random <= thresholds[(spin * neighbours + 4) / 2];
  };
  std::array<std::uint32_t, 5> thresholds;
  for (int k = 0; k < 5; k++)
    thresholds[std::size_t(k)] = std::uint32_t(std::min(1.0, std::exp(-2.0 * (2 * k - 4) / 2.2)) * 4294967295.0);
  std::vector<signed char> spins(rows * columns, 1), expected = spins;
  {
    sycl::buffer<signed char, 2> lattice{spins.data(), sycl::range<2>{rows, columns}};
    sycl::queue q{sycl::default_selector_v, sycl::property_list{sycl::property::queue::in_order()}};
    for (std::uint32_t half = 0; half < 2 * sweeps; half++)
      q.submit([&](sycl::handler &h) {
        sycl::accessor s{lattice, h};
        h.parallel_for(sycl::range<2>{rows, columns / 2}, [=](sycl::id<2> id) {
          const std::size_t y = id[0], x = 2 * id[1] + (y + half) % 2;
          const int neighbours = s[{(y + 1) % rows, x}] + s[{(y + rows - 1) % rows, x}] + s[{y, (x + 1) % columns}] +
                                 s[{y, (x + columns - 1) % columns}];
          const sycl::uint4 random = philox({std::uint32_t(y), std::uint32_t(x), half, 0}, {2026, 5});
          if (accepted(s[y][x], neighbours, random.x(), thresholds.data()))
            s[y][x] = static_cast<signed char>(-s[y][x]);
        });
      });
  }
  for (std::uint32_t half = 0; half < 2 * sweeps; half++)
    for (std::size_t y = 0; y < rows; y++)
      for (std::size_t x = (y + half) % 2; x < columns; x += 2) {
        const int neighbours = expected[(y + 1) % rows * columns + x] + expected[(y + rows - 1) % rows * columns + x] +
                               expected[y * columns + (x + 1) % columns] +
                               expected[y * columns + (x + columns - 1) % columns];
        signed char &spin = expected[y * columns + x];
        const std::uint32_t random = philox({std::uint32_t(y), std::uint32_t(x), half, 0}, {2026, 5})[0];
        if (accepted(spin, neighbours, random, thresholds.data())) spin = static_cast<signed char>(-spin);
      }
  EXPECT_EQ(spins, expected);
  EXPECT_GT(std::count(spins.begin(), spins.end(), -1), 10);
}

TEST(grids, slabs_of_a_volume_in_parts_of_a_buffer) {
  constexpr std::size_t depth = 26, height = 32, width = 64, slabs = 4;
  std::vector<double> volume(depth * height * width), result(volume.size(), -1), expected = result;
  random_numbers r(54);
  for (double &v : volume) v = r.fraction();
  {
    sycl::queue q;
    const sycl::range<3> all(depth, height, width);
    const sycl::buffer<double, 3> in(volume.data(), all);
    sycl::buffer<double, 3> from(in), to(result.data(), all);
    for (std::size_t slab = 0; slab < slabs; slab++) {
      const std::size_t first = slab * 7, planes = std::min<std::size_t>(7, depth - first);
      sycl::buffer<double, 3> part(to, sycl::id<3>(first, 0, 0), sycl::range<3>(planes, height, width));
      EXPECT_TRUE(part.is_sub_buffer());
      q.submit([&](sycl::handler &h) {
        sycl::accessor<double, 3, sycl::access::mode::read> v(from, h);
        sycl::accessor<double, 3, sycl::access::mode::write> out(part, h);
        h.parallel_for(sycl::range<3>(planes, height - 2, width - 2), sycl::id<3>(0, 1, 1), [=](sycl::item<3> item) {
          const std::size_t z = first + item[0], y = item[1], x = item[2];
          if (z == 0 || z == depth - 1) return;
          double sum = 0;
          for (std::size_t dz = 0; dz < 3; dz++)
            for (std::size_t dy = 0; dy < 3; dy++)
              for (std::size_t dx = 0; dx < 3; dx++)
                sum += double(1 << ((dz == 1) + (dy == 1) + (dx == 1))) * v[z + dz - 1][y + dy - 1][x + dx - 1];
          out[item.get_id()] = sum / 64;
        });
      });
    }
  }
  const auto at = [](std::size_t z, std::size_t y, std::size_t x) { return (z * height + y) * width + x; };
  for (std::size_t z = 1; z + 1 < depth; z++)
    for (std::size_t y = 1; y + 1 < height; y++)
      for (std::size_t x = 1; x + 1 < width; x++) {
        double sum = 0;
        for (std::size_t k = 0; k < 27; k++)
          sum += double(1 << ((k / 9 == 1) + (k / 3 % 3 == 1) + (k % 3 == 1))) *
                 volume[at(z + k / 9 - 1, y + k / 3 % 3 - 1, x + k % 3 - 1)];
        expected[at(z, y, x)] = sum / 64;
      }
  for (std::size_t i = 0; i < result.size(); i++) ASSERT_NEAR(result[i], expected[i], 1e-12) << i;
}

}  // namespace programs
