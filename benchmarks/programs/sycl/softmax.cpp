// The softmax of each row, a work-group for each.
#include "../problems.hpp"
#include "memory.hpp"

using problem = programs::softmax_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q{sycl::property::queue::in_order()};
  const float *values = to_device(q, p.values);
  float *results = sycl::malloc_device<float>(p.values.size(), q);
  const int columns = p.columns;

  const auto run = [&] {
    q.parallel_for(sycl::nd_range<1>(p.rows * problem::group_size, problem::group_size), [=](sycl::nd_item<1> item) {
      const auto group = item.get_group();
      const float *row = values + item.get_group(0) * columns;
      float *result = results + item.get_group(0) * columns;
      float largest = -INFINITY;
      for (int i = item.get_local_id(0); i < columns; i += problem::group_size) largest = sycl::fmax(largest, row[i]);
      largest = sycl::reduce_over_group(group, largest, sycl::maximum<float>());
      float sum = 0;
      for (int i = item.get_local_id(0); i < columns; i += problem::group_size) sum += sycl::exp(row[i] - largest);
      sum = sycl::reduce_over_group(group, sum, sycl::plus<float>());
      for (int i = item.get_local_id(0); i < columns; i += problem::group_size)
        result[i] = sycl::exp(row[i] - largest) / sum;
    });
  };
  programs::report(
      "softmax", run, [&] { q.wait(); }, [&] { return programs::checksum(to_host(q, results, p.values.size())); });
}
