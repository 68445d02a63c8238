// Geometry: neighbours along a space-filling curve, rays and spheres, a hierarchy of boxes, a particle filter.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "data.hpp"

namespace programs {
namespace {

struct point {
  float x, y, z;
  friend float squared_distance(const point &a, const point &b) {
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z);
  }
};

std::vector<point> random_points(std::size_t n, std::uint64_t seed) {
  random_numbers r(seed);
  std::vector<point> all;
  for (std::size_t i = 0; i < n; i++) {
    const float x = r.fraction(), y = r.fraction(), z = r.fraction();
    all.push_back({x, y, z});
  }
  return all;
}

/// The bits of three coordinates in turns.
std::uint32_t morton_key(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  const auto spread = [](std::uint32_t v) {
    v = (v | v << 16) & 0x030000ff;
    v = (v | v << 8) & 0x0300f00f;
    v = (v | v << 4) & 0x030c30c3;
    return (v | v << 2) & 0x09249249;
  };
  return spread(x) << 2 | spread(y) << 1 | spread(z);
}

struct material {
  sycl::float3 colour{1, 1, 1};
  float mirror = 0;
};
struct sphere {
  sycl::float3 centre;
  float radius;
  material surface;
};
struct ray {
  sycl::float3 origin, direction;
};
struct hit {
  float distance = std::numeric_limits<float>::infinity();
  int which = -1;
};

template <class Spheres> hit nearest_hit(const ray &r, const Spheres &spheres, int count) {
  hit best;
  for (int i = 0; i < count; i++) {
    const sycl::float3 to = spheres[i].centre - r.origin;
    const float along = sycl::dot(to, r.direction), inside = spheres[i].radius * spheres[i].radius;
    const float root = along * along - sycl::dot(to, to) + inside;
    if (root < 0) continue;
    const float distance = along - sycl::sqrt(root);
    if (distance > 1e-3f && distance < best.distance) best = {distance, i};
  }
  return best;
}

/// The light along a ray with up to three reflections.
template <class Spheres> sycl::float3 trace(ray r, const Spheres &spheres, int count) {
  const sycl::float3 sun = sycl::normalize(sycl::float3(1, 2, -1));
  sycl::float3 light(0), weight(1);
  for (int bounce = 0; bounce < 4; bounce++) {
    const hit h = nearest_hit(r, spheres, count);
    if (h.which < 0) {
      light += weight * sycl::mix(sycl::float3(0.2f), sycl::float3(0.4f, 0.6f, 1), 0.5f + 0.5f * r.direction.y());
      break;
    }
    const sphere &s = spheres[h.which];
    const sycl::float3 at = r.origin + r.direction * h.distance, normal = sycl::normalize(at - s.centre);
    const bool lit = nearest_hit({at + normal * 1e-2f, sun}, spheres, count).which < 0;
    const float diffuse = 0.1f + (lit ? sycl::fmax(0.0f, sycl::dot(normal, sun)) : 0);
    light += weight * s.surface.colour * (diffuse * (1 - s.surface.mirror));
    weight *= s.surface.colour * s.surface.mirror;
    r = {at + normal * 1e-2f, r.direction - normal * (2 * sycl::dot(normal, r.direction))};
  }
  return light;
}

/// A node of a hierarchy of boxes over sorted points: children are 2 i + 1 and 2 i + 2.
struct box {
  sycl::float3 low{1e30f}, high{-1e30f};
  box include(const box &other) const { return {sycl::fmin(low, other.low), sycl::fmax(high, other.high)}; }
};

}  // namespace

