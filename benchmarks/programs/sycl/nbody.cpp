// Accelerations of bodies by all others, whose positions pass through local memory.
#include "../problems.hpp"
#include "memory.hpp"

using problem = programs::nbody_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q{sycl::property::queue::in_order()};
  const auto *bodies = reinterpret_cast<const sycl::float4 *>(to_device(q, p.bodies));
  float *accelerations = sycl::malloc_device<float>(std::size_t(3) * p.n, q);
  const int n = p.n;

  const auto run = [&] {
    q.submit([&](sycl::handler &h) {
      const sycl::local_accessor<sycl::float4> tile(problem::group_size, h);
      h.parallel_for(sycl::nd_range<1>(n, problem::group_size), [=](sycl::nd_item<1> item) {
        const int i = item.get_global_id(0), local = item.get_local_id(0);
        const sycl::float4 body = bodies[i];
        float ax = 0, ay = 0, az = 0;
        for (int start = 0; start < n; start += problem::group_size) {
          tile[local] = bodies[start + local];
          sycl::group_barrier(item.get_group());
          for (int j = 0; j < problem::group_size; j++) {
            const sycl::float4 other = tile[j];
            const float dx = other.x() - body.x(), dy = other.y() - body.y(), dz = other.z() - body.z();
            const float inverse = sycl::rsqrt(dx * dx + dy * dy + dz * dz + problem::softening);
            const float strength = other.w() * inverse * inverse * inverse;
            ax += strength * dx;
            ay += strength * dy;
            az += strength * dz;
          }
          sycl::group_barrier(item.get_group());
        }
        accelerations[3 * i] = ax;
        accelerations[3 * i + 1] = ay;
        accelerations[3 * i + 2] = az;
      });
    });
  };
  programs::report(
      "nbody", run, [&] { q.wait(); },
      [&] { return programs::checksum(to_host(q, accelerations, std::size_t(3) * p.n)); });
}
