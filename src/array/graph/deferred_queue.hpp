// The deferred array work of one queue: pending nodes, their evaluation, and the order of what was submitted.
//
// Every function may be called from any thread: one mutex guards the object, the links between pending nodes,
// arrays and memory, and the changes that evaluation makes to nodes.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dpep/array_functions.hpp>

#include "array/fusion/fuse.hpp"
#include "array/graph/array_object.hpp"
#include "array/graph/evaluator.hpp"
#include "array/graph/node.hpp"
#include "array/graph/storage.hpp"
#include "backend/backend.hpp"
#include "backend/common/fork_guard.hpp"
#include "runtime/queue.hpp"
#include "runtime/queue_memory_cache.hpp"

namespace dpep::array {

/// The bytes from an array's first element to its last.
struct byte_range {
  const std::byte *first, *end;
  bool overlaps(const byte_range &o) const noexcept { return first < o.end && o.first < end; }
};
byte_range range_of(const storage &, const layout &, dtype) noexcept;

struct recomputed_view;  // node_views.hpp

/// Values, and the array that they are stored into.
struct array_part {
  array_object *to;
  ref<node> value;
};

class deferred_queue final : public evaluator {
public:
  static deferred_queue &of(const queue &);
  explicit deferred_queue(runtime::queue_object &);
  ~deferred_queue() override;

  /// Memory of an array of this queue. On devices with memory_in_order, it is that of released storages, if there is
  /// any.
  ref<storage> allocate(const queue &, usm_kind, std::size_t bytes);
  /// Moves the memory that the caller's work must keep until it is complete to an owner. The caller keeps the rest
  /// until the work is submitted: only later array work of this queue reuses it.
  std::vector<std::shared_ptr<void>> owners_of(std::vector<ref<storage>> &used) const;

  /// An array with the node's values. They are computed now if the iteration space is small, in eager mode, and if the
  /// node reads exposed memory; else the array is pending.
  ndarray defer(const queue &, ref<node>, usm_kind, layout);
  /// The same, with the memory order of the arrays that the node reads.
  ndarray defer_keeping_order(const queue &, ref<node>, usm_kind);
  void store(array_object &to, ref<node>);
  /// Stores values into disjoint parts of one shape of new memory, in one pass if a pass can compute them.
  void store_parts(std::span<const array_part>);

  /// A pending view of a pending array. Empty if the array is not pending any more. Views of views refer to the array
  /// that has the node: a chain of references would be followed, and destroyed, recursively.
  ndarray pending_view(array_object &, dtype, layout);
  /// A node for a pending array's values. Null if the values are in memory; a view that is no node is computed first.
  ref<node> producer_of(array_object &);
  void compute(array_object &) override;
  void forget(array_object &) noexcept override;
  void forget(node &) noexcept override;

  void submit_all() override;
  void submit_results() override;
  /// Submits the pending work that reads elements of the layout, or any of the memory.
  void submit_readers(const storage &, const layout &, dtype);
  void submit_readers(const storage &);
  bool is_read(const storage &) noexcept;
  /// Whether no array work is in flight.
  bool idle() noexcept;
  event last();
  /// Calls `submit` with the events that array work must wait for; later array work waits for the event that it
  /// returns.
  template <class F> void in_turn(F submit);
  /// The function of array_order.hpp. Unlike the above, never waits for work in flight to be retired.
  event in_turn(dependencies after, const std::function<event(const ordered_dependencies &)> &submit);
  /// Makes later array work wait for the event, which itself need not be ordered behind last().
  void order_after(const event &);
  /// Device memory that is zero whenever no kernel is running that counts in it.
  std::byte *counters();
  static constexpr std::size_t counter_bytes = 16 * 1024;
  /// 64-bit words of device memory for communication between a kernel's work-groups. The upper half of no word contains
  /// `tag` before the kernel runs. Call it within in_turn(): the next kernel gets the same words.
  struct tagged_words {
    std::byte *first;
    std::uint32_t tag;
    std::shared_ptr<void> keep;  // to be kept alive until the kernel is complete
  };
  tagged_words words(std::size_t bytes);
  pending_work pending() noexcept;
  void set_pending_limit(std::size_t bytes) noexcept { limit_.store(bytes, std::memory_order_relaxed); }
  /// For tests: the number of programs submitted, and of nodes whose values they stored.
  struct submission_counts {
    std::uint64_t programs, stored;
  };
  submission_counts counted();

private:
  class lock;

  // deferred_queue.cpp: recording
  ndarray record(const queue &, ref<node>, usm_kind, layout);
  void register_graph(node &);
  void read_by(node &);
  void not_read_by(node &) noexcept;
  void remove_root(node &) noexcept;
  void keep_within_limits(node &newest);
  std::shared_ptr<void> zeroed_memory(std::size_t bytes);
  bool short_of_memory() const;
  ref<node> view_of_pending(const array_object &view, array_object &base);
  bool may_recompute(node &whole, const recomputed_view &);

