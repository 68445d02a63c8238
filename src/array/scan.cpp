// Scans: running sums and their like along an axis of memory that is contiguous.
//
// Seen as (outer, length, inner), the scan goes along `length`. Rows of one (inner = 1) are scanned by one kernel each;
// long ones in three steps: totals of chunks, what precedes each chunk, chunks. With wide `inner` whole rows are
// combined with the row before; in between, a few columns at a time are turned to rows and back. Where combining two
// values is dear (logsumexp), chunks are short and many of them go side by side, in the lanes of vectors.
#include "array/scan.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <mutex>

#include "array/blocks.hpp"
#include "array/errors.hpp"
#include "array/scalars.hpp"
#include "array/stream.hpp"
#include "backend/backend.hpp"
#include "runtime/device.hpp"
#include "runtime/queue.hpp"

namespace dpep::array {
namespace {

constexpr std::int64_t long_chunk = 32768;  // elements of a long row that one thread takes at once
constexpr std::int64_t lane_chunk = 256;    // elements in a lane, and how many go side by side
constexpr std::int64_t lanes = 32;
constexpr std::int64_t row_block = 1024;   // neighbouring columns that one thread takes down all rows
constexpr std::int64_t narrow = 16;        // fewer columns are turned
constexpr std::int64_t turned_rows = 256;  // at a time
constexpr std::size_t state_room = 16;     // bytes of the largest state: complex128

struct scan_task {
  accumulation how;
  dtype type;
  const std::byte *from;
  std::byte *to;
  std::byte *states;  // a state for each chunk
  std::int64_t length, inner, units_per_outer, chunk, units;

  std::int64_t item() const noexcept { return static_cast<std::int64_t>(size_of(type)); }
};

reduction reduction_of(accumulation how) noexcept {
  constexpr reduction table[] = {reduction::sum, reduction::prod, reduction::logsumexp, reduction::max, reduction::min};
  return table[int(how)];
}

opcode opcode_of(accumulation how) noexcept {
  constexpr opcode table[] = {opcode::add, opcode::multiply, opcode::logaddexp, opcode::maximum, opcode::minimum};
  return table[int(how)];
}

/// Halves accumulate as floats.
dtype state_type(dtype t) noexcept { return t == dtype::float16 ? dtype::float32 : t; }

void start(const scan_task &t, std::byte *state) noexcept {
  write_element(state, state_type(t.type), identity(t.how, state_type(t.type)));
}

void whole_rows(const scan_task &t, std::size_t begin, std::size_t end) {
  const auto run = blocks::find_scan(t.how, t.type);
  for (std::size_t row = begin; row < end; ++row) {
    alignas(16) std::byte state[state_room];
    start(t, state);
    const std::int64_t at = static_cast<std::int64_t>(row) * t.length * t.item();
    run(static_cast<std::size_t>(t.length), t.from + at, t.to + at, state);
  }
}

struct span_of_chunk {
  std::int64_t first, count;  // elements
};
span_of_chunk chunk_at(const scan_task &t, std::size_t unit) noexcept {
  const auto row = static_cast<std::int64_t>(unit) / t.units_per_outer;
  const std::int64_t start = static_cast<std::int64_t>(unit) % t.units_per_outer * t.chunk;
  return {row * t.length + start, std::min(t.chunk, t.length - start)};
}

void chunk_totals(const scan_task &t, std::size_t begin, std::size_t end) {
  const blocks::reducer &r = *blocks::find_reducer(reduction_of(t.how), t.type);
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto [first, count] = chunk_at(t, unit);
    std::byte *const state = t.states + unit * state_room;
    r.start(1, state);
    r.block(static_cast<std::size_t>(count), t.from + first * t.item(), 0, state);
  }
}

/// From the totals of a row's chunks to what precedes each of them.
void chunk_carries(const scan_task &t, std::size_t begin, std::size_t end) {
  const blocks::reducer &r = *blocks::find_reducer(reduction_of(t.how), t.type);
  for (std::size_t row = begin; row < end; ++row) {
    alignas(16) std::byte running[state_room], total[state_room];
    r.start(1, running);
    for (std::int64_t i = 0; i < t.units_per_outer; ++i) {
      std::byte *const state =
          t.states + (row * static_cast<std::size_t>(t.units_per_outer) + static_cast<std::size_t>(i)) * state_room;
      std::memcpy(total, state, state_room);
      std::memcpy(state, running, state_room);
      r.merge(1, total, running);
    }
  }
}

void chunks(const scan_task &t, std::size_t begin, std::size_t end) {
  const auto run = blocks::find_scan(t.how, t.type);
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto [first, count] = chunk_at(t, unit);
    run(static_cast<std::size_t>(count), t.from + first * t.item(), t.to + first * t.item(),
        t.states + unit * state_room);
  }
}

