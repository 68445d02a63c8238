// Linear algebra on CPUs: divides matrices over threads, and submits.
//
// Many matrices are computed side by side, each by one thread. A few large matrices are computed one after the other
// with the library's threads.
#include "array/cpu/linear_algebra.hpp"

#include <bit>
#include <cstring>

#include "array/cpu/matrix_task.hpp"
#include "array/cpu/small_matrices.hpp"
#include "array/cpu/step_submission.hpp"
#include "array/graph/deferred_queue.hpp"
#include "runtime/device.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::cpu {
namespace {

constexpr std::int64_t threaded_size = 200;          // matrices from which on the library's threads help
constexpr std::size_t most_local_bytes = 256 << 10;  // scratch memory that threads keep
constexpr std::int64_t few_numbers = 64 * 64;        // a matrix that counts as short before it is measured
constexpr std::size_t items_of_long_work = 128;      // see prepared stages in executor.cpp

/// A code for each operation, dtype and order of magnitude, so that their run times are measured separately.
int variant_of(const matrix_arguments &g) noexcept {
  const int size = std::bit_width(static_cast<std::uint64_t>(std::max(g.m, g.n))) * 8 +
                   std::bit_width(static_cast<std::uint64_t>(std::min<std::int64_t>(g.k, 127)));
  return ((int(g.what) * dtype_count + int(g.type)) * 2 + g.vectors) * 1024 + size;
}

void run_units(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *local,
               std::size_t) {
  const auto &t = *static_cast<const matrix_task *>(arguments);
  const matrix_code code = code_of(t.given.what, t.given.type);
  const libs::thread_limit limit(*t.library, t.threads);
  for (std::size_t slot = begin; slot < end; ++slot) {
    std::byte *const scratch = t.scratch ? t.scratch + slot * t.bytes : local;
    for (auto i = static_cast<std::int64_t>(slot); i < t.given.count; i += t.slots) code.run(t, i, scratch);
  }
}

constexpr work_step matrices_step{"linear_algebra", run_units, true};

/// Sets slots and threads.
void divide(matrix_task &t, unsigned threads) {
  const matrix_arguments &g = t.given;
  const bool large = std::min(g.m, g.n) >= threaded_size;
  if (large && g.count < 2 * std::int64_t{threads}) {
    t.slots = 1;
    t.threads = threads;
  } else {
    t.slots = t.bytes <= most_local_bytes ? g.count : std::min<std::int64_t>(g.count, threads);
  }
}

std::shared_ptr<void> allocate_scratch(const queue &q, std::size_t bytes) {
  return {allocate(usm_kind::host, bytes, 64, q.get_context(), q.get_device()),
          [where = q.get_context()](void *p) { free(p, where); }};
}

/// The address of the first element; null for an empty handle.
std::byte *address_of(const ndarray &x) { return x ? implementation_of(x, "linear algebra").first() : nullptr; }

}  // namespace

matrix_arguments::matrix_arguments(const matrix_work &w)
    : what(w.what),
      type(w.type),
      vectors(w.vectors),
      full(w.full),
      upper(w.upper),
      unit_diagonal(w.unit_diagonal),
      op(w.op),
      condition(w.condition),
      count(w.count),
      m(w.m),
      n(w.n),
      k(w.k),
      a(address_of(w.a)),
      b(address_of(w.b)),
      x(address_of(w.x)),
      y(address_of(w.y)),
      z(address_of(w.z)),
      info(reinterpret_cast<std::int64_t *>(address_of(w.info))),
      rank(reinterpret_cast<std::int64_t *>(address_of(w.rank))),
      pivots(reinterpret_cast<std::int64_t *>(address_of(w.pivots))) {}

event submit_in_turn(const matrix_work &w, const std::function<event(const ordered_dependencies &)> &submit,
                     std::shared_ptr<void> scratch) {
  event done;
  deferred_queue::of(queue_of(w)).in_turn([&](const ordered_dependencies &after) {
    done = submit(after);
    if (done) done.keep_alive(std::make_shared<std::pair<matrix_work, std::shared_ptr<void>>>(w, std::move(scratch)));
    return done;
  });
  return done;
}

event apply(const matrix_work &w) {
  if (has_small_matrices(w)) return apply_small(w);
  const queue &where = queue_of(w);
  runtime::queue_object &q = runtime::implementation_of(where, "linear algebra");
  matrix_task t{matrix_arguments(w), &libs::require_cpu_library("linear algebra")};
  code_of(w.what, w.type).prepare(t);
  divide(t, q.target.info().max_compute_units);
  std::size_t local_bytes = t.bytes;
  std::shared_ptr<void> scratch;
  if (t.bytes > most_local_bytes) {
    scratch = allocate_scratch(where, static_cast<std::size_t>(t.slots) * t.bytes);
    t.scratch = static_cast<std::byte *>(scratch.get());
    local_bytes = 0;
  }
  const std::size_t items = w.m * w.n <= few_numbers ? 1 : items_of_long_work;
  backend::launch_command command{array::code_of(matrices_step, variant_of(t.given), where.get_device()),
                                  {},
                                  std::as_bytes(std::span(&t, 1)),
                                  local_bytes,
                                  {}};
  command.work.global[0] = static_cast<std::size_t>(t.slots) * items;
  command.work.local[0] = items;
  return submit_in_turn(
      w, [&](const ordered_dependencies &after) { return q.launch(command, after); }, std::move(scratch));
}

}  // namespace dpep::array::cpu
