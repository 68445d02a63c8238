// Folds on CPUs: a parallel loop over rows, and over blocks of their segments.
#include "array/cpu/fold.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include <dpep/array_opcodes.hpp>

#include "array/blocks/blocks.hpp"
#include "array/blocks/folds.hpp"
#include "array/cpu/step_submission.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::cpu {
namespace {

using blocks::segment;
constexpr std::int64_t most_segments = 256, elements_at_once = 1 << 15;  // of a unit

/// The number of segments that a unit reduces.
std::int64_t segments_at_once(const fold_arguments &f) noexcept {
  const std::int64_t elements = std::max<std::int64_t>(f.length * f.inner / f.count, 1);  // of a segment
  return std::clamp<std::int64_t>(elements_at_once / elements, 1, most_segments);
}

/// The reduction with the operation, if it computes in the elements' dtype as the operation does.
std::optional<reduction> reduction_of(opcode code, dtype type) noexcept {
  switch (code) {
  case opcode::add:
    return type == dtype::boolean ? reduction::any : reduction::sum;
  case opcode::multiply:
    return type == dtype::boolean ? reduction::all : reduction::prod;
  case opcode::logaddexp:
    return reduction::logsumexp;
  case opcode::hypot:
    return reduction::hypot;
  default:
    return {};
  }
}

/// Applies the operation to one pair of elements after the other.
class operation_in_order {
public:
  explicit operation_in_order(const fold_arguments &f)
      : function_(blocks::find(f.code, {2, {f.type, f.type}, f.type})), item_(size_of(f.type)) {}

  /// to[i] = to[i - 1] op x[i], where to[-1] is the value.
  void accumulate(std::int64_t count, const std::byte *x, const std::byte *value, std::byte *to) const {
    for (std::int64_t i = 0; i < count; ++i, x += item_) {
      call(value, x, to);
      value = to;
      to += item_;
    }
  }
  /// to = x[0] op x[1] op …
  void reduce(std::int64_t count, const std::byte *x, std::byte *to) const {
    alignas(16) std::byte values[2][16];  // in turns: not every function may overwrite its operand
    std::memcpy(values[0], x, item_);
    for (std::int64_t i = 1; i < count; ++i)
      call(values[1 - i % 2], x + i * static_cast<std::int64_t>(item_), values[i % 2]);
    std::memcpy(to, values[1 - count % 2], item_);
  }

private:
  blocks::element_function function_;
  std::size_t item_;

  void call(const std::byte *value, const std::byte *x, std::byte *to) const {
    const void *const inputs[] = {value, x};
    function_(1, inputs, to);
  }
};

void reduce_segments(const fold_arguments &f, std::int64_t row, std::int64_t first, std::int64_t count) {
  const auto item = static_cast<std::int64_t>(size_of(f.type));
  const std::byte *const x = f.from + row * f.length * item;
  std::byte *to = f.to + (row * f.count + first) * item;
  segment segments[most_segments];
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t *const start = f.starts + first + i;
    const std::int64_t end = first + i + 1 < f.count ? start[1] : f.length;
    segments[i] = {start[0], std::max<std::int64_t>(end - start[0], 1)};
  }
  if (const auto *const fold = blocks::find_fold(f.code, f.type))
    return fold->segments(static_cast<std::size_t>(count), segments, x, to);
  const auto how = reduction_of(f.code, f.type);
  alignas(64) std::byte state[64];
  const blocks::reducer *const r = how ? blocks::find_reducer(*how, f.type) : nullptr;
  if (r && r->result_bytes == size_of(f.type) && r->state_bytes <= sizeof state) {
    for (std::int64_t i = 0; i < count; ++i, to += item) {
      if (segments[i].count == 1) {  // is not changed; hypot would be its absolute value
        std::memcpy(to, x + segments[i].first * item, static_cast<std::size_t>(item));
        continue;
      }
      r->start(1, state);
      r->block(static_cast<std::size_t>(segments[i].count), x + segments[i].first * item, blocks::origin::memory, 0,
               state);
      r->finish(1, state, to);
    }
    return;
  }
  const operation_in_order operation(f);
  for (std::int64_t i = 0; i < count; ++i, to += item)
    operation.reduce(segments[i].count, x + segments[i].first * item, to);
}