TEST(spatial, nearest_neighbours_in_cells_sorted_by_morton_keys) {
  constexpr std::size_t n = 3001, side = 16;
  const std::vector<point> points = random_points(n, 71);
  std::vector<std::int32_t> nearest(n), expected(n);
  {
    sycl::queue q;
    sycl::buffer<point> in(points.data(), n);
    sycl::buffer<std::uint64_t> keys(std::bit_ceil(n));  // the cell's key, and the point's index
    sycl::buffer<std::uint32_t> first(side * side * side + 1);
    sycl::buffer<std::int32_t> result(nearest.data(), nearest.size());
    const auto cell_of = [](float x) { return sycl::min(std::uint32_t(x * side), std::uint32_t(side) - 1); };
    q.submit([&](sycl::handler &h) {
      sycl::accessor p(in, h, sycl::read_only);
      sycl::accessor k(keys, h, sycl::write_only, sycl::no_init);
      h.parallel_for(keys.get_range(), [=](sycl::item<1> item) {
        const std::size_t i = item.get_linear_id();
        k[i] = ~std::uint64_t{0};
        if (i < n) k[i] = std::uint64_t{morton_key(cell_of(p[i].x), cell_of(p[i].y), cell_of(p[i].z))} << 32 | i;
      });
    });
    for (std::size_t size = 2; size <= keys.size(); size *= 2)
      for (std::size_t step = size / 2; step > 0; step /= 2)
        q.submit([&](sycl::handler &h) {
          sycl::accessor k(keys, h);
          h.parallel_for(keys.size() / 2, [=](sycl::id<1> id) {
            const std::size_t i = id / step * 2 * step + id % step, j = i + step;
            if ((k[i] > k[j]) == !(i & size)) std::swap(k[i], k[j]);
          });
        });
    q.submit([&](sycl::handler &h) {
      sycl::accessor k(keys, h, sycl::read_only);
      sycl::accessor f(first, h, sycl::write_only);
      h.parallel_for(first.get_range(), [=](sycl::id<1> cell) {  // a binary search
        std::size_t low = 0, count = n;
        while (count > 0) {
          const std::size_t half = count / 2;
          if (k[low + half] >> 32 < cell[0])
            low += half + 1, count -= half + 1;
          else
            count = half;
        }
        f[cell] = std::uint32_t(low);
      });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor p(in, h, sycl::read_only);
      sycl::accessor k(keys, h, sycl::read_only);
      sycl::accessor f(first, h, sycl::read_only);
      sycl::accessor out(result, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> slot) {
        const auto own = std::uint32_t(k[slot]);
        const point at = p[own];
        const int cx = int(cell_of(at.x)), cy = int(cell_of(at.y)), cz = int(cell_of(at.z));
        float best = 1e30f;
        std::uint32_t which = own;
        // Cells at growing distances, until none that is further can have a nearer point.
        for (int reach = 0; reach < int(side) && best > float(reach - 1) * float(reach - 1) / (side * side); reach++)
          for (int z = sycl::max(cz - reach, 0); z <= sycl::min(cz + reach, int(side) - 1); z++)
            for (int y = sycl::max(cy - reach, 0); y <= sycl::min(cy + reach, int(side) - 1); y++)
              for (int x = sycl::max(cx - reach, 0); x <= sycl::min(cx + reach, int(side) - 1); x++) {
                if (sycl::max(sycl::abs(x - cx), sycl::max(sycl::abs(y - cy), sycl::abs(z - cz))) != reach) continue;
                const std::uint32_t cell = morton_key(std::uint32_t(x), std::uint32_t(y), std::uint32_t(z));
                for (std::uint32_t s = f[cell]; s < f[cell + 1]; s++) {
                  const auto other = std::uint32_t(k[s]);
                  if (other == own) continue;
                  const float d = squared_distance(at, p[other]);
                  if (d < best || (d == best && other < which)) best = d, which = other;
                }
              }
        out[own] = std::int32_t(which);
      });
    });
  }
  for (std::size_t i = 0; i < n; i++) {
    std::size_t best = i == 0;
    for (std::size_t j = 0; j < n; j++)
      if (j != i && squared_distance(points[i], points[j]) < squared_distance(points[i], points[best])) best = j;
    expected[i] = std::int32_t(best);
  }
  std::size_t others = 0;  // equal up to rounding
  for (std::size_t i = 0; i < n; i++)
    if (nearest[i] != expected[i]) {
      others++;
      ASSERT_NEAR(squared_distance(points[i], points[std::size_t(nearest[i])]),
                  squared_distance(points[i], points[std::size_t(expected[i])]), 1e-7f)
          << i;
    }
  EXPECT_LT(others, 5u);
}

