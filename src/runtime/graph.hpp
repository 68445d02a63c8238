// The implementation of dpep::graph: nodes, and the recording of a queue's commands.
//
// One mutex guards all graphs and the recording states of all queues. Programs make graphs once, so that there is no
// contention for it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include <dpep/buffer.hpp>
#include <dpep/graph.hpp>

#include "backend/backend.hpp"
#include "runtime/queue.hpp"

namespace dpep::runtime {

std::mutex &graph_mutex() noexcept;

/// Bytes at an address with the alignment of every kernel's arguments. Copies have their own address.
class aligned_bytes {
public:
  aligned_bytes() = default;
  explicit aligned_bytes(std::span<const std::byte> from);
  std::span<const std::byte> span() const noexcept {
    return {reinterpret_cast<const std::byte *>(blocks_.data()), size_};
  }
  std::span<std::byte> span() noexcept { return {reinterpret_cast<std::byte *>(blocks_.data()), size_}; }

private:
  struct alignas(128) block {
    std::byte bytes[128];
  };
  std::vector<block> blocks_;
  std::size_t size_ = 0;
};

struct recorded_launch {
  ref<const backend::code> code;
  ref<backend::code_source> source;
  geometry work;
  aligned_bytes arguments;
  std::size_t local_bytes;
  source_line where;
};
struct recorded_fill {
  void *to;
  aligned_bytes pattern;
  std::size_t count;
};
/// A node's command with everything that it refers to. monostate: none. executable_graph: a sub-graph.
using recorded_command =
    std::variant<std::monostate, recorded_launch, recorded_fill, backend::command, executable_graph>;

/// The command for a back end, which refers to `c`.
std::variant<backend::launch_command, backend::command> to_backend(const recorded_command &c);

/// A use of a buffer's bytes by a node.
struct buffer_use {
  buffer memory;
  access mode;
  std::size_t offset, bytes;
  void *address;
};

struct alternatives_object;

struct graph_node_data {
  graph_node_kind kind;
  recorded_command own;
  std::vector<std::uint32_t> after, before;  // numbers of other nodes, without duplicates
  std::vector<buffer_use> buffers;
  std::vector<std::shared_ptr<void>> owners;        // of memory that the command uses
  ref<alternatives_object> alternatives = nullptr;  // which have the command, if not null

  recorded_command &command() noexcept;
};

/// The alternatives of a node's command (SYCL's dynamic_command_group).
struct alternatives_object final : object {
  std::size_t graph_id;
  std::vector<graph_node_data> nodes;  // of which `own` is the command
  std::size_t active = 0;
};

class graph_object final : public object {
public:
  graph_object(const dpep::context &, const dpep::device &, graph_options);
  ~graph_object() override;

  const dpep::context context;
  const dpep::device device;
  const graph_options options;
  const std::size_t id;

  // All need the graph's mutex.
  std::vector<graph_node_data> nodes;
  std::vector<queue_object *> recorders;  // the queues that record, without those that add or capture nodes
  std::optional<queue> adding_queue;

  std::uint32_t add(graph_node_data);
  bool add_edge(std::uint32_t first, std::uint32_t second);  // false if there is the edge already
  bool reaches(std::uint32_t from, std::uint32_t to) const;
  std::vector<std::uint32_t> leaves() const;
  /// The nodes that a command with this use must follow.
  void append_conflicts(const buffer_use &, std::vector<std::uint32_t> &after) const;
};

/// The event of a recorded command.
class node_event final : public backend::event {
public:
  node_event(ref<graph_object> graph, std::uint32_t number, std::shared_ptr<std::vector<graph_node_data>> captured = {})
      : graph(std::move(graph)), number(number), captured(std::move(captured)) {}
  const ref<graph_object> graph;
  const std::uint32_t number;
  const std::shared_ptr<std::vector<graph_node_data>> captured;  // has the node, if not null; else the graph has it

  backend_kind kind() const noexcept override { return graph->device.info().backend; }
  event_status status() const noexcept override { return event_status::submitted; }
  bool wait_until(deadline) noexcept override { return false; }
  void when_complete(std::function<void()>) override;
  event_times times() const noexcept override { return {}; }
  bool profiled() const noexcept override { return false; }
  void keep_alive(std::shared_ptr<void> &&) override;
  std::vector<ref<event>> wait_list() const override { return {}; }
  bool is_recorded() const noexcept override { return true; }
  graph_node_data &data() const noexcept;  // requires the mutex
};

/// The graph that the queue records into, or null.
ref<graph_object> graph_of(queue_object &) noexcept;
/// Adds a node for a command of a queue that records, and returns its event. Else returns an empty event. The node
/// follows earlier ones by `buffers`, besides those that require_buffer names.
event record_node(queue_object &, graph_node_kind, dependencies, const std::function<recorded_command()> &,
                  std::span<const buffer_use> buffers = {});
/// Prepares a buffer's use by the next node of the queue, which records. Appends the events that it must follow.
void require_buffer(queue_object &, buffer_use, std::vector<event> &wait_for);
/// Notes the use of a buffer by a node.
void record_buffer(const node_event &, buffer_use);
graph_object &implementation_of(const graph &, const char *operation);

}  // namespace dpep::runtime
