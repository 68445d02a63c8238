// Kernel density estimation: private sums of a work-item's samples, then a group reduction for each point.
#include "launch.hpp"

namespace {

void kde(const bench::arguments &a) {
  const float *samples = a.buffer<float>(0), *points = a.buffer<float>(1);
  float *sums = a.buffer<float>(2);
  bench::queue().parallel_for(bench::groups1(a), [=](sycl::nd_item<1> item) {
    float total[KDE_POINTS] = {};
    for (int s = 0; s < KDE_SAMPLES_PER_ITEM; s++) {
      const std::size_t sample = (item.get_group(0) * KDE_SAMPLES_PER_ITEM + s) * KDE_GROUP + item.get_local_id(0);
      float x[KDE_DIMENSIONS];
      for (int k = 0; k < KDE_DIMENSIONS; k++) x[k] = samples[sample * KDE_DIMENSIONS + k];
      for (int j = 0; j < KDE_POINTS; j++) {
        float distance = 0;
        for (int k = 0; k < KDE_DIMENSIONS; k++) {
          const float difference = x[k] - points[j * KDE_DIMENSIONS + k];
          distance += difference * difference;
        }
        total[j] += sycl::exp(KDE_EXPONENT * distance);
      }
    }
    for (int j = 0; j < KDE_POINTS; j++) {
      const float sum = sycl::reduce_over_group(item.get_group(), total[j], sycl::plus<float>());
      if (item.get_group().leader()) sums[item.get_group(0) * KDE_POINTS + j] = sum;
    }
  });
  bench::finish();
}

bench::kernel registered("kde", kde);

}  // namespace
