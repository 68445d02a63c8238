// Four random words for each counter.
#include "formulas.hpp"
#include "launch.hpp"

namespace {

void philox(const bench::arguments &a) {
  bench::four_words *words = a.buffer<bench::four_words>(0);
  const std::uint32_t key0 = static_cast<std::uint32_t>(a.sizes[1]), key1 = static_cast<std::uint32_t>(a.sizes[2]);
  bench::queue().parallel_for(
      bench::range1(a), [=](sycl::id<1> i) { words[i] = bench::philox(static_cast<std::uint32_t>(i[0]), key0, key1); });
  bench::finish();
}

bench::kernel registered("philox", philox);

}  // namespace
