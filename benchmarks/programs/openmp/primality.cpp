// Miller-Rabin tests of odd numbers of 32 bits.
#include "../problems.hpp"

using problem = programs::primality_problem;
using std::uint32_t;
using std::uint64_t;

static uint32_t power(uint64_t base, uint32_t exponent, uint32_t modulus) {
  uint64_t result = 1;
  while (exponent) {
    if (exponent & 1) result = result * base % modulus;
    base = base * base % modulus;
    exponent >>= 1;
  }
  return result;
}

static bool passes(uint32_t n, uint32_t base) {
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

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  std::vector<unsigned char> prime(p.n);

  const auto run = [&] {
#pragma omp parallel for schedule(dynamic, 1024)
    for (int i = 0; i < p.n; i++) {
      const uint32_t number = p.numbers[i];
      prime[i] = passes(number, 2) && passes(number, 7) && passes(number, 61);
    }
  };
  programs::report("primality", run, [] {}, [&] { return programs::checksum(prime); });
}
