// Background subtraction: a running mean and variance of each pixel, updated in place.
#include "../problems.hpp"
#include "memory.hpp"

using problem = programs::background_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q{sycl::property::queue::in_order()};
  unsigned char *frames = to_device(q, p.frames), *mask = sycl::malloc_device<unsigned char>(p.pixels, q);
  float *mean = to_device(q, p.mean), *variance = to_device(q, p.variance), *weight = to_device(q, p.weight);
  const int pixels = p.pixels;

  const auto run = [&] {
    for (int k = 0; k < problem::frame_count; k++) {
      const unsigned char *frame = frames + std::size_t(k) * pixels;
      q.submit([&](sycl::handler &h) {
        h.parallel_for(sycl::nd_range<1>(pixels, 256), [=](sycl::nd_item<1> item) {
          const int i = item.get_global_id(0);
          const float difference = frame[i] - mean[i], square = difference * difference;
          if (square < problem::distance * variance[i]) {
            mean[i] += problem::rate * difference;
            variance[i] = sycl::fmax(variance[i] + problem::rate * (square - variance[i]), problem::smallest_variance);
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
        });
      });
    }
  };
  programs::report(
      "background", run, [&] { q.wait(); },
      [&] { return programs::checksum(to_host(q, mask, pixels)) + programs::checksum(to_host(q, mean, pixels)); });
}
