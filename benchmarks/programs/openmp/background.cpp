// Background subtraction: a running mean and variance of each pixel, updated in place.
#include "../problems.hpp"

using problem = programs::background_problem;

int main(int argc, char **argv) {
  problem p(programs::is_small(argc, argv));
  std::vector<unsigned char> result(p.pixels);

  const auto run = [&] {
    float *mean = p.mean.data(), *variance = p.variance.data(), *weight = p.weight.data();
    unsigned char *mask = result.data();
    for (int k = 0; k < problem::frame_count; k++) {
      const unsigned char *frame = p.frames.data() + std::size_t(k) * p.pixels;
#pragma omp parallel for simd
      for (int i = 0; i < p.pixels; i++) {
        const float difference = frame[i] - mean[i], square = difference * difference;
        if (square < problem::distance * variance[i]) {
          mean[i] += problem::rate * difference;
          variance[i] = std::max(variance[i] + problem::rate * (square - variance[i]), problem::smallest_variance);
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
    }
  };
  programs::report("background", run, [] {}, [&] { return programs::checksum(result) + programs::checksum(p.mean); });
}