TEST(spatial, rays_that_spheres_reflect) {
  constexpr int width = 123, height = 77;
  random_numbers r(72);
  std::vector<sphere> spheres{{{0, -1000, 0}, 998, {{0.6f, 0.6f, 0.6f}, 0.2f}}};
  for (int i = 0; i < 30; i++)
    spheres.push_back({{8 * r.fraction() - 4, 6 * r.fraction() - 2, 4 + 6 * r.fraction()},
                       0.3f + 0.5f * r.fraction(),
                       {{r.fraction(), r.fraction(), r.fraction()}, i % 3 * 0.4f}});
  std::vector<sycl::uchar4> image(width * height);
  const auto colour = [count = int(spheres.size())](std::size_t x, std::size_t y, const auto &all) {
    const float u = (float(x) + 0.5f) / width * 2 - 1, v = 1 - (float(y) + 0.5f) / height * 2;
    const sycl::float3 light = trace({sycl::float3(0), sycl::normalize(sycl::float3(u * 1.6f, v, 2))}, all, count);
    return sycl::clamp(light, 0.0f, 1.0f) * 255.0f;
  };
  {
    sycl::queue q;
    sycl::buffer<sphere> scene(spheres);
    sycl::buffer<sycl::uchar4, 2> pixels(image.data(), {height, width});
    q.submit([&](sycl::handler &h) {
      sycl::accessor s(scene, h, sycl::read_only);
      sycl::accessor p(pixels, h, sycl::write_only, sycl::no_init);
      h.parallel_for(pixels.get_range(), [=](sycl::id<2> id) {
        const sycl::float3 c = colour(id[1], id[0], s);
        p[id] = sycl::uchar4(c.convert<sycl::uchar, sycl::rounding_mode::rtz>(), 255);
      });
    });
  }
  int different = 0;  // rays that touch an edge may take the other way
  for (std::size_t i = 0; i < image.size(); i++) {
    const sycl::float3 c = colour(i % width, i / width, spheres);
    for (int k = 0; k < 3; k++) different += std::fabs(c[k] - float(image[i][k])) > 2;
    ASSERT_EQ(image[i].w(), 255);
  }
  EXPECT_LT(different, 30);
}

TEST(spatial, points_in_ranges_by_a_hierarchy_of_boxes) {
  constexpr std::size_t n = 2000, leaves = 1024, queries = 333;  // two points in a leaf
  std::vector<point> points = random_points(n, 73);
  std::ranges::sort(points, {}, [](const point &p) {
    return morton_key(std::uint32_t(p.x * 1024), std::uint32_t(p.y * 1024), std::uint32_t(p.z * 1024));
  });
  const std::vector<point> centres = random_points(queries, 74);
  std::vector<int> found(queries), expected(queries);
  constexpr float reach = 0.12f;
  {
    sycl::queue q;
    sycl::buffer<point> in(points), middle(centres);
    sycl::buffer<box> nodes(2 * leaves - 1);
    sycl::buffer<int> visits(sycl::range<1>(leaves - 1)), result(found.data(), queries);
    q.submit([&](sycl::handler &h) { h.fill(sycl::accessor{visits, h, sycl::write_only, sycl::no_init}, 0); });
    // From leaves to the root: the second work-item at a node goes on.
    q.submit([&](sycl::handler &h) {
      sycl::accessor p{in, h, sycl::read_only};
      sycl::accessor b{nodes, h, sycl::read_write, sycl::no_init};
      sycl::accessor v{visits, h};
      h.parallel_for<class boxes_from_leaves>(leaves, [=](sycl::id<1> leaf) {
        box own;
        for (std::size_t i = 2 * leaf; i < sycl::min(n, 2 * leaf[0] + 2); i++) {
          const sycl::float3 at(p[i].x, p[i].y, p[i].z);
          own = own.include({at, at});
        }
        std::size_t node = leaves - 1 + leaf;
        b[node] = own;
        while (node > 0) {
          node = (node - 1) / 2;
          sycl::atomic_fence(sycl::memory_order::release, sycl::memory_scope::device);
          sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::device> visit(v[node]);
          if (visit.fetch_add(1) == 0) return;
          sycl::atomic_fence(sycl::memory_order::acquire, sycl::memory_scope::device);
          b[node] = b[2 * node + 1].include(b[2 * node + 2]);
        }
      });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor p{in, h, sycl::read_only}, c{middle, h, sycl::read_only};
      sycl::accessor b{nodes, h, sycl::read_only};
      sycl::accessor out{result, h, sycl::write_only};
      h.parallel_for(queries, [=](sycl::id<1> i) {
        const sycl::float3 at(c[i].x, c[i].y, c[i].z);
        std::size_t stack[32], depth = 0;
        stack[depth++] = 0;
        int count = 0;
        while (depth > 0) {
          const std::size_t node = stack[--depth];
          const sycl::float3 nearest = sycl::clamp(at, b[node].low, b[node].high);
          if (sycl::fast_distance(nearest, at) > reach * 1.001f) continue;
          if (node < leaves - 1) {
            stack[depth++] = 2 * node + 1;
            stack[depth++] = 2 * node + 2;
          } else
            for (std::size_t k = 2 * (node - leaves + 1); k < sycl::min(n, 2 * (node - leaves + 1) + 2); k++)
              count += squared_distance(p[k], c[i]) < reach * reach;
        }
        out[i] = count;
      });
    });
  }
  for (std::size_t i = 0; i < queries; i++)
    expected[i] = int(
        std::ranges::count_if(points, [&](const point &p) { return squared_distance(p, centres[i]) < reach * reach; }));
  int difference = 0;  // points at the edge
  for (std::size_t i = 0; i < queries; i++) difference += std::abs(found[i] - expected[i]);
  EXPECT_LE(difference, 2);
  EXPECT_GT(std::accumulate(found.begin(), found.end(), 0), 1000);
}

