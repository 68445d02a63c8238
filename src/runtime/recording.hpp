// The recording of a queue's commands into a graph, as queues see it; graph.hpp has the graphs.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace dpep::runtime {

class graph_object;
class queue_object;
struct graph_node_data;

/// Whether the program has made a graph. Submissions then check whether they are recorded.
inline constinit std::atomic<bool> graphs_exist{false};

/// The recording state of a queue.
struct recording {
  graph_object *into;  // ends all recordings when it is destroyed
  bool is_adding_queue = false;
  std::shared_ptr<std::vector<graph_node_data>> captured = {};  // receives nodes instead of the graph, if not null
  std::optional<std::uint32_t> last = {};                       // in-order queues: the last node
  std::optional<std::uint32_t> barrier = {};                    // the last barrier, which later nodes follow
  std::vector<std::uint32_t> since_barrier = {};
};

void stop_recording(queue_object &) noexcept;
bool is_recording(queue_object &) noexcept;
[[noreturn]] void throw_recording(const char *operation);
/// Throws errc::invalid if the queue records.
inline void reject_recording(queue_object &q, const char *operation) {
  if (graphs_exist.load(std::memory_order_relaxed) && is_recording(q)) [[unlikely]]
    throw_recording(operation);
}

}  // namespace dpep::runtime