/// Folds `inner` adjacent elements side by side.
void reduce_vectors(const fold_arguments &f, std::int64_t row, std::int64_t first, std::int64_t count) {
  constexpr std::int64_t block = 2048;
  const auto item = static_cast<std::int64_t>(size_of(f.type)), bytes = f.inner * item;
  const blocks::element_function function = blocks::find(f.code, {2, {f.type, f.type}, f.type});
  const std::byte *const x = f.from + row * f.length * bytes;
  for (std::int64_t i = first; i < first + count; ++i) {
    std::byte *const to = f.to + (row * f.count + i) * bytes;
    const std::int64_t begin = f.starts[i], next = i + 1 < f.count ? f.starts[i + 1] : f.length;
    const std::int64_t end = std::max(next, begin + 1);
    for (std::int64_t k = 0; k < f.inner; k += block) {
      const auto n = static_cast<std::size_t>(std::min(block, f.inner - k));
      std::memcpy(to + k * item, x + begin * bytes + k * item, n * static_cast<std::size_t>(item));
      for (std::int64_t j = begin + 1; j < end; ++j) {
        const void *const inputs[] = {to + k * item, x + j * bytes + k * item};
        function(n, inputs, to + k * item);
      }
    }
  }
}

void accumulate_row(const fold_arguments &f, std::int64_t row) {
  const auto item = static_cast<std::int64_t>(size_of(f.type)), at = row * f.length * item;
  alignas(16) std::byte state[16];
  std::memcpy(state, f.from + at, static_cast<std::size_t>(item));
  std::memcpy(f.to + at, state, static_cast<std::size_t>(item));
  const std::byte *const x = f.from + at + item;
  std::byte *const to = f.to + at + item;
  if (const auto *const fold = blocks::find_fold(f.code, f.type))
    return fold->accumulate(static_cast<std::size_t>(f.length - 1), x, to, state);
  operation_in_order(f).accumulate(f.length - 1, x, state, to);
}

std::int64_t blocks_of_row(const fold_arguments &f) noexcept {
  const std::int64_t each = f.starts ? segments_at_once(f) : 1;
  return f.starts ? (f.count + each - 1) / each : 1;
}

void run_units(const fold_arguments &f, std::int64_t begin, std::int64_t end) {
  const std::int64_t each = blocks_of_row(f);
  for (std::int64_t unit = begin; unit < end; ++unit) {
    if (!f.starts) {
      accumulate_row(f, unit);
      continue;
    }
    const std::int64_t at_once = segments_at_once(f), first = unit % each * at_once;
    const std::int64_t count = std::min(at_once, f.count - first);
    if (f.inner > 1)
      reduce_vectors(f, unit / each, first, count);
    else
      reduce_segments(f, unit / each, first, count);
  }
}

void run(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *, std::size_t) {
  fold_arguments f;
  std::memcpy(&f, arguments, sizeof f);
  run_units(f, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
}

constexpr work_step fold_step{"fold", run};

}  // namespace

event fold(const queue &q, const fold_arguments &f, const ordered_dependencies &after) {
  const int variant = (static_cast<int>(f.code) * dtype_count + static_cast<int>(f.type)) * 2 + (f.starts != nullptr);
  backend::launch_command command{
      code_of(fold_step, variant, q.get_device()), {}, std::as_bytes(std::span(&f, 1)), 0, {}};
  command.work.global[0] = static_cast<std::size_t>(f.rows * blocks_of_row(f));
  return runtime::implementation_of(q, "fold").launch(command, dependencies(after));
}

void fold_now(const fold_arguments &f) { run_units(f, 0, f.rows * blocks_of_row(f)); }

}  // namespace dpep::array::cpu