TEST(spatial, particle_filter_follows_a_path) {
  constexpr std::size_t n = 4001, steps = 30, local = 128;
  random_numbers r(75);
  sycl::queue q;
  sycl::buffer<sycl::float2> now{sycl::range(n)}, next{sycl::range(n)};
  sycl::buffer<float> weights{sycl::range(n)}, sums{sycl::range(n)};
  {
    sycl::host_accessor p(now, sycl::write_only, sycl::no_init);
    for (auto &at : p) at = sycl::float2(r.fraction() * 10, r.fraction() * 10);
  }
  for (std::size_t step = 0; step < steps; step++) {
    const sycl::float2 truth(2 + 0.2f * float(step), 5 + 2 * std::sin(0.2f * float(step)));
    const sycl::float2 seen = truth + sycl::float2(r.fraction() - 0.5f, r.fraction() - 0.5f) * 0.4f;
    q.submit([&](sycl::handler &h) {
      sycl::accessor p(now, h, sycl::read_only);
      sycl::accessor w(weights, h, sycl::write_only, sycl::no_init);
      h.parallel_for(sycl::range(n),
                     [=](sycl::id<1> i) { w[i] = sycl::exp(-4 * sycl::dot(p[i] - seen, p[i] - seen)) + 1e-8f; });
    });
    q.submit([&](sycl::handler &h) {  // inclusive sums, by one group
      sycl::accessor w(weights, h, sycl::read_only);
      sycl::accessor s(sums, h, sycl::write_only, sycl::no_init);
      h.parallel_for(sycl::nd_range<1>(local, local), [=](sycl::nd_item<1> item) {
        sycl::joint_inclusive_scan(item.get_group(), w.begin(), w.end(), s.begin(), sycl::plus<>());
      });
    });
    float total = 0;
    q.copy(sycl::accessor(sums, sycl::range(1), sycl::id(n - 1), sycl::read_only), &total).wait();
    q.submit([&](sycl::handler &h) {
      sycl::accessor p(now, h, sycl::read_only);
      sycl::accessor s(sums, h, sycl::read_only);
      sycl::accessor to(next, h, sycl::write_only, sycl::no_init);
      const float offset = r.fraction();
      h.parallel_for(sycl::nd_range<1>((n + local - 1) / local * local, local), [=](sycl::nd_item<1> item) {
        const std::size_t i = item.get_global_linear_id();
        if (i >= n) return;
        const auto *found = std::lower_bound(&s[0], &s[0] + n - 1, (float(i) + offset) / n * total);
        std::uint32_t hash = std::uint32_t(i * steps + step) * 2654435761u;
        const auto noise = [&] {
          hash ^= hash >> 15;
          hash *= 0x2c1b3c6du;
          return float(hash >> 8) / float(1 << 24) - 0.5f;
        };
        const float dx = noise(), dy = noise();
        to[i] = p[std::size_t(found - &s[0])] + sycl::float2(0.2f + 0.5f * dx, 0.8f * dy);
      });
    });
    std::swap(now, next);
    // The mean of particles is close to the place where the path leads.
    sycl::float2 mean(0);
    {
      sycl::buffer<sycl::float2> sum(&mean, 1);
      q.submit([&](sycl::handler &h) {
        sycl::accessor p(now, h, sycl::read_only);
        h.parallel_for(n, sycl::reduction(sum, h, sycl::float2(0), sycl::plus<>()),
                       [=](sycl::id<1> i, auto &all) { all += p[i]; });
      });
    }
    if (step >= 5) {
      EXPECT_NEAR(mean.x() / n, truth.x() + 0.2f, 0.5f) << step;
      EXPECT_NEAR(mean.y() / n, truth.y(), 0.6f) << step;
    }
  }
}

}  // namespace programs
