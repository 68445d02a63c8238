// Cross products of arrays of structures of three floats and of three doubles.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::cross_problem;

using programs::vector3;

template <class T> __global__ void cross(const vector3<T> *a, const vector3<T> *b, vector3<T> *c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const vector3<T> u = a[i], v = b[i];
  c[i] = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const vector3<float> *a = to_device(p.a), *b = to_device(p.b);
  const vector3<double> *c = to_device(p.c), *d = to_device(p.d);
  auto *singles = allocate<vector3<float>>(p.n);
  auto *doubles = allocate<vector3<double>>(p.n);

  const auto run = [&] {
    cross<<<p.n / problem::group_size, problem::group_size>>>(a, b, singles);
    cross<<<p.n / problem::group_size, problem::group_size>>>(c, d, doubles);
  };
  programs::report("cross", run, wait, [&] {
    return programs::checksum(&to_host(singles, p.n)[0].x, std::size_t(3) * p.n) +
           programs::checksum(&to_host(doubles, p.n)[0].x, std::size_t(3) * p.n);
  });
}
