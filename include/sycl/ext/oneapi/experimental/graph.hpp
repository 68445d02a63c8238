// Command graphs: commands that are recorded or added once and submitted many times
// (extension sycl_ext_oneapi_graph).
#pragma once

#include <memory>
#include <span>
#include <string>

#include <dpep/graph.hpp>

#include <sycl/detail/kernel_arguments.hpp>
#include <sycl/queue.hpp>

namespace sycl::ext::oneapi::experimental {

enum class node_type {
  empty,
  subgraph,
  kernel,
  memcpy,
  memset,
  memfill,
  prefetch,
  memadvise,
  ext_oneapi_barrier,
  host_task,
  async_malloc,
  async_free
};

/// A command of a graph.
class node : public dpep::graph_node {
public:
  node(dpep::graph_node native) : dpep::graph_node(std::move(native)) {}

  node_type get_type() const {
    switch (kind()) {
    case dpep::graph_node_kind::empty:
      return node_type::empty;
    case dpep::graph_node_kind::subgraph:
      return node_type::subgraph;
    case dpep::graph_node_kind::kernel:
      return node_type::kernel;
    case dpep::graph_node_kind::copy:
      return node_type::memcpy;
    case dpep::graph_node_kind::fill_bytes:
      return node_type::memset;
    case dpep::graph_node_kind::fill:
      return node_type::memfill;
    case dpep::graph_node_kind::prefetch:
      return node_type::prefetch;
    case dpep::graph_node_kind::advise:
      return node_type::memadvise;
    case dpep::graph_node_kind::barrier:
      return node_type::ext_oneapi_barrier;
    case dpep::graph_node_kind::host_task:
      return node_type::host_task;
    }
    return node_type::empty;
  }
  std::vector<node> get_predecessors() const { return to_nodes(predecessors()); }
  std::vector<node> get_successors() const { return to_nodes(successors()); }
  static node get_node_from_event(const event &recorded) { return of_event(recorded); }
  template <int Dimensions> void update_nd_range(nd_range<Dimensions> work) const {
    set_work(sycl::detail::to_geometry(work));
  }
  template <int Dimensions> void update_range(range<Dimensions> work) const {
    set_work(sycl::detail::to_geometry(work));
  }

