// The buffers that a command group uses, and the resulting dependencies.
#pragma once

#include <utility>
#include <vector>

#include <dpep/buffer.hpp>
#include <dpep/graph.hpp>

namespace sycl::detail {

struct requirement {
  dpep::buffer memory;
  dpep::access mode;
  std::size_t offset, bytes;
  void *address = nullptr;      // of the buffer's first byte on the queue's device
  bool of_placeholder = false;  // whether handler::require added it
};

class requirements {
public:
  bool empty() const noexcept { return list_.empty(); }

  std::vector<dpep::buffer> buffers() const {
    std::vector<dpep::buffer> all;
    for (const requirement &r : list_) all.push_back(r.memory);
    return all;
  }

  /// Returns the address of the buffer's first byte on the queue's device.
  void *add(const dpep::queue &where, requirement r) {
    // Only determines the address. Dependencies are determined again at submission, since other threads may submit
    // commands in between.
    std::vector<dpep::event> ignored;
    r.address = r.memory.acquire(where, r.mode, r.offset, r.bytes, ignored);
    list_.push_back(std::move(r));
    return list_.back().address;
  }

  /// The address of the buffer's first byte if a placeholder for these bytes was required in this mode, or in any mode
  /// if they are only read; null otherwise.
  void *find(const requirement &wanted) const noexcept {
    for (const requirement &r : list_)
      if (r.of_placeholder && r.memory == wanted.memory && r.offset == wanted.offset && r.bytes == wanted.bytes &&
          (r.mode == wanted.mode || wanted.mode == dpep::access::read))
        return r.address;
    return nullptr;
  }

  /// Appends the command's dependencies to `after`, submits it by `run`, and makes later users depend on it.
  template <class Run>
  dpep::event submit(const dpep::queue &where, std::vector<dpep::event> &after, const Run &run) const {
    const auto submission = dpep::buffer::lock_submission();
    // The command's dependencies on buffers are other ones if an event makes the queue record.
    const bool began_recording = dpep::graph::begin_recording_after(where, after);
    try {
      for (const requirement &r : list_) r.memory.acquire(where, r.mode, r.offset, r.bytes, after);
      dpep::event done = run();
      for (const requirement &r : list_) r.memory.record(done, r.mode, r.offset, r.bytes);
      return done;
    } catch (...) {
      if (began_recording) dpep::graph::recorded_by(where).end_recording(where);
      throw;
    }
  }

private:
  std::vector<requirement> list_;
};

}  // namespace sycl::detail
