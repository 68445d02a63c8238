// The steps of scans: loops over block kernels.
//
// The array is seen as (outer, length, inner) and scanned along `length`. With inner = 1, each row is scanned by one
// kernel call; long rows are cut into chunks, each of which is reduced and then scanned from the cache. With many
// columns (inner), each row is combined with the row before it. With few columns, blocks are transposed, scanned and
// transposed back. Where combining two values is expensive (logsumexp), chunks are short and many are scanned side by
// side, in the lanes of vectors.
#include "array/cpu/scan_steps.hpp"

#include <dpep/array_opcodes.hpp>

#include "array/operations/identity.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

#include <immintrin.h>

#include "array/base/scalars.hpp"
#include "array/blocks/blocks.hpp"

namespace dpep::array {
namespace {

constexpr std::int64_t transposed_rows = 256;     // rows of a transposed block
constexpr std::int64_t nontemporal_tile = 16384;  // bytes

reduction reduction_of(accumulation how) noexcept {
  constexpr reduction table[] = {reduction::sum, reduction::prod, reduction::logsumexp, reduction::max, reduction::min};
  return table[int(how)];
}

opcode opcode_of(accumulation how) noexcept {
  constexpr opcode table[] = {opcode::add, opcode::multiply, opcode::logaddexp, opcode::maximum, opcode::minimum};
  return table[int(how)];
}

/// float16 accumulates in float32.
dtype state_type(dtype t) noexcept { return t == dtype::float16 ? dtype::float32 : t; }

void start(const scan_arguments &t, std::byte *state) noexcept {
  write_element(state, state_type(t.type), identity(t.how, state_type(t.type)));
}

void whole_rows(const scan_arguments &t, std::size_t begin, std::size_t end) {
  const auto scan = blocks::find_scan(t.how, t.type);
  for (std::size_t row = begin; row < end; ++row) {
    alignas(16) std::byte state[max_state_bytes];
    start(t, state);
    const std::int64_t at = static_cast<std::int64_t>(row) * t.length * t.item();
    scan(static_cast<std::size_t>(t.length), t.from + at, t.to + at, state);
  }
}

struct chunk_range {
  std::int64_t first, count;  // elements
};
chunk_range chunk_at(const scan_arguments &t, std::size_t unit) noexcept {
  const auto row = static_cast<std::int64_t>(unit) / t.units_per_outer;
  const std::int64_t start = static_cast<std::int64_t>(unit) % t.units_per_outer * t.chunk;
  return {row * t.length + start, std::min(t.chunk, t.length - start)};
}

void chunk_totals(const scan_arguments &t, std::size_t begin, std::size_t end) {
  const blocks::reducer &r = *blocks::find_reducer(reduction_of(t.how), t.type);
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto [first, count] = chunk_at(t, unit);
    std::byte *const state = t.states + unit * max_state_bytes;
    r.start(1, state);
    r.block(static_cast<std::size_t>(count), t.from + first * t.item(), blocks::origin::memory, 0, state);
  }
}

/// Replaces the totals of the chunks of a row by the accumulation of all chunks before each.
void chunk_carries(const scan_arguments &t, std::size_t begin, std::size_t end) {
  const blocks::reducer &r = *blocks::find_reducer(reduction_of(t.how), t.type);
  for (std::size_t row = begin; row < end; ++row) {
    alignas(16) std::byte running[max_state_bytes], total[max_state_bytes];
    r.start(1, running);
    for (std::int64_t i = 0; i < t.units_per_outer; ++i) {
      std::byte *const state =
          t.states +
          (row * static_cast<std::size_t>(t.units_per_outer) + static_cast<std::size_t>(i)) * max_state_bytes;
      std::memcpy(total, state, max_state_bytes);
      std::memcpy(state, running, max_state_bytes);
      r.merge(1, total, running);
    }
  }
}

/// Scans a chunk. With non-temporal stores, the results pass through a tile in the first-level cache.
void scan_chunk(const scan_arguments &t, std::int64_t first, std::int64_t count, std::byte *state) {
  const auto scan = blocks::find_scan(t.how, t.type);
  const std::byte *from = t.from + first * t.item();
  std::byte *to = t.to + first * t.item();
  if (!t.nontemporal) return scan(static_cast<std::size_t>(count), from, to, state);
  alignas(64) std::byte tile[nontemporal_tile];
  const std::int64_t most = nontemporal_tile / t.item();
  for (std::int64_t n; count > 0; count -= n, from += n * t.item(), to += n * t.item()) {
    n = std::min(count, most);
    scan(static_cast<std::size_t>(n), from, tile, state);
    blocks::copy_nontemporal(to, tile, static_cast<std::size_t>(n * t.item()));
  }
}

/// Reads each chunk from memory once: its total is published for the next chunk, then it is scanned from the cache.
/// Chunks are taken in order, so that a thread that waits for a total waits for a thread that is already computing it.
void chunks_in_order(const scan_arguments &t, std::size_t begin, std::size_t end) {
  const blocks::reducer &r = *blocks::find_reducer(reduction_of(t.how), t.type);
  for (std::size_t k = begin; k < end; ++k) {
    const auto unit = static_cast<std::size_t>(t.chunks->taken.fetch_add(1, std::memory_order_relaxed));
    const std::int64_t in_row = static_cast<std::int64_t>(unit) % t.units_per_outer;
    const auto [first, count] = chunk_at(t, unit);
    std::byte *const state = t.states + unit * max_state_bytes;
    alignas(16) std::byte total[max_state_bytes];
    const bool is_last = in_row + 1 == t.units_per_outer;
    if (!is_last) {
      r.start(1, total);
      r.block(static_cast<std::size_t>(count), t.from + first * t.item(), blocks::origin::memory, 0, total);
    }
    if (in_row == 0) {
      r.start(1, state);
    } else {
      for (int turn = 0; !t.chunks->is_known[unit].load(std::memory_order_acquire); ++turn)
        turn < 1000 ? _mm_pause() : std::this_thread::yield();
    }
    if (!is_last) {
      std::byte *const next = state + max_state_bytes;
      std::memcpy(next, state, max_state_bytes);
      r.merge(1, total, next);
      t.chunks->is_known[unit + 1].store(1, std::memory_order_release);
    }
    scan_chunk(t, first, count, state);
  }
}

void interleaved_chunks(const scan_arguments &t, std::size_t begin, std::size_t end) {
  const auto combine = blocks::find(opcode_of(t.how), {2, {t.type, t.type}, t.type});
  const auto move = blocks::find_copy(size_of(t.type));
  const std::int64_t item = t.item(), row = scan_lanes * item;
  // The first row holds the accumulation before each chunk. Lanes that end early or have no chunk contain zeros.
  alignas(64) std::byte tile[(lane_chunk + 1) * scan_lanes * 16];
  for (std::size_t group = begin; group < end; ++group) {
    const std::size_t first_unit = group * static_cast<std::size_t>(scan_lanes);
    const auto used = std::min(scan_lanes, t.units - static_cast<std::int64_t>(first_unit));
    std::memset(tile, 0, static_cast<std::size_t>((lane_chunk + 1) * row));
    std::int64_t longest = 0;
    for (std::int64_t lane = 0; lane < used; ++lane) {
      const std::size_t unit = first_unit + static_cast<std::size_t>(lane);
      const auto [first, count] = chunk_at(t, unit);
      longest = std::max(longest, count);
      std::memcpy(tile + lane * item, t.states + unit * max_state_bytes, size_of(t.type));
      move(static_cast<std::size_t>(count), 1, {tile + row + lane * item, row, 0},
           {const_cast<std::byte *>(t.from) + first * item, item, 0});
    }
    for (std::int64_t i = 0; i < longest; ++i) {
      const void *const inputs[] = {tile + i * row, tile + (i + 1) * row};
      combine(static_cast<std::size_t>(scan_lanes), inputs, tile + (i + 1) * row);
    }
    for (std::int64_t lane = 0; lane < used; ++lane) {
      const auto [first, count] = chunk_at(t, first_unit + static_cast<std::size_t>(lane));
      move(static_cast<std::size_t>(count), 1, {t.to + first * item, item, 0}, {tile + row + lane * item, row, 0});
    }
  }
}

void add_rows(const scan_arguments &t, std::size_t begin, std::size_t end) {
  const auto combine = blocks::find(opcode_of(t.how), {2, {t.type, t.type}, t.type});
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto outer = static_cast<std::int64_t>(unit) / t.units_per_outer;
    const std::int64_t column = static_cast<std::int64_t>(unit) % t.units_per_outer * scan_row_block;
    const auto count = static_cast<std::size_t>(std::min(scan_row_block, t.inner - column));
    std::int64_t at = (outer * t.length * t.inner + column) * t.item();
    if (t.from != t.to) std::memcpy(t.to + at, t.from + at, count * size_of(t.type));
    for (std::int64_t row = 1; row < t.length; ++row) {
      const void *const inputs[] = {t.to + at, t.from + at + t.inner * t.item()};
      at += t.inner * t.item();
      combine(count, inputs, t.to + at);
    }
  }
}