void chunks_side_by_side(const scan_task &t, std::size_t begin, std::size_t end) {
  const auto combine = blocks::find(opcode_of(t.how), {2, {t.type, t.type}, t.type});
  const auto move = blocks::find_copy(size_of(t.type));
  const std::int64_t item = t.item(), row = lanes * item;
  // the first row is what precedes the chunks; lanes that end early, or have no chunk, go on with zeros
  alignas(64) std::byte tile[(lane_chunk + 1) * lanes * 16];
  for (std::size_t group = begin; group < end; ++group) {
    const std::size_t first_unit = group * static_cast<std::size_t>(lanes);
    const auto used = std::min(lanes, t.units - static_cast<std::int64_t>(first_unit));
    std::memset(tile, 0, static_cast<std::size_t>((lane_chunk + 1) * row));
    std::int64_t longest = 0;
    for (std::int64_t lane = 0; lane < used; ++lane) {
      const std::size_t unit = first_unit + static_cast<std::size_t>(lane);
      const auto [first, count] = chunk_at(t, unit);
      longest = std::max(longest, count);
      std::memcpy(tile + lane * item, t.states + unit * state_room, size_of(t.type));
      move(static_cast<std::size_t>(count), 1, {tile + row + lane * item, row, 0},
           {const_cast<std::byte *>(t.from) + first * item, item, 0});
    }
    for (std::int64_t i = 0; i < longest; ++i) {
      const void *const inputs[] = {tile + i * row, tile + (i + 1) * row};
      combine(static_cast<std::size_t>(lanes), inputs, tile + (i + 1) * row);
    }
    for (std::int64_t lane = 0; lane < used; ++lane) {
      const auto [first, count] = chunk_at(t, first_unit + static_cast<std::size_t>(lane));
      move(static_cast<std::size_t>(count), 1, {t.to + first * item, item, 0}, {tile + row + lane * item, row, 0});
    }
  }
}

void rows_on_rows(const scan_task &t, std::size_t begin, std::size_t end) {
  const auto combine = blocks::find(opcode_of(t.how), {2, {t.type, t.type}, t.type});
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto outer = static_cast<std::int64_t>(unit) / t.units_per_outer;
    const std::int64_t column = static_cast<std::int64_t>(unit) % t.units_per_outer * row_block;
    const auto count = static_cast<std::size_t>(std::min(row_block, t.inner - column));
    std::int64_t at = (outer * t.length * t.inner + column) * t.item();
    if (t.from != t.to) std::memcpy(t.to + at, t.from + at, count * size_of(t.type));
    for (std::int64_t row = 1; row < t.length; ++row) {
      const void *const inputs[] = {t.to + at, t.from + at + t.inner * t.item()};
      at += t.inner * t.item();
      combine(count, inputs, t.to + at);
    }
  }
}

void turned_columns(const scan_task &t, std::size_t begin, std::size_t end) {
  const auto run = blocks::find_scan(t.how, t.type);
  const auto turn = blocks::find_copy(size_of(t.type));
  const std::int64_t item = t.item();
  alignas(64) std::byte tile[narrow * turned_rows * 16];
  alignas(16) std::byte states[narrow][state_room];
  for (std::size_t outer = begin; outer < end; ++outer) {
    for (std::int64_t column = 0; column < t.inner; ++column) start(t, states[column]);
    for (std::int64_t row = 0; row < t.length; row += turned_rows) {
      const std::int64_t rows = std::min(turned_rows, t.length - row);
      const std::int64_t at = (static_cast<std::int64_t>(outer) * t.length + row) * t.inner * item;
      const blocks::strided in_tile{tile, item, rows * item};
      const auto in_memory = [&](const std::byte *p) {
        return blocks::strided{const_cast<std::byte *>(p) + at, t.inner * item, item};
      };
      const auto n = static_cast<std::size_t>(rows), columns = static_cast<std::size_t>(t.inner);
      turn(n, columns, in_tile, in_memory(t.from));
      for (std::int64_t column = 0; column < t.inner; ++column) {
        std::byte *const part = tile + column * rows * item;
        run(n, part, part, states[column]);
      }
      turn(n, columns, in_memory(t.to), in_tile);
    }
  }
}

template <void work(const scan_task &, std::size_t, std::size_t)>
void kernel(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *, std::size_t) {
  scan_task t;
  std::memcpy(&t, arguments, sizeof t);
  work(t, begin, end);
}

struct step_kind {
  const char *name;
  backend::work_function entry;
};
constexpr step_kind steps[] = {
    {"scan_rows", kernel<whole_rows>},
    {"scan_chunk_totals", kernel<chunk_totals>},
    {"scan_carries", kernel<chunk_carries>},
    {"scan_chunks", kernel<chunks>},
    {"scan_chunks_side_by_side", kernel<chunks_side_by_side>},
    {"scan_rows_on_rows", kernel<rows_on_rows>},
    {"scan_turned_columns", kernel<turned_columns>},
};
enum step_index { rows_step, totals_step, carries_step, chunks_step, lanes_step, rows_on_rows_step, turned_step };

