// Fourier transforms of rows by Stockham's algorithm of radix 2, with a table of cosines and sines.
#include "../problems.hpp"

using problem = programs::fft_problem;
using programs::complex_number;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  constexpr int size = problem::size;
  std::vector<complex_number> results(p.values.size());

  const auto run = [&] {
#pragma omp parallel for
    for (int row = 0; row < p.rows; row++) {
      complex_number memory[2 * size], *from = memory, *to = memory + size;
      std::copy_n(&p.values[std::size_t(row) * size], size, from);
      for (int half = 1; half < size; half *= 2) {
        const int blocks = size / 2 / half;
        for (int block = 0; block < blocks; block++)
#pragma omp simd
          for (int k = 0; k < half; k++) {
            const complex_number a = from[block * half + k], b = from[block * half + k + size / 2];
            const complex_number turn = p.turns[k * blocks];
            const complex_number turned{turn.re * b.re - turn.im * b.im, turn.re * b.im + turn.im * b.re};
            to[2 * block * half + k] = {a.re + turned.re, a.im + turned.im};
            to[2 * block * half + k + half] = {a.re - turned.re, a.im - turned.im};
          }
        std::swap(from, to);
      }
      std::copy_n(from, size, &results[std::size_t(row) * size]);
    }
  };
  programs::report("fft", run, [] {}, [&] { return programs::checksum(&results[0].re, results.size() * 2); });
}
