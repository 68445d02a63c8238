// Cross products of arrays of structures of three floats and of three doubles.
#include "../problems.hpp"

using problem = programs::cross_problem;
using programs::vector3;

template <class T> void cross(const vector3<T> *a, const vector3<T> *b, vector3<T> *c, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; i++) {
    const vector3<T> u = a[i], v = b[i];
    c[i] = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  }
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  std::vector<vector3<float>> singles(p.n);
  std::vector<vector3<double>> doubles(p.n);

  const auto run = [&] {
    cross(p.a.data(), p.b.data(), singles.data(), p.n);
    cross(p.c.data(), p.d.data(), doubles.data(), p.n);
  };
  programs::report(
      "cross", run, [] {},
      [&] {
        return programs::checksum(&singles[0].x, std::size_t(3) * p.n) +
               programs::checksum(&doubles[0].x, std::size_t(3) * p.n);
      });
}
