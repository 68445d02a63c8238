// Fills: by the driver for patterns of up to 4 bytes, by a kernel for 8 and 16 bytes, and by repeated doubling copies
// for other sizes.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "backend/cuda/commands.hpp"

namespace dpep::backend::cuda {
namespace {

// Stores units of 16 bytes, four for each thread, a block size apart. `count` is the number of units.
constexpr char fill_ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry dpep_fill(.param .u64 to, .param .u64 count, .param .u64 low, .param .u64 high)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %to, %count, %low, %high, %at, %index, %step;
  ld.param.u64 %to, [to];
  ld.param.u64 %count, [count];
  ld.param.u64 %low, [low];
  ld.param.u64 %high, [high];
  cvta.to.global.u64 %to, %to;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  shl.b32 %r3, %r1, 2;
  mul.wide.u32 %index, %r0, %r3;
  cvt.u64.u32 %at, %r2;
  add.u64 %index, %index, %at;
  cvt.u64.u32 %step, %r1;
  mad.lo.u64 %at, %index, 16, %to;
  setp.lt.u64 %p, %index, %count;
  @%p st.global.v2.u64 [%at], {%low, %high};
  add.u64 %index, %index, %step;
  mad.lo.u64 %at, %index, 16, %to;
  setp.lt.u64 %p, %index, %count;
  @%p st.global.v2.u64 [%at], {%low, %high};
  add.u64 %index, %index, %step;
  mad.lo.u64 %at, %index, 16, %to;
  setp.lt.u64 %p, %index, %count;
  @%p st.global.v2.u64 [%at], {%low, %high};
  add.u64 %index, %index, %step;
  mad.lo.u64 %at, %index, 16, %to;
  setp.lt.u64 %p, %index, %count;
  @%p st.global.v2.u64 [%at], {%low, %high};
  ret;
}
)";

constexpr std::size_t wide = 16, fill_block = 256, fill_each = 4;
constexpr std::size_t min_bytes_for_kernel = std::size_t{1} << 20;  // below this, a few copies take no longer

/// Fills with the kernel; returns false if the size, the alignment or the pattern does not allow that.
bool enqueue_wide_fill(device_context &on, address to, const std::byte *pattern, std::size_t pattern_bytes,
                       std::size_t total, stream_handle stream) {
  if ((pattern_bytes != 8 && pattern_bytes != wide) || total < min_bytes_for_kernel || to % pattern_bytes) return false;
  std::array<std::uint64_t, 2> words;
  std::memcpy(words.data(), pattern, 8);
  std::memcpy(&words[1], pattern + pattern_bytes - 8, 8);
  // 8-byte patterns before and after the aligned units of 16 bytes
  const auto put_one = [&](address at) {
    on.check(on.api.copy(at, reinterpret_cast<address>(pattern), 8, stream), "fill");
  };
  if (to % wide) {
    put_one(to);
    to += 8;
    total -= 8;
  }
  std::uint64_t count = total / wide;
  if (total % wide) put_one(to + count * wide);
  constexpr std::size_t tile = fill_block * fill_each;
  void *parameters[] = {&to, &count, &words[0], &words[1]};
  const launch_configuration how{
      {static_cast<unsigned>((count + tile - 1) / tile), 1, 1}, {fill_block, 1, 1}, 0, stream, nullptr, 0};
  on.check(on.api.launch(&how, on.wide_fill_kernel(fill_ptx), parameters, nullptr), "fill");
  return true;
}

}  // namespace

void enqueue_fill(device_context &on, const fill_command &f, stream_handle stream) {
  if (!f.count) return;
  const driver_api &api = on.api;
  const auto *const pattern = static_cast<const std::byte *>(f.pattern);
  const auto to = reinterpret_cast<address>(f.to);
  const std::size_t total = f.pattern_bytes * f.count;
  // the shortest period of the pattern
  std::size_t period = f.pattern_bytes;
  for (const std::size_t shorter : {1, 2, 4})
    if (shorter < period && period % shorter == 0 &&
        std::equal(pattern + shorter, pattern + f.pattern_bytes, pattern)) {
      period = shorter;
      break;
    }
  if (period == 1) return on.check(api.fill8(to, std::to_integer<unsigned char>(*pattern), total, stream), "fill");
  if (period == 2 && to % 2 == 0) {
    unsigned short value;
    std::memcpy(&value, pattern, sizeof value);
    return on.check(api.fill16(to, value, total / 2, stream), "fill");
  }
  if (period == 4 && to % 4 == 0) {
    unsigned value;
    std::memcpy(&value, pattern, sizeof value);
    return on.check(api.fill32(to, value, total / 4, stream), "fill");
  }
  if (enqueue_wide_fill(on, to, pattern, f.pattern_bytes, total, stream)) return;
  // The driver reads pageable host memory before it returns. Then each copy doubles the filled part. (Repeating a block
  // that stays in the cache is no faster.)
  constexpr std::size_t block = 4096;
  std::vector<std::byte> start(f.pattern_bytes * std::min(std::max<std::size_t>(block / f.pattern_bytes, 1), f.count));
  for (std::size_t at = 0; at < start.size(); at += f.pattern_bytes)
    std::memcpy(start.data() + at, pattern, f.pattern_bytes);
  on.check(api.copy(to, reinterpret_cast<address>(start.data()), start.size(), stream), "fill");
  for (std::size_t done = start.size(); done < total;) {
    const std::size_t step = std::min(done, total - done);
    on.check(api.copy(to + done, to, step, stream), "fill");
    done += step;
  }
}

}  // namespace dpep::backend::cuda
