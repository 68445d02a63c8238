// Background subtraction: a running mean and variance of each pixel, updated in place.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::background_problem;

__global__ void subtract(const unsigned char *frame, float *mean, float *variance, float *weight, unsigned char *mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float difference = frame[i] - mean[i], square = difference * difference;
  if (square < problem::distance * variance[i]) {
    mean[i] += problem::rate * difference;
    variance[i] = fmaxf(variance[i] + problem::rate * (square - variance[i]), problem::smallest_variance);
    weight[i] += problem::rate * (1 - weight[i]);
    mask[i] = weight[i] > 0.3f ? 0 : 255;
  } else {
    weight[i] *= 1 - problem::rate;
    if (weight[i] < 0.05f) {
      mean[i] = frame[i];
      variance[i] = problem::first_variance;
      weight[i] = 0.05f;
    }
    mask[i] = 255;
  }
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  unsigned char *frames = to_device(p.frames), *mask = allocate<unsigned char>(p.pixels);
  float *mean = to_device(p.mean), *variance = to_device(p.variance), *weight = to_device(p.weight);

  const auto run = [&] {
    for (int k = 0; k < problem::frame_count; k++)
      subtract<<<p.pixels / 256, 256>>>(frames + std::size_t(k) * p.pixels, mean, variance, weight, mask);
  };
  programs::report("background", run, wait, [&] {
    return programs::checksum(to_host(mask, p.pixels)) + programs::checksum(to_host(mean, p.pixels));
  });
}
