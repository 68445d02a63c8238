// Simulations: molecular dynamics, many bodies, stencils in two and three dimensions, a lattice gas.
#include <cmath>

#include "data.hpp"

namespace programs {
namespace {

std::vector<sycl::float4> particles(std::size_t per_side, float spacing) {
  random_numbers r(5);
  std::vector<sycl::float4> all;
  for (std::size_t i = 0; i < per_side * per_side * per_side; i++)
    all.push_back({float(i % per_side) * spacing + 0.2f * r.fraction(),
                   float(i / per_side % per_side) * spacing + 0.2f * r.fraction(),
                   float(i / per_side / per_side) * spacing + 0.2f * r.fraction(), 1});
  return all;
}

}  // namespace

TEST(physics, lennard_jones_forces_with_neighbour_lists) {
  constexpr float cutoff = 2.5f;
  constexpr std::size_t most = 128;
  const std::vector<sycl::float4> position = particles(10, 1.2f);
  const std::size_t n = position.size();
  std::vector<sycl::float4> force(n);
  const auto pair_force = [](sycl::float4 d, float r2) {
    const float inverse = 1 / r2, r6 = inverse * inverse * inverse;
    return d * (r6 * (48 * r6 - 24) * inverse);
  };
  {
    sycl::queue q;
    sycl::buffer positions(position);
    sycl::buffer forces(force);
    sycl::buffer<int, 2> neighbours({most, n});
    sycl::buffer<int> counts(n);
    q.submit([&](sycl::handler &h) {
      sycl::accessor p(positions, h, sycl::read_only);
      sycl::accessor list(neighbours, h, sycl::write_only);
      sycl::accessor count(counts, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> i) {
        std::size_t found = 0;
        for (std::size_t j = 0; j < n; j++) {
          const sycl::float4 d = p[i] - p[j];
          if (j != i[0] && sycl::dot(d, d) < cutoff * cutoff && found < most) list[found++][i[0]] = int(j);
        }
        count[i] = int(found);
      });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor p(positions, h, sycl::read_only);
      sycl::accessor list(neighbours, h, sycl::read_only);
      sycl::accessor count(counts, h, sycl::read_only);
      sycl::accessor f(forces, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> i) {
        sycl::float4 sum(0);
        for (int k = 0; k < count[i]; k++) {
          const sycl::float4 d = p[i] - p[list[std::size_t(k)][i[0]]];
          sum += pair_force(d, sycl::dot(d, d));
        }
        f[i] = sum;
      });
    });
  }
  for (std::size_t i = 0; i < n; i += 37) {
    sycl::float4 sum(0);
    for (std::size_t j = 0; j < n; j++) {
      const sycl::float4 d = position[i] - position[j];
      if (const float r2 = sycl::dot(d, d); i != j && r2 < cutoff * cutoff) sum += pair_force(d, r2);
    }
    for (int c = 0; c < 3; c++) ASSERT_NEAR(force[i][c], sum[c], 1e-3f * (1 + std::fabs(sum[c]))) << i;
  }
}

TEST(physics, many_bodies_with_tiles) {
  constexpr std::size_t tile = 64, n = 1024;
  std::vector<sycl::float4> position = particles(11, 2);
  position.resize(n);
  std::vector<sycl::float4> acceleration(n);
  const auto pull = [](sycl::float4 a, sycl::float4 b) {
    sycl::float4 d = b - a;
    d.w() = 0;
    const float inverse = sycl::rsqrt(sycl::dot(d, d) + 0.01f);
    return d * (b.w() * inverse * inverse * inverse);
  };
  sycl::queue q;
  auto *p = sycl::malloc_device<sycl::float4>(n, q), *a = sycl::malloc_device<sycl::float4>(n, q);
  const sycl::event copied = q.copy(position.data(), p, n);
  const sycl::event done = q.submit([&](sycl::handler &h) {
    h.depends_on(copied);
    sycl::local_accessor<sycl::float4> others(tile, h);
    h.parallel_for(sycl::nd_range<1>(n, tile), [=](sycl::nd_item<1> item) {
      const std::size_t i = item.get_global_id(0), l = item.get_local_id(0);
      sycl::float4 sum(0);
      for (std::size_t base = 0; base < n; base += tile) {
        others[l] = p[base + l];
        sycl::group_barrier(item.get_group());
        for (std::size_t k = 0; k < tile; k++) sum += pull(p[i], others[k]);
        sycl::group_barrier(item.get_group());
      }
      a[i] = sum;
    });
  });
  q.copy(a, acceleration.data(), n, done).wait();
  sycl::free(p, q);
  sycl::free(a, q);
  for (std::size_t i = 0; i < n; i += 53) {
    sycl::float4 sum(0);
    for (std::size_t k = 0; k < n; k++) sum += pull(position[i], position[k]);
    for (int c = 0; c < 3; c++) ASSERT_NEAR(acceleration[i][c], sum[c], 1e-3f) << i;
  }
}

