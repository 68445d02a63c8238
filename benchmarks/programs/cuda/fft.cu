// Fourier transforms of rows by Stockham's algorithm of radix 2 in shared memory with a table of roots of unity, a
// block for each row.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::fft_problem;

using programs::complex_number;

__global__ void transform(const complex_number *values, const complex_number *turns, complex_number *results) {
  __shared__ complex_number memory[2 * problem::size];
  const int local = threadIdx.x;
  const std::size_t row = std::size_t(blockIdx.x) * problem::size;
  complex_number *from = memory, *to = from + problem::size;
  for (int i = local; i < problem::size; i += problem::group_size) from[i] = values[row + i];
  __syncthreads();
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
    __syncthreads();
    complex_number *const last = from;
    from = to;
    to = last;
  }
  for (int i = local; i < problem::size; i += problem::group_size) results[row + i] = from[i];
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const complex_number *values = to_device(p.values), *turns = to_device(p.turns);
  complex_number *results = allocate<complex_number>(p.values.size());

  const auto run = [&] { transform<<<p.rows, problem::group_size>>>(values, turns, results); };
  programs::report("fft", run, wait,
                   [&] { return programs::checksum(&to_host(results, p.values.size())[0].re, p.values.size() * 2); });
}
