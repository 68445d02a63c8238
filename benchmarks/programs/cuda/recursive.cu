// A recursive filter of second order, forwards and backwards, along rows and along columns: a thread for each.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::recursive_problem;

/// Filters `count` numbers that are `stride` apart.
__device__ void filter(const float *in, float *out, int count, int stride) {
  float last = 0, one_before = 0;
  for (int i = 0; i < count; i++) {
    const float value = problem::a0 * in[i * stride] + problem::b1 * last + problem::b2 * one_before;
    out[i * stride] = value;
    one_before = last;
    last = value;
  }
  last = one_before = 0;
  for (int i = count - 1; i >= 0; i--) {
    const float value = problem::a0 * out[i * stride] + problem::b1 * last + problem::b2 * one_before;
    out[i * stride] = value;
    one_before = last;
    last = value;
  }
}

__global__ void filter_rows(const float *in, float *out, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  filter(in + row * width, out + row * width, width, 1);
}

__global__ void filter_columns(const float *in, float *out, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  filter(in + column, out + column, height, width);
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const float *image = to_device(p.image);
  float *by_rows = allocate<float>(p.image.size()), *filtered = allocate<float>(p.image.size());

  const auto run = [&] {
    filter_rows<<<p.height / problem::group_size, problem::group_size>>>(image, by_rows, p.width);
    filter_columns<<<p.width / problem::group_size, problem::group_size>>>(by_rows, filtered, p.width, p.height);
  };
  programs::report("recursive", run, wait, [&] { return programs::checksum(to_host(filtered, p.image.size())); });
}