TEST(physics, heat_in_three_dimensions) {
  constexpr std::size_t n = 32, steps = 10;
  std::vector<float> now = fractions(n * n * n, 3), expected = now;
  {
    sycl::queue q;
    const sycl::range<3> all(n, n, n), inner(n - 2, n - 2, n - 2);
    sycl::buffer<float, 3> a(now.data(), all), b(all);
    q.submit([&](sycl::handler &h) {  // the border stays
      sycl::accessor from(a, h, sycl::read_only);
      sycl::accessor to(b, h, sycl::write_only, sycl::no_init);
      h.copy(from, to);
    });
    for (std::size_t step = 0; step < steps; step++)
      q.submit([&](sycl::handler &h) {
        sycl::accessor from(step % 2 ? b : a, h, sycl::read_only);
        sycl::accessor to(step % 2 ? a : b, h);
        h.parallel_for(inner, [=](sycl::id<3> i) {
          const std::size_t z = i[0] + 1, y = i[1] + 1, x = i[2] + 1;
          to[z][y][x] =
              from[z][y][x] + 0.1f * (from[z - 1][y][x] + from[z + 1][y][x] + from[z][y - 1][x] + from[z][y + 1][x] +
                                      from[z][y][x - 1] + from[z][y][x + 1] - 6 * from[z][y][x]);
        });
      });
  }
  const auto at = [](std::size_t z, std::size_t y, std::size_t x) { return (z * n + y) * n + x; };
  for (std::size_t step = 0; step < steps; step++) {
    const std::vector<float> from = expected;
    for (std::size_t z = 1; z + 1 < n; z++)
      for (std::size_t y = 1; y + 1 < n; y++)
        for (std::size_t x = 1; x + 1 < n; x++)
          expected[at(z, y, x)] +=
              0.1f * (from[at(z - 1, y, x)] + from[at(z + 1, y, x)] + from[at(z, y - 1, x)] + from[at(z, y + 1, x)] +
                      from[at(z, y, x - 1)] + from[at(z, y, x + 1)] - 6 * from[at(z, y, x)]);
  }
  expect_near(now, expected, 1e-5f);
}

