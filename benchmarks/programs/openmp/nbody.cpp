// Accelerations of bodies by all others, whose coordinates are in arrays of their own.
#include "../problems.hpp"

using problem = programs::nbody_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const int n = p.n;
  std::vector<float> x(n), y(n), z(n), mass(n), accelerations(std::size_t(3) * n);
  for (int i = 0; i < n; i++) {
    x[i] = p.bodies[4 * i];
    y[i] = p.bodies[4 * i + 1];
    z[i] = p.bodies[4 * i + 2];
    mass[i] = p.bodies[4 * i + 3];
  }

  const auto run = [&] {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
      float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
      for (int j = 0; j < n; j++) {
        const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        const float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + problem::softening);
        const float strength = mass[j] * inverse * inverse * inverse;
        ax += strength * dx;
        ay += strength * dy;
        az += strength * dz;
      }
      accelerations[3 * i] = ax;
      accelerations[3 * i + 1] = ay;
      accelerations[3 * i + 2] = az;
    }
  };
  programs::report("nbody", run, [] {}, [&] { return programs::checksum(accelerations); });
}
