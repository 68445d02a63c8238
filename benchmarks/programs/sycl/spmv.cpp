// A sparse matrix by a vector, a row for each work-item; with buffers.
#include "../problems.hpp"

#include <sycl/sycl.hpp>

using problem = programs::spmv_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q;
  sycl::buffer<int> first(p.first.data(), p.first.size()), columns(p.columns.data(), p.columns.size());
  sycl::buffer<float> values(p.values.data(), p.values.size()), x(p.x.data(), p.x.size()), y{sycl::range<1>(p.rows)};

  const auto run = [&] {
    q.submit([&](sycl::handler &h) {
      const sycl::accessor starts(first, h, sycl::read_only), places(columns, h, sycl::read_only);
      const sycl::accessor factors(values, h, sycl::read_only), vector(x, h, sycl::read_only);
      const sycl::accessor result(y, h, sycl::write_only, sycl::no_init);
      h.parallel_for(sycl::nd_range<1>(p.rows, problem::group_size), [=](sycl::nd_item<1> item) {
        const int row = item.get_global_id(0);
        float sum = 0;
        for (int k = starts[row]; k < starts[row + 1]; k++) sum += factors[k] * vector[places[k]];
        result[row] = sum;
      });
    });
  };
  programs::report(
      "spmv", run, [&] { q.wait(); },
      [&] { return programs::checksum(sycl::host_accessor(y).get_pointer(), y.size()); });
}