TEST(physics, waves_of_fourth_order_with_planes_in_registers) {
  constexpr int n = 24, radius = 2, steps = 6;
  constexpr float c[] = {-2.5f, 4.0f / 3, -1.0f / 12};
  const auto at = [](int z, int y, int x) { return std::size_t((z * n + y) * n + x); };
  std::vector<float> before(n * n * n), now(n * n * n);
  now[at(n / 2, n / 2, n / 2)] = 1;
  std::vector<float> expected_before = before, expected = now;
  {
    sycl::queue q;
    sycl::buffer<float, 3> u(before.data(), {n, n, n}), v(now.data(), {n, n, n});
    for (int step = 0; step < steps; step++)
      q.submit([&](sycl::handler &h) {
        sycl::accessor old(step % 2 ? v : u, h);
        sycl::accessor in(step % 2 ? u : v, h, sycl::read_only);
        // A work-item for each column, which keeps the values above and below in registers.
        h.parallel_for(sycl::range<2>(n - 2 * radius, n - 2 * radius), [=](sycl::id<2> id) {
          const std::size_t y = id[0] + radius, x = id[1] + radius;
          float column[2 * radius + 1];
          for (std::size_t k = 0; k < 2 * radius; k++) column[k + 1] = in[k][y][x];
          for (std::size_t z = radius; z < n - radius; z++) {
            for (int k = 0; k < 2 * radius; k++) column[k] = column[k + 1];
            column[2 * radius] = in[z + radius][y][x];
            float sum = 3 * c[0] * column[radius];
            for (int k = 1; k <= radius; k++)
              sum +=
                  c[k] * (column[radius - k] + column[radius + k] + in[z][y - std::size_t(k)][x] +
                          in[z][y + std::size_t(k)][x] + in[z][y][x - std::size_t(k)] + in[z][y][x + std::size_t(k)]);
            old[z][y][x] = 2 * column[radius] - old[z][y][x] + 0.1f * sum;
          }
        });
      });
  }
  for (int step = 0; step < steps; step++) {
    for (int z = radius; z < n - radius; z++)
      for (int y = radius; y < n - radius; y++)
        for (int x = radius; x < n - radius; x++) {
          float sum = 3 * c[0] * expected[at(z, y, x)];
          for (int k = 1; k <= radius; k++)
            sum += c[k] * (expected[at(z - k, y, x)] + expected[at(z + k, y, x)] + expected[at(z, y - k, x)] +
                           expected[at(z, y + k, x)] + expected[at(z, y, x - k)] + expected[at(z, y, x + k)]);
          float &old = expected_before[at(z, y, x)];
          old = 2 * expected[at(z, y, x)] - old + 0.1f * sum;
        }
    std::swap(expected, expected_before);
  }
  expect_near(steps % 2 ? before : now, expected, 1e-4f);
}

TEST(physics, lattice_boltzmann_conserves_mass) {
  constexpr int n = 48, directions = 9;
  constexpr int dx[] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  constexpr float w[] = {4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
  std::vector<float> f(directions * n * n);
  for (int d = 0; d < directions; d++)
    for (int i = 0; i < n * n; i++) f[std::size_t(d * n * n + i)] = w[d] * (1 + 0.1f * float(i == n * n / 2 + n / 2));
  double before = 0, after = 0, outward = 0;
  for (const float x : f) before += x;
  {
    sycl::queue q;
    sycl::buffer<float, 3> a(f.data(), {directions, n, n}), b({directions, n, n});
    for (int step = 0; step < 10; step++)
      q.submit([&](sycl::handler &h) {
        sycl::accessor from(step % 2 ? b : a, h, sycl::read_only);
        sycl::accessor to(step % 2 ? a : b, h, sycl::write_only);
        h.parallel_for(sycl::range<2>(n, n), [=](sycl::id<2> id) {
          float g[directions], density = 0, ux = 0, uy = 0;
          for (int d = 0; d < directions; d++) {  // periodic
            g[d] = from[std::size_t(d)][(id[0] + std::size_t(n - dy[d])) % n][(id[1] + std::size_t(n - dx[d])) % n];
            density += g[d];
            ux += g[d] * float(dx[d]);
            uy += g[d] * float(dy[d]);
          }
          ux /= density;
          uy /= density;
          for (int d = 0; d < directions; d++) {
            const float along = 3 * (float(dx[d]) * ux + float(dy[d]) * uy);
            const float equilibrium = w[d] * density * (1 + along + along * along / 2 - 1.5f * (ux * ux + uy * uy));
            to[std::size_t(d)][id[0]][id[1]] = g[d] + (equilibrium - g[d]) / 0.6f;
          }
        });
      });
  }
  for (std::size_t i = 0; i < f.size(); i++) {
    after += f[i];
    const auto cell = int(i % (n * n));
    if (std::abs(cell % n - n / 2) > 11) outward += std::fabs(f[i] - w[i / (n * n)]);
  }
  EXPECT_NEAR(after, before, 1e-2);
  EXPECT_NEAR(outward, 0, 1e-3);  // ten steps reach ten cells
}

}  // namespace programs
