// Selections by masks, and scatters, on CPUs: parallel loops over blocks of the mask, or of the elements.
#include "array/cpu/selection.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "array/cpu/step_submission.hpp"
#include "array/graph/array_work.hpp"
#include "runtime/queue.hpp"

namespace dpep::array {
namespace {

constexpr std::int64_t few_elements = 4096;  // in which the calling thread selects
constexpr std::int64_t word_bytes = 8;
constexpr std::uint64_t ones = 0x0101010101010101, most_significant = 0x8080808080808080,
                        other_bits = ~most_significant;

/// A byte of 1 for each of 8 bytes that is not 0.
std::uint64_t truths_at(const std::byte *mask) noexcept {
  std::uint64_t x;
  std::memcpy(&x, mask, sizeof x);
  return (((x & other_bits) + other_bits) | x) >> 7 & ones;
}

std::int64_t count_true(const std::byte *mask, std::int64_t count) noexcept {
  std::int64_t found = 0, i = 0;
  for (; i + word_bytes <= count; i += word_bytes) found += std::int64_t(truths_at(mask + i) * ones >> 56);
  for (; i < count; ++i) found += mask[i] != std::byte{};
  return found;
}

struct block_range {
  std::int64_t first, count, rank, found;  // in the mask; of its true elements among all
};
block_range block_at(const selection_arguments &s, std::size_t number) noexcept {
  const std::int64_t first = std::int64_t(number) * selection_block, rank = number ? s.sums[number - 1] : 0;
  return {first, std::min(selection_block, s.count - first), rank, s.sums[number] - rank};
}

/// Calls `take` with the position and the rank of each true element of the block.
template <class F> void each_true(const std::byte *mask, const block_range &b, F take) {
  std::int64_t rank = b.rank, i = 0;
  const std::int64_t end = b.rank + b.found;
  for (; i + word_bytes <= b.count && rank < end; i += word_bytes) {
    for (std::uint64_t left = truths_at(mask + b.first + i); left; left &= left - 1)
      take(b.first + i + std::countr_zero(left) / 8, rank++);
  }
  for (; i < b.count && rank < end; ++i)
    if (mask[b.first + i] != std::byte{}) take(b.first + i, rank++);
}

void count_blocks(const selection_arguments &s, std::size_t begin, std::size_t end) {
  for (std::size_t b = begin; b < end; ++b) {
    const std::int64_t first = std::int64_t(b) * selection_block;
    s.sums[b] = count_true(s.mask + first, std::min(selection_block, s.count - first));
  }
}

/// For each set of 8 bits: the numbers of those that are set, in order.
constexpr auto set_bits = [] {
  std::array<std::array<std::uint8_t, word_bytes>, 256> table{};
  for (unsigned bits = 0; bits < table.size(); ++bits)
    for (unsigned k = 0, count = 0; k < word_bytes; ++k)
      if (bits >> k & 1) table[bits][count++] = static_cast<std::uint8_t>(k);
  return table;
}();

/// Calls `take_all` for 8 elements of the mask, unless none is true: with the position of the first, the numbers of the
/// true ones, and their rank. It takes 8 of the numbers, so that there is no branch to predict; the next true elements
/// replace the surplus. Calls `take` for the last ones of the block.
template <class Take, class TakeAll>
void each_true_word(const std::byte *mask, block_range b, Take take, TakeAll take_all) {
  for (; b.count >= word_bytes && b.found >= word_bytes; b.first += word_bytes, b.count -= word_bytes) {
    const std::uint64_t truths = truths_at(mask + b.first);
    if (!truths) continue;
    constexpr std::uint64_t gather_bits = 0x0102040810204080;  // the lowest bit of byte k to bit 56 + k
    take_all(b.first, set_bits[truths * gather_bits >> 56].data(), b.rank);
    const auto count = std::int64_t(truths * ones >> 56);
    b.rank += count;
    b.found -= count;
  }
  each_true(mask, b, take);
}

void write_positions(const selection_arguments &s, std::size_t begin, std::size_t end) {
  auto *const to = reinterpret_cast<std::int64_t *>(s.to);
  for (std::size_t b = begin; b < end; ++b)
    each_true_word(
        s.mask, block_at(s, b), [&](std::int64_t position, std::int64_t rank) { to[rank] = position; },
        [&](std::int64_t first, const std::uint8_t *numbers, std::int64_t rank) {
          for (std::int64_t k = 0; k < word_bytes; ++k) to[rank + k] = first + numbers[k];
        });
}

/// Calls with a function that copies one row, `size` bytes: a constant for elements.
template <class F> void with_row_copy(std::int64_t row, F call) {
  const auto fixed = [&]<std::size_t bytes>(std::integral_constant<std::size_t, bytes>) {
    call(std::integral_constant<std::int64_t, std::int64_t(bytes)>(),
         [](std::byte *to, const std::byte *from) { std::memcpy(to, from, bytes); });
  };
  switch (row) {
  case 1:
    return fixed(std::integral_constant<std::size_t, 1>());
  case 2:
    return fixed(std::integral_constant<std::size_t, 2>());
  case 4:
    return fixed(std::integral_constant<std::size_t, 4>());
  case 8:
    return fixed(std::integral_constant<std::size_t, 8>());
  case 16:
    return fixed(std::integral_constant<std::size_t, 16>());
  default:
    call(row, [row](std::byte *to, const std::byte *from) { std::memcpy(to, from, std::size_t(row)); });
  }
}

void extract(const selection_arguments &s, std::size_t begin, std::size_t end) {
  with_row_copy(s.row, [&](auto size, auto copy) {
    for (std::size_t b = begin; b < end; ++b) {
      const auto take = [&](std::int64_t position, std::int64_t rank) {
        copy(s.to + rank * size, s.from + position * size);
      };
      if (s.row > 16) {
        each_true(s.mask, block_at(s, b), take);
        continue;
      }
      each_true_word(s.mask, block_at(s, b), take,
                     [&](std::int64_t first, const std::uint8_t *numbers, std::int64_t rank) {
                       for (std::int64_t k = 0; k < word_bytes; ++k)
                         copy(s.to + (rank + k) * size, s.from + (first + numbers[k]) * size);
                     });
    }
  });
}

void place(const selection_arguments &s, std::size_t begin, std::size_t end) {
  with_row_copy(s.row, [&](auto size, auto copy) {
    for (std::size_t b = begin; b < end; ++b) {
      const block_range block = block_at(s, b);
      std::int64_t source = block.rank % s.period;
      each_true(s.mask, block, [&](std::int64_t position, std::int64_t) {
        copy(s.to + position * size, s.from + source * size);
        if (++source == s.period) source = 0;
      });
    }
  });
}

/// Only lines of memory with true elements are read and written.
void fill(const selection_arguments &s, std::size_t begin, std::size_t end) {
  with_row_copy(s.row, [&](auto size, auto copy) {
    const std::int64_t first = std::int64_t(begin) * selection_block,
                       last = std::min(std::int64_t(end) * selection_block, s.count);
    std::int64_t i = first;
    for (; i + word_bytes <= last; i += word_bytes) {
      std::uint64_t left = truths_at(s.mask + i);
      if (left == ones)
        for (std::int64_t k = 0; k < word_bytes; ++k) copy(s.to + (i + k) * size, s.from);
      else
        for (; left; left &= left - 1) copy(s.to + (i + std::countr_zero(left) / 8) * size, s.from);
    }
    for (; i < last; ++i)
      if (s.mask[i] != std::byte{}) copy(s.to + i * size, s.from);
  });
}

/// Stores rows in order, so that the last one of a repeated number stays: each part of the targets by itself.
void scatter_in_order(const selection_arguments &s, std::size_t begin, std::size_t end) {
  const auto bound = [&](std::size_t part) {
    return s.first_target + s.targets * static_cast<std::int64_t>(part) / s.parts;
  };
  const std::int64_t first = bound(begin);
  const auto count = static_cast<std::uint64_t>(bound(end) - first);
  constexpr std::int64_t together = 256;
  with_row_copy(s.row, [&](auto size, auto copy) {
    std::array<std::int64_t, together> own;  // the positions of the numbers in this part: no branch to predict
    std::int64_t source = 0;
    for (std::int64_t k = 0; k < s.count; k += together) {
      const std::int64_t length = std::min(together, s.count - k);
      std::size_t found = 0;
      for (std::int64_t j = 0; j < length; ++j) {
        own[found] = j;
        found += static_cast<std::uint64_t>(s.sums[k + j] - first) < count;
      }
      for (std::size_t each = 0; each < found; ++each) {
        std::int64_t from = source + own[each];
        if (from >= s.period) from %= s.period;
        copy(s.to + s.sums[k + own[each]] * size, s.from + from * size);
      }
      source = (source + length) % s.period;
    }
  });
}

void scatter(const selection_arguments &s, std::size_t begin, std::size_t end) {
  if (s.parts) return scatter_in_order(s, begin, end);
  with_row_copy(s.row, [&](auto size, auto copy) {
    for (std::size_t b = begin; b < end; ++b) {
      const std::int64_t first = std::int64_t(b) * selection_block, last = std::min(first + selection_block, s.count);
      std::int64_t source = first % s.period;
      for (std::int64_t k = first; k < last; ++k) {
        copy(s.to + s.sums[k] * size, s.from + source * size);
        if (++source == s.period) source = 0;
      }
    }
  });
}

template <void work(const selection_arguments &, std::size_t, std::size_t)>
void kernel(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *, std::size_t) {
  selection_arguments s;
  std::memcpy(&s, arguments, sizeof s);
  work(s, begin, end);
}

constexpr work_step steps[] = {{"select_count", kernel<count_blocks>}, {"select_positions", kernel<write_positions>},
                               {"select_extract", kernel<extract>},    {"select_place", kernel<place>},
                               {"select_fill", kernel<fill>},          {"select_scatter", kernel<scatter>}};

}  // namespace

namespace cpu {

bool select_now(selection_step step, const selection_arguments &s) noexcept {
  if (s.count > few_elements) return false;
  const std::size_t blocks = static_cast<std::size_t>((s.count + selection_block - 1) / selection_block);
  steps[int(step)].function(&s, nullptr, 0, blocks, nullptr, 0);
  return true;
}

event select(const queue &q, selection_step step, const selection_arguments &given, const ordered_dependencies &after) {
  constexpr std::int64_t most_parts = 8;  // each thread reads all numbers
  selection_arguments s = given;
  if (s.targets && s.period > 1)
    s.parts = std::min<std::int64_t>(runtime::code_device_of(q.get_device()).info().max_compute_units, most_parts);
  const int row_class = std::bit_width(std::uint64_t(s.row));
  backend::launch_command command{
      code_of(steps[int(step)], row_class, q.get_device()), {}, std::as_bytes(std::span(&s, 1)), 0, {}};
  const std::int64_t blocks = (s.count + selection_block - 1) / selection_block;
  command.work.global[0] = static_cast<std::size_t>(s.parts ? s.parts : blocks);
  return runtime::implementation_of(q, "selection").launch(command, dependencies(after));
}

}  // namespace cpu
}  // namespace dpep::array
