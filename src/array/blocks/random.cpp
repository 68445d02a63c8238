// Random numbers.
#include "array/blocks/types.hpp"
#include "device/random/distributions.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

/// Elements from an index on: `of` returns those of indices 2 n and 2 n + 1.
template <device::pair<double> (*of)(std::uint64_t block, std::uint64_t key)>
void random_numbers(void *to, const numbers &start, const numbers &step, std::uint64_t first,
                    std::size_t count) noexcept {
  double *target = static_cast<double *>(to);
  std::uint64_t block = start.integer + first / 2;
  const std::uint64_t key = step.integer;
  if (first % 2 && count) {
    *target++ = of(block++, key).low;
    --count;
  }
  const std::size_t pairs = count / 2;
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < pairs; ++i) {
    const auto [even, odd] = of(block + i, key);
    target[2 * i] = even;
    target[2 * i + 1] = odd;
  }
  if (count % 2) target[count - 1] = of(block + pairs, key).high;
}

}  // namespace

const random_kernels random{random_numbers<device::random::uniform>, random_numbers<device::random::normal>};

}  // namespace dpep::array::blocks::DPEP_ISA
