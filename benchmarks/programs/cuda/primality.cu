// Miller-Rabin tests of odd numbers of 32 bits.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::primality_problem;
using std::uint32_t;
using std::uint64_t;

__device__ uint32_t power(uint64_t base, uint32_t exponent, uint32_t modulus) {
  uint64_t result = 1;
  while (exponent) {
    if (exponent & 1) result = result * base % modulus;
    base = base * base % modulus;
    exponent >>= 1;
  }
  return result;
}

__device__ bool passes(uint32_t n, uint32_t base) {
  uint32_t odd = n - 1;
  int halvings = 0;
  while (odd % 2 == 0) {
    odd /= 2;
    halvings++;
  }
  uint64_t x = power(base, odd, n);
  if (x == 1 || x == n - 1) return true;
  for (int i = 1; i < halvings; i++) {
    x = x * x % n;
    if (x == n - 1) return true;
  }
  return false;
}

__global__ void test_numbers(const uint32_t *numbers, unsigned char *prime) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t number = numbers[i];
  prime[i] = passes(number, 2) && passes(number, 7) && passes(number, 61);
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const uint32_t *numbers = to_device(p.numbers);
  unsigned char *prime = allocate<unsigned char>(p.n);

  const auto run = [&] { test_numbers<<<p.n / problem::group_size, problem::group_size>>>(numbers, prime); };
  programs::report("primality", run, wait, [&] { return programs::checksum(to_host(prime, p.n)); });
}
