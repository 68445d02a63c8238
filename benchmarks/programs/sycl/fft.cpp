// Fourier transforms of rows by Stockham's algorithm of radix 2 in local memory with a table of roots of unity, a
// work-group for each row.
#include "../problems.hpp"
#include "memory.hpp"

using problem = programs::fft_problem;
using programs::complex_number;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q{sycl::property::queue::in_order()};
  const complex_number *values = to_device(q, p.values), *turns = to_device(q, p.turns);
  complex_number *results = sycl::malloc_device<complex_number>(p.values.size(), q);

  const auto run = [&] {
    q.submit([&](sycl::handler &h) {
      const sycl::local_accessor<complex_number> memory(2 * problem::size, h);
      h.parallel_for(sycl::nd_range<1>(p.rows * problem::group_size, problem::group_size), [=](sycl::nd_item<1> item) {
        const int local = item.get_local_id(0);
        const std::size_t row = item.get_group(0) * problem::size;
        complex_number *from = &memory[0], *to = from + problem::size;
        for (int i = local; i < problem::size; i += problem::group_size) from[i] = values[row + i];
        item.barrier(sycl::access::fence_space::local_space);
        for (int half = 1; half < problem::size; half *= 2) {
          for (int i = local; i < problem::size / 2; i += problem::group_size) {
            const int k = i & (half - 1);
            const complex_number a = from[i], b = from[i + problem::size / 2];
            const complex_number turn = turns[k * (problem::size / 2 / half)];
            const complex_number turned{turn.re * b.re - turn.im * b.im, turn.re * b.im + turn.im * b.re};
            const int place = 2 * i - k;
            to[place] = {a.re + turned.re, a.im + turned.im};
            to[place + half] = {a.re - turned.re, a.im - turned.im};
          }
          item.barrier(sycl::access::fence_space::local_space);
          complex_number *const last = from;
          from = to;
          to = last;
        }
        for (int i = local; i < problem::size; i += problem::group_size) results[row + i] = from[i];
      });
    });
  };
  programs::report(
      "fft", run, [&] { q.wait(); },
      [&] { return programs::checksum(&to_host(q, results, p.values.size())[0].re, p.values.size() * 2); });
}
