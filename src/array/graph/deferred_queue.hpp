// The array work of one queue: what is pending, what was submitted last, and when the one becomes the other.
//
// Every function may be called from any thread: one mutex guards the stream, the pending nodes' links to arrays and
// memory, and what evaluation does to nodes.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <dpep/array_functions.hpp>

#include "array/graph/array_object.hpp"
#include "array/fusion/fuse.hpp"
#include "array/graph/node.hpp"
#include "backend/backend.hpp"
#include "runtime/queue_memory_cache.hpp"
#include "runtime/queue.hpp"

namespace dpep::array {

/// Bytes that the elements of an array lie in.
struct byte_range {
  const std::byte *first, *end;
  bool meets(const byte_range &o) const noexcept { return first < o.end && o.first < end; }
};
byte_range range_of(const storage &, const layout &, dtype) noexcept;

class stream final : public runtime::deferred_work {
public:
  static stream &of(const queue &);
  explicit stream(runtime::queue_object &);
  ~stream() override;

  /// Of storages that died, for those to come; null where the host runs the work, which is mostly done at once.
  runtime::queue_memory_cache *memory() const noexcept { return memory_.get(); }

  ndarray show(const queue &, ref<node>, usm_kind, layout);
  ndarray show_in_order(const queue &, ref<node>, usm_kind);  // of what it reads
  void store(array_object &to, ref<node>);

  /// A node for a pending array's values; null when they are in memory (afterwards, if need be).
  ref<node> producer_of(array_object &);
  void compute(array_object &);
  void forget(array_object &) noexcept;
  void forget(node &) noexcept;

  void submit_all() override;
  bool idle() noexcept;
  event last();
  /// Array work by other means: `submit` gets what it has to wait for. What follows waits for it. (In entry.hpp.)
  template <class F> void in_turn(F submit);
  /// As the function of array_order.hpp, which waits for nothing, however much is submitted.
  event in_turn(dependencies after, const std::function<event(dependencies)> &submit);
  /// Other work, which need not wait for last(): what follows waits for both.
  void order_after(const event &);
  /// Words of the device's memory that are zero whenever no kernel is running that counts in them.
  std::byte *counters();
  static constexpr std::size_t counter_bytes = 16 * 1024;
  /// Words of 64 bits of the device's memory by which a kernel's work-groups tell each other something: in their upper
  /// halves, none has the mark before that kernel runs. Within in_turn(), since the next kernel gets them, too.
  struct marked_words {
    std::byte *first;
    std::uint32_t mark;
    std::shared_ptr<void> keep;  // until the kernel has run
  };
  marked_words words(std::size_t bytes);
  pending_work pending() noexcept;
  /// For tests: programs submitted so far, and how many values of nodes they stored.
  struct counts {
    std::uint64_t programs, stored;
  };
  counts counted();

private:
  class entry;  // holds the mutex; may be nested

  // stream.cpp: what is pending
  ndarray note(const queue &, ref<node>, usm_kind, layout);
  void register_graph(node &);
  void read_by(node &);
  void unlist(node &) noexcept;
  void keep_within_limits(node &newest);
  std::shared_ptr<void> zeroed_memory(std::size_t bytes);
  bool short_of_memory() const;
  ref<node> view_of_producer(const array_object &view, array_object &base);

  // evaluate.cpp: making it run
  void evaluate(std::vector<target>, std::span<const ref<node>> others = {});
  void join(std::vector<target> &, std::span<const ref<node>> others, fused &);
  void evaluate_shown(node &);
  void evaluate_noted();
  void evaluate_all(std::vector<ref<node>>);  // inputs before consumers
  void submit(composition);
  void compile_following(const composition &first) noexcept;  // compile_following.cpp
  void limit_flights(std::size_t new_bytes);
  void drop_landed();
  void come_last(event);
  /// What `submit` returns, which comes after last_ and is to take its place.
  template <class F> event replace_last(F &&submit) {
    const backend::replaced_event_scope former(last_);
    return submit();
  }
  event take_overdue() noexcept;
  void fulfil(const target &);
  void fulfil_nothing(target);
  std::vector<ref<node>> shown_nodes(), small_results();

  // dump.cpp: what an evaluation submits, for DPEP_DUMP
  void dump(const composition &);
  void write_dump() noexcept;

  // hazards.cpp: writing to memory that others read
  std::vector<ref<node>> shown_readers(const byte_range &, const storage &);

  runtime::queue_object &queue_object_;
  std::mutex mutex_;
  const bool generates_;               // programs run as generated kernels
  std::span<const target> following_;  // what is to be evaluated when what is being evaluated now is in memory
  std::vector<node *> shown_;          // the nodes of pending arrays, oldest first
  std::size_t nodes_ = 0, held_ = 0;   // below them, and the bytes that they read
  const std::size_t most_held_;
  std::uint64_t programs_ = 0, stored_ = 0;  // submitted, and values that they stored for nodes
  event last_;
  std::atomic<bool> flying_{false};  // `last_` may not be complete
  // What runs, oldest first, with the bytes that it was given. Whoever submits more than there should be waits.
  struct flight {
    event done;
    std::size_t bytes;
  };
  std::deque<flight> flights_;
  std::size_t flying_bytes_ = 0;
  std::size_t boarded_ = 0, boarded_bytes_ = 0;  // programs behind the last flight, which are in none yet
  std::shared_ptr<void> counters_, words_;
  std::size_t words_bytes_ = 0;
  std::uint32_t mark_ = 0;
  const std::shared_ptr<runtime::queue_memory_cache> memory_;
  std::string dump_;
  std::size_t dumped_ = 0;
};

/// Iteration spaces up to this many elements are computed at once; returns what it was before. For tests.
std::int64_t defer_above(std::int64_t elements) noexcept;

}  // namespace dpep::array