  static std::vector<node> to_nodes(const std::vector<dpep::graph_node> &list) { return {list.begin(), list.end()}; }
};

namespace property {

namespace graph {
struct no_cycle_check : sycl::detail::property_base {};
struct assume_buffer_outlives_graph : sycl::detail::property_base {};
struct updatable : sycl::detail::property_base {};
struct enable_profiling : sycl::detail::property_base {};
}  // namespace graph

namespace node {

/// The nodes that an added node follows.
class depends_on : public sycl::detail::property_base {
public:
  template <class... Nodes>
    requires(std::is_convertible_v<Nodes, experimental::node> && ...)
  depends_on(const Nodes &...nodes) : nodes_{nodes...} {}
  const std::vector<experimental::node> &get_dependencies() const { return nodes_; }

private:
  std::vector<experimental::node> nodes_;
};

/// An added node follows all nodes that no other node follows yet.
struct depends_on_all_leaves : sycl::detail::property_base {};

}  // namespace node

}  // namespace property

class dynamic_command_group;

/// A graph that a queue runs with ext_oneapi_graph.
template <> class command_graph<graph_state::executable> : public dpep::executable_graph {
public:
  command_graph() = delete;
  command_graph(dpep::executable_graph native) : dpep::executable_graph(std::move(native)) {}

  void update(const node &changed) { dpep::executable_graph::update(changed); }
  void update(const std::vector<node> &changed) {
    for (const node &n : changed) update(n);
  }
  inline void update(const command_graph<graph_state::modifiable> &source);
  std::size_t get_required_mem_size() const noexcept { return 0; }  // graphs own no memory
};

/// A graph that nodes are added to, by command groups or by recording the commands of queues.
template <> class command_graph<graph_state::modifiable> : public dpep::graph {
public:
  command_graph(dpep::graph native) : dpep::graph(std::move(native)) {}
  command_graph(const context &with, const device &where, const property_list &properties = {})
      : dpep::graph(with, where, to_options(properties)) {}
  explicit command_graph(const queue &q, const property_list &properties = {})
      : command_graph(q.get_context(), q.get_device(), properties) {}
  explicit command_graph(const device &where, const property_list &properties = {})
      : command_graph(where.get_platform().ext_oneapi_get_default_context(), where, properties) {}

  void begin_recording(queue &recorder, const property_list & = {}) { dpep::graph::begin_recording(recorder); }
  void begin_recording(const std::vector<queue> &recorders, const property_list & = {}) {
    for (const queue &q : recorders)
      if (dpep::graph::recorded_by(q))
        throw exception(errc::invalid, "command_graph::begin_recording: a queue records already");
    for (auto q = recorders.begin(); q != recorders.end(); ++q) try {
        dpep::graph::begin_recording(*q);
      } catch (...) {
        while (q != recorders.begin()) dpep::graph::end_recording(*--q);
        throw;
      }
  }
  void end_recording() { dpep::graph::end_recording(); }
  void end_recording(queue &recorder) { dpep::graph::end_recording(recorder); }
  void end_recording(const std::vector<queue> &recorders) {
    for (const queue &q : recorders) dpep::graph::end_recording(q);
  }

  node add(const property_list &properties = {}) {
    return add([](handler &) {}, properties);
  }
  template <class CommandGroup>
    requires std::is_invocable_v<CommandGroup &, handler &>
  node add(CommandGroup group, const property_list &properties = {}) {
    const std::vector<dpep::graph_node> before = predecessors_of(properties);
    const node added = node::of_event(sycl::detail::handler_access::submit(adding_queue(), group));
    for (const dpep::graph_node &n : before) add_edge(n, added);
    return added;
  }
  inline node add(dynamic_command_group &group, const property_list &properties = {});
  void make_edge(const node &from, const node &to) { add_edge(from, to); }

  std::vector<node> get_nodes() const { return node::to_nodes(nodes()); }
  std::vector<node> get_root_nodes() const { return node::to_nodes(roots()); }
  bool empty() const { return nodes().empty(); }
  std::size_t get_id() const noexcept { return id(); }
  void print_graph(const std::string &path, bool verbose = false) const { print(path, verbose); }

  command_graph<graph_state::executable> finalize(const property_list &properties = {}) const {
    return dpep::graph::finalize({.updatable = properties.has_property<property::graph::updatable>(),
                                  .profiling = properties.has_property<property::graph::enable_profiling>()});
  }

private:
  static dpep::graph_options to_options(const property_list &properties) {
    return {.checks_cycles = !properties.has_property<property::graph::no_cycle_check>(),
            .allows_buffers = properties.has_property<property::graph::assume_buffer_outlives_graph>()};
  }
  /// The nodes that the properties of an added node name.
  std::vector<dpep::graph_node> predecessors_of(const property_list &properties) const {
    std::vector<dpep::graph_node> before;
    if (properties.has_property<property::node::depends_on>()) {
      const auto named = properties.get_property<property::node::depends_on>();
      for (const node &n : named.get_dependencies()) {
        if (n.graph().get() != get())
          throw exception(errc::invalid,
                          "command_graph::add: property::node::depends_on names a node of another graph");
        before.push_back(n);
      }
    }
    if (properties.has_property<property::node::depends_on_all_leaves>())
      for (const dpep::graph_node &n : leaves()) before.push_back(n);
    return before;
  }
};

command_graph(const context &, const device &, const property_list & = {}) -> command_graph<>;
command_graph(const queue &, const property_list & = {}) -> command_graph<>;
command_graph(const device &, const property_list & = {}) -> command_graph<>;

/// Command groups of which one is the command of a node.
class dynamic_command_group : public dpep::graph_alternatives {
public:
  dynamic_command_group(const command_graph<graph_state::modifiable> &graph,
                        const std::vector<std::function<void(handler &)>> &groups)
      : dpep::graph_alternatives(record(graph, groups)) {}

