// Four random words for each counter.
#include "formulas.hpp"
#include "library.hpp"

namespace {

void philox(const bench::arguments &a) {
  bench::four_words *words = a.buffer<bench::four_words>(0);
#pragma omp parallel for simd
  for (std::int64_t i = 0; i < a.sizes[0]; i++)
    words[i] = bench::philox(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(a.sizes[1]),
                             static_cast<std::uint32_t>(a.sizes[2]));
}

bench::kernel registered("philox", philox);

}  // namespace
