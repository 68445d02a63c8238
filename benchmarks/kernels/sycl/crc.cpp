// CRC-32 of many messages, with a work-item for each message.
#include "formulas.hpp"
#include "launch.hpp"

namespace {

void crc(const bench::arguments &a) {
  const std::uint32_t *messages = a.buffer<std::uint32_t>(0), *table = a.buffer<std::uint32_t>(1);
  std::uint32_t *sums = a.buffer<std::uint32_t>(2);
  bench::queue().parallel_for(bench::range1(a), [=](sycl::id<1> m) {
    const std::uint32_t *message = messages + m * (CRC_MESSAGE_BYTES / 4);
    std::uint32_t sum = ~0u;
    for (int w = 0; w < CRC_MESSAGE_BYTES / 4; w += 2) sum = bench::crc_step(table, sum, message[w], message[w + 1]);
    sums[m] = ~sum;
  });
  bench::finish();
}

bench::kernel registered("crc", crc);

}  // namespace
