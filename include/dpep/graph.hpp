// Graphs: commands that are recorded once and submitted many times.
//
// While a queue records into a graph, its commands become nodes of the graph instead of being executed. A graph with
// all its nodes becomes an executable graph, which any queue of the same device and context runs.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dpep/kernel.hpp>

namespace dpep {

enum class graph_node_kind { empty, subgraph, kernel, copy, fill, fill_bytes, prefetch, advise, barrier, host_task };

struct graph_options {
  bool checks_cycles = true;    // graph::add_edge refuses edges that close a cycle
  bool allows_buffers = false;  // commands may use buffers, which the graph then keeps alive
};
struct executable_graph_options {
  bool updatable = false;  // executable_graph::update is allowed
  bool profiling = false;  // events of runs have times, on queues with profiling
};

/// A node of a graph. Copies refer to the same node, and keep its graph alive.
class DPEP_API graph_node {
public:
  graph_node(ref<object> graph, std::size_t number) noexcept : graph_(std::move(graph)), number_(number) {}
  /// The node of the command that returned this event. Throws errc::invalid if the command was not recorded.
  static graph_node of_event(const event &);

  graph_node_kind kind() const;
  std::vector<graph_node> predecessors() const;
  std::vector<graph_node> successors() const;
  /// Replaces the index space of a kernel. Throws errc::invalid if the node is not a kernel, or for another number of
  /// dimensions, and the errors of dpep::launch.
  void set_work(const geometry &) const;
  /// Replaces bytes of a kernel's arguments. Throws errc::invalid if the node is not a kernel with so many bytes.
  void set_argument_bytes(std::size_t offset, std::span<const std::byte>) const;

  friend bool operator==(const graph_node &a, const graph_node &b) noexcept {
    return a.graph_ == b.graph_ && a.number_ == b.number_;
  }
  std::size_t hash() const noexcept { return std::hash<const void *>()(graph_.get()) ^ number_; }
  const ref<object> &graph() const noexcept { return graph_; }
  std::size_t number() const noexcept { return number_; }

private:
  ref<object> graph_;
  std::size_t number_;
};

/// A node's command of which one of several alternatives is active.
class DPEP_API graph_alternatives : public handle {
public:
  using handle::handle;
  std::size_t active() const;
  /// Throws errc::invalid if there is no such alternative.
  void activate(std::size_t alternative) const;
};

/// A graph whose commands are fixed. It is run by queues, one run at a time.
class DPEP_API executable_graph : public handle {
public:
  using handle::handle;

  /// Submits all commands after the given events and after the graph's last run. The event completes with the last
  /// command. On a queue that records, becomes one node. Throws errc::invalid for a queue of another device or context.
  event run(const queue &, dependencies = {}) const;

  /// Replaces a command by that of the node that it was made from: a kernel or a host task. Throws errc::invalid if the
  /// graph is not updatable, or has no such node.
  void update(const graph_node &) const;
  /// Replaces all commands by those of a graph with the same nodes and edges. Throws errc::invalid if it has others.
  void update(const class graph &) const;
};

class DPEP_API graph : public handle {
public:
  using handle::handle;
  /// Throws errc::invalid if the context does not contain the device.
  graph(const context &, const device &, graph_options = {});

  /// Makes the queue record. Throws errc::invalid if it records already or belongs to another device or context.
  void begin_recording(const queue &) const;
  /// Makes the queue execute its commands again. Throws errc::invalid if it records into another graph.
  void end_recording(const queue &) const;
  /// Ends recording of all queues.
  void end_recording() const;
  /// Makes the queue record if it does not yet and one of the events represents a node of a graph that queues record
  /// into, as a submission after these events does. Returns whether it began.
  static bool begin_recording_after(const queue &, dependencies);
  /// The graph into which the queue records; empty if it records into none.
  static graph recorded_by(const queue &);

  /// A queue that always records into this graph, for nodes that a program adds. Throws errc::invalid while other
  /// queues record.
  const queue &adding_queue() const;
  /// Adds a node without a command that follows the nodes that the events represent, on a queue that records.
  static event add_empty(const queue &, dependencies);
  /// Makes `second` follow `first`. Throws errc::invalid for nodes of other graphs, equal nodes, and cycles.
  void add_edge(const graph_node &first, const graph_node &second) const;

  /// Records commands by functions that submit to the given queue, one each, as alternatives of one node. Throws
  /// errc::invalid while other queues record.
  graph_alternatives make_alternatives(const std::vector<std::function<void(const queue &)>> &record) const;
  /// Adds a node with these alternatives. Throws errc::invalid if their dependencies differ.
  graph_node add(const graph_alternatives &) const;

  std::vector<graph_node> nodes() const;
  std::vector<graph_node> roots() const;
  std::vector<graph_node> leaves() const;
  std::size_t id() const noexcept;  // increases with every graph of the process

  /// Writes the graph in Graphviz's DOT format. Throws errc::invalid if the path does not end in ".dot" or can't be
  /// written.
  void print(const std::string &path, bool verbose) const;

  executable_graph finalize(executable_graph_options = {}) const;
};

}  // namespace dpep

DPEP_HASH_BY_IDENTITY(dpep::graph);
DPEP_HASH_BY_IDENTITY(dpep::executable_graph);
DPEP_HASH_BY_IDENTITY(dpep::graph_alternatives);
template <> struct std::hash<dpep::graph_node> {
  std::size_t operator()(const dpep::graph_node &x) const noexcept { return x.hash(); }
};