  // evaluate.cpp: evaluation and submission
  void evaluate(std::vector<target>, std::span<const ref<node>> others = {});
  /// A pending array that one pass may compute together with the targets.
  struct candidate {
    ref<node> value;
    std::vector<const storage *> below;  // the memory that it is computed from
  };
  std::vector<candidate> find_candidates(std::span<const target>, std::span<const ref<node>> others);
  fusion_result fuse_with_all(std::vector<target> &, std::span<const candidate>);
  fusion_result fuse_with(std::vector<target> &, std::span<const candidate>, bool try_all);
  void evaluate_root(node &);
  void evaluate_pending_roots();
  void evaluate_all(std::vector<ref<node>>);  // in order: inputs before their consumers
  void submit(fused_program);
  void submit_joined(fused_program, std::vector<target> &, std::size_t asked);
  void compile_next(const fused_program &first) noexcept;  // compile_next.cpp
  void extend_batch(std::size_t new_bytes);
  void retire_completed();
  void set_last(event);
  /// The event that `submit` returns. If it throws, it may have submitted commands: later array work waits for them.
  template <class F> event submitted_by(F submit);
  void order_after_all() noexcept;
  /// The dependencies of work that is ordered behind last_ and whose event will replace last_.
  ordered_dependencies behind_last() const;
  event take_excess_batch() noexcept;
  void mark_stored(const target &);
  void store_empty(target);
  std::vector<ref<node>> pending_roots(), unused_roots(std::int64_t unless_larger = -1), small_results();
  std::vector<ref<node>> related_results(std::span<const target>);

  // pending_products.cpp
  bool multiply_alone(target &, std::span<const ref<node>> others);

  // dump.cpp: submitted programs, for DPEP_DUMP
  void dump(const fused_program &);
  void write_dump() noexcept;

  // hazards.cpp: writes to memory that pending nodes read
  std::vector<ref<node>> pending_readers(const storage &, const layout &, dtype, const node *except = nullptr);
  void store_values(array_object &to, ref<node> value);

  // snapshots.cpp: writes to new memory, while pending nodes read the old one
  ref<storage> move_from_readers(array_object &to, const ref<node> &value, std::vector<ref<node>> &readers);
  void move_back(array_object &to, storage &before) noexcept;
  ref<node> fill_around(array_object &to);
  void fill(const ref<node> &number, const ref<storage> &, const layout &);

  // pending_writes.cpp: updates of whole arrays that are computed later
  bool may_defer_write(const array_object &, node &value);
  void defer_write(array_object &, ref<node> value);
  void write_back(node &);
  void write_back_below(node &root);
  void keep_for_operands(node &value, array_object &);

  runtime::queue_object &queue_object_;
  std::mutex mutex_;
  const bool compiles_programs_;          // executor::compiles_programs
  const bool runs_inline_;                // capabilities::runs_inline
  std::span<const target> next_targets_;  // whose prerequisites are being evaluated
  std::vector<node *> pending_roots_;     // the nodes of pending arrays, oldest first
  std::size_t pending_writes_ = 0;        // of arrays that have memory
  std::size_t nodes_ = 0, held_ = 0;      // registered nodes, and bytes of the memory that they read
  const std::size_t max_held_;
  std::atomic<std::size_t> limit_{0};        // of held_, that a program has set
  std::uint64_t programs_ = 0, stored_ = 0;  // see submission_counts
  event last_;
  std::atomic<bool> last_incomplete_{false};  // last_ may be incomplete
  // Submitted programs in batches, oldest first, with the bytes that were allocated for them. Submission waits while
  // there are too many.
  struct batch {
    event done;
    std::size_t bytes;
  };
  std::deque<batch> in_flight_;
  std::size_t in_flight_bytes_ = 0;
  std::size_t batch_programs_ = 0, batch_bytes_ = 0;  // of the batch that is not closed yet
  std::shared_ptr<void> counters_, words_;
  std::size_t words_bytes_ = 0;
  std::uint32_t tag_ = 0;
  // memory of released storages, for reuse by later work of the queue; null on devices without memory_in_order
  const std::shared_ptr<runtime::queue_memory_cache> memory_;
  std::string dump_;
  std::size_t dumped_ = 0;
};

/// Holds the mutex. Recursive: evaluation releases nodes and arrays, whose destructors lock it again.
class deferred_queue::lock {
public:
  explicit lock(deferred_queue &q) : queue_(q), outer_(current_) {
    if (outer_ == &q) return;
    no_fork_.emplace();
    q.mutex_.lock();
    current_ = &q;
  }
  ~lock() {
    if (outer_ == &queue_) return;
    queue_.write_dump();
    const event overdue = queue_.take_excess_batch();
    current_ = outer_;
    queue_.mutex_.unlock();
    no_fork_.reset();
    if (overdue) [[unlikely]]
      wait_for(overdue);
  }
  lock(const lock &) = delete;

  static bool is_held(const deferred_queue &q) noexcept { return current_ == &q; }

private:
  // Called without the mutex, because a host task that the event depends on may lock it.
  static void wait_for(const event &) noexcept;
  inline static thread_local constinit const deferred_queue *current_ = nullptr;
  deferred_queue &queue_;
  const deferred_queue *const outer_;
  std::optional<backend::fork_guard> no_fork_;
};

template <class F> void deferred_queue::in_turn(F submit) {
  const lock held(*this);
  set_last(submitted_by([&] { return submit(behind_last()); }));
  extend_batch(0);
}

template <class F> event deferred_queue::submitted_by(F submit) {
  try {
    return submit();
  } catch (...) {
    order_after_all();
    throw;
  }
}

/// Whether an operation on so many elements is deferred. `compiles_programs`: see executor.
bool defers(std::int64_t elements, bool compiles_programs) noexcept;
/// Defers the calling thread's operations on any number of elements, for its lifetime, if the queue's device needs
/// compiled programs. For functions that are composed of several operations, which become one program.
class composition {
public:
  explicit composition(const queue &);
  ~composition();
  composition(const composition &) = delete;

private:
  const bool active_;
};
/// Whether the calling thread is in a composition.
bool composes() noexcept;
/// The largest iteration space that is computed at once where block kernels do that. Elsewhere, it is too small to be
/// worth a compilation at its first use.
std::int64_t few_elements() noexcept;
/// Sets the largest iteration space that is computed at once, without deferring. Returns the former value. For tests.
std::int64_t defer_above(std::int64_t elements) noexcept;

}  // namespace dpep::array