/// Code for each operation and dtype of its own, because queues learn what code costs. Never given back: there are few.
const backend::code *code_for(step_index which, const scan_task &t, const device &where) {
  struct entry {
    backend::device *device;
    int key;
    ref<const backend::code> code;
  };
  static std::mutex mutex;
  static auto &known = *new std::vector<entry>;
  auto &target = runtime::code_device_of(where);
  const int key = (int(which) * 5 + int(t.how)) * dtype_count + int(t.type);
  const std::lock_guard lock(mutex);
  for (const entry &e : known)
    if (e.device == &target && e.key == key) return e.code.get();
  backend::code_object object;
  object.entry = reinterpret_cast<void *>(steps[which].entry);
  object.name = steps[which].name;
  known.push_back({&target, key, target.load(object, {})});
  return known.back().code.get();
}

class submission {
public:
  submission(const dpep::queue &q, const scan_task &t) : queue_(q), task_(t), last_(last_event(q)) {}
  void launch(step_index which, std::int64_t units) {
    backend::launch_command command{
        code_for(which, task_, queue_.get_device()), {}, std::as_bytes(std::span(&task_, 1)), 0, {}};
    command.work.global[0] = static_cast<std::size_t>(units);
    last_ = runtime::implementation_of(queue_).launch(command, {&last_, 1});
  }
  void keep(ref<storage> memory) {
    auto *const p = memory.get();
    last_.keep_alive(std::shared_ptr<void>(p, [kept = std::move(memory)](void *) {}));
  }
  void finish() { stream::of(queue_).order_after(last_); }  // other threads may have submitted meanwhile

private:
  const dpep::queue &queue_;
  scan_task task_;
  event last_;
};

}  // namespace

scalar identity(accumulation how, dtype t) noexcept {
  const bool floating = kind_of(t) == dtype_kind::real || kind_of(t) == dtype_kind::complex;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto extreme = [&](double sign) {
    return kind_of(t) == dtype_kind::complex ? scalar::of(std::complex<double>(sign * infinity, sign * infinity))
                                             : scalar::of(sign * infinity);
  };
  const int bits = static_cast<int>(size_of(t)) * 8;
  switch (how) {
  case accumulation::sum:
    return scalar::of(std::int64_t{0});
  case accumulation::prod:
    return scalar::of(std::int64_t{1});
  case accumulation::logsumexp:
    return extreme(-1);
  case accumulation::max:
    if (floating) return extreme(-1);
    return scalar::of(kind_of(t) == dtype_kind::signed_integer ? std::int64_t(std::uint64_t{1} << 63) >> (64 - bits)
                                                               : std::int64_t{0});
  case accumulation::min:
    if (floating) return extreme(1);
    if (t == dtype::boolean) return scalar::of(true);
    if (kind_of(t) == dtype_kind::signed_integer) return scalar::of(INT64_MAX >> (64 - bits));
    return scalar::of(UINT64_MAX >> (64 - bits));
  }
  return scalar::of(std::int64_t{0});
}

void scan(accumulation how, array_object &from, array_object &to, int axis) {
  if (to.layout.size == 0) return;
  const queue &q = to.queue;
  if (q.get_device().info().backend != backend_kind::native_cpu)
    throw exception(errc::feature_not_supported,
                    fmt::format("{}: not on '{}' yet, only on CPUs", name_of(how), q.get_device().info().name));
  scan_task t{how, to.type, from.first(), to.first(), nullptr, to.layout.shape[std::size_t(axis)], 1, 1, long_chunk, 0};
  std::int64_t outer = 1;
  for (int i = 0; i < to.layout.dimensions(); ++i)
    if (i != axis) (i < axis ? outer : t.inner) *= to.layout.shape[std::size_t(i)];

  ref<storage> scratch;
  const bool side_by_side =
      t.inner == 1 && how == accumulation::logsumexp && t.type != dtype::float16 && to.layout.size > lane_chunk;
  if (side_by_side) t.chunk = lane_chunk;
  // enough rows keep all threads busy, and then need only be read once
  const bool cut = side_by_side || (t.inner == 1 && t.length > 2 * t.chunk && outer < 64);
  if (cut) {
    t.units_per_outer = (t.length + t.chunk - 1) / t.chunk;
    t.units = outer * t.units_per_outer;
    scratch = make_object<storage>(q, to.kind, static_cast<std::size_t>(t.units) * state_room);
    t.states = scratch->base;
  } else if (t.inner >= narrow) {
    t.units_per_outer = (t.inner + row_block - 1) / row_block;
  }
  submission s(q, t);
  if (cut) {
    s.launch(totals_step, t.units);
    s.launch(carries_step, outer);
    if (side_by_side)
      s.launch(lanes_step, (t.units + lanes - 1) / lanes);
    else
      s.launch(chunks_step, t.units);
    s.keep(std::move(scratch));
  } else if (t.inner == 1) {
    s.launch(rows_step, outer);
  } else if (t.inner >= narrow) {
    s.launch(rows_on_rows_step, outer * t.units_per_outer);
  } else {
    s.launch(turned_step, outer);
  }
  s.keep(from.memory());
  s.keep(to.memory());
  s.finish();
}

}  // namespace dpep::array
