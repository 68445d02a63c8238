// CRC-32 of many messages.
#include "formulas.hpp"
#include "library.hpp"

namespace {

void crc(const bench::arguments &a) {
  constexpr int words = CRC_MESSAGE_BYTES / 4;
  const std::uint32_t *messages = a.buffer<std::uint32_t>(0), *table = a.buffer<std::uint32_t>(1);
  std::uint32_t *sums = a.buffer<std::uint32_t>(2);
#pragma omp parallel for
  for (std::int64_t m = 0; m < a.sizes[0]; m += 4) {  // four messages at once hide the latency of table look-ups
    std::uint32_t sum[4] = {~0u, ~0u, ~0u, ~0u};
    for (int w = 0; w < words; w += 2)
      for (int l = 0; l < 4; l++) {
        const std::uint32_t *message = messages + (m + l) * words + w;
        sum[l] = bench::crc_step(table, sum[l], message[0], message[1]);
      }
    for (int l = 0; l < 4; l++) sums[m + l] = ~sum[l];
  }
}

bench::kernel registered("crc", crc);

}  // namespace