  std::size_t get_active_index() const { return active(); }
  void set_active_index(std::size_t index) { activate(index); }

private:
  static dpep::graph_alternatives record(const command_graph<graph_state::modifiable> &graph,
                                         const std::vector<std::function<void(handler &)>> &groups) {
    std::vector<std::function<void(const dpep::queue &)>> submissions;
    for (const auto &group : groups)
      submissions.push_back([&group](const dpep::queue &q) { sycl::detail::handler_access::submit(q, group); });
    return graph.make_alternatives(submissions);
  }
};

/// An argument of kernels in graphs that can be given another value later: a pointer to USM memory or a trivially
/// copyable value. handler::set_arg takes it for kernels that have arguments, which are those from source text and
/// SPIR-V. The nodes have the new value at once; command_graph::update brings it to an executable graph.
template <class ValueT> class dynamic_parameter {
  static_assert(std::is_trivially_copyable_v<ValueT>,
                "dynamic_parameter: a value is a pointer to USM memory or trivially copyable; accessors are not "
                "supported");

public:
  static constexpr bool is_pointer = std::is_pointer_v<ValueT>;

  explicit dynamic_parameter(const ValueT &value)
      : argument_(std::make_shared<sycl::detail::dynamic_argument>(bytes_of(value))) {}
  dynamic_parameter(const command_graph<graph_state::modifiable> &, const ValueT &value) : dynamic_parameter(value) {}

  void update(const ValueT &value) { argument_->update(bytes_of(value)); }
  const std::shared_ptr<sycl::detail::dynamic_argument> &dynamic() const noexcept { return argument_; }
  friend bool operator==(const dynamic_parameter &, const dynamic_parameter &) = default;

private:
  static std::span<const std::byte> bytes_of(const ValueT &value) {
    return {reinterpret_cast<const std::byte *>(&value), sizeof value};
  }
  std::shared_ptr<sycl::detail::dynamic_argument> argument_;
};

inline node command_graph<graph_state::modifiable>::add(dynamic_command_group &group, const property_list &properties) {
  const std::vector<dpep::graph_node> before = predecessors_of(properties);
  const node added = dpep::graph::add(group);
  for (const dpep::graph_node &n : before) add_edge(n, added);
  return added;
}

inline void command_graph<graph_state::executable>::update(const command_graph<graph_state::modifiable> &source) {
  dpep::executable_graph::update(source);
}

}  // namespace sycl::ext::oneapi::experimental

namespace sycl {

inline void handler::ext_oneapi_graph(const detail::executable_command_graph &graph) {
  set_action([graph](const dpep::queue &q, dpep::dependencies after, std::size_t) { return graph.run(q, after); });
}

inline event queue::ext_oneapi_graph(const detail::executable_command_graph &graph) const { return graph.run(*this); }
inline event queue::ext_oneapi_graph(const detail::executable_command_graph &graph, const event &after) const {
  return graph.run(*this, detail::to_dpep(after));
}
inline event queue::ext_oneapi_graph(const detail::executable_command_graph &graph,
                                     const std::vector<event> &after) const {
  return graph.run(*this, detail::to_dpep(after));
}

inline ext::oneapi::experimental::queue_state queue::ext_oneapi_get_state() const {
  using ext::oneapi::experimental::queue_state;
  return dpep::graph::recorded_by(*this) ? queue_state::recording : queue_state::executing;
}

inline ext::oneapi::experimental::command_graph<> queue::ext_oneapi_get_graph() const {
  dpep::graph graph = dpep::graph::recorded_by(*this);
  if (!graph) throw exception(errc::invalid, "queue::ext_oneapi_get_graph: the queue records into no graph");
  return graph;
}

}  // namespace sycl

template <class T> struct std::hash<sycl::ext::oneapi::experimental::dynamic_parameter<T>> {
  std::size_t operator()(const sycl::ext::oneapi::experimental::dynamic_parameter<T> &p) const noexcept {
    return std::hash<const void *>()(p.dynamic().get());
  }
};
template <> struct std::hash<sycl::ext::oneapi::experimental::node> : std::hash<dpep::graph_node> {};
template <> struct std::hash<sycl::ext::oneapi::experimental::command_graph<>> : std::hash<dpep::graph> {};
template <> struct std::hash<sycl::detail::executable_command_graph> : std::hash<dpep::executable_graph> {};