void transposed_columns(const scan_arguments &t, std::size_t begin, std::size_t end) {
  const auto scan = blocks::find_scan(t.how, t.type);
  const auto transpose = blocks::find_copy(size_of(t.type));
  const std::int64_t item = t.item();
  alignas(64) std::byte tile[min_untransposed_columns * transposed_rows * 16];
  alignas(16) std::byte states[min_untransposed_columns][max_state_bytes];
  for (std::size_t outer = begin; outer < end; ++outer) {
    for (std::int64_t column = 0; column < t.inner; ++column) start(t, states[column]);
    for (std::int64_t row = 0; row < t.length; row += transposed_rows) {
      const std::int64_t rows = std::min(transposed_rows, t.length - row);
      const std::int64_t at = (static_cast<std::int64_t>(outer) * t.length + row) * t.inner * item;
      const blocks::strided in_tile{tile, item, rows * item};
      const auto in_memory = [&](const std::byte *p) {
        return blocks::strided{const_cast<std::byte *>(p) + at, t.inner * item, item};
      };
      const auto n = static_cast<std::size_t>(rows), columns = static_cast<std::size_t>(t.inner);
      transpose(n, columns, in_tile, in_memory(t.from));
      for (std::int64_t column = 0; column < t.inner; ++column) {
        std::byte *const part = tile + column * rows * item;
        scan(n, part, part, states[column]);
      }
      transpose(n, columns, in_memory(t.to), in_tile);
    }
  }
}

template <void work(const scan_arguments &, std::size_t, std::size_t)>
void kernel(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *, std::size_t) {
  scan_arguments t;
  std::memcpy(&t, arguments, sizeof t);
  work(t, begin, end);
}

}  // namespace

const work_step scan_steps[] = {
    {"scan_rows", kernel<whole_rows>},
    {"scan_chunk_totals", kernel<chunk_totals>},
    {"scan_carries", kernel<chunk_carries>},
    {"scan_chunks", kernel<chunks_in_order>},
    {"scan_interleaved_chunks", kernel<interleaved_chunks>},
    {"scan_add_rows", kernel<add_rows>},
    {"scan_transposed_columns", kernel<transposed_columns>},
};

}  // namespace dpep::array
