// Cross products of arrays of structures of three floats and of three doubles.
#include "../problems.hpp"
#include "memory.hpp"

using problem = programs::cross_problem;
using programs::vector3;

template <class T> void cross(sycl::queue &q, const vector3<T> *a, const vector3<T> *b, vector3<T> *c, int n) {
  q.parallel_for(sycl::nd_range<1>(n, problem::group_size), [=](sycl::nd_item<1> item) {
    const int i = item.get_global_id(0);
    const vector3<T> u = a[i], v = b[i];
    c[i] = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  });
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q{sycl::property::queue::in_order()};
  const vector3<float> *a = to_device(q, p.a), *b = to_device(q, p.b);
  const vector3<double> *c = to_device(q, p.c), *d = to_device(q, p.d);
  auto *singles = sycl::malloc_device<vector3<float>>(p.n, q);
  auto *doubles = sycl::malloc_device<vector3<double>>(p.n, q);

  const auto run = [&] {
    cross(q, a, b, singles, p.n);
    cross(q, c, d, doubles, p.n);
  };
  programs::report(
      "cross", run, [&] { q.wait(); },
      [&] {
        return programs::checksum(&to_host(q, singles, p.n)[0].x, std::size_t(3) * p.n) +
               programs::checksum(&to_host(q, doubles, p.n)[0].x, std::size_t(3) * p.n);
      });
}
