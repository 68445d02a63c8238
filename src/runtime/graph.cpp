// Graphs of commands: nodes, edges, and the recording of queues.
#include "runtime/graph.hpp"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "runtime/empty_handle.hpp"

namespace dpep {
namespace runtime {

std::mutex &graph_mutex() noexcept {
  static std::mutex &mutex = *new std::mutex;  // never destroyed: graphs of static objects may outlive it
  return mutex;
}

aligned_bytes::aligned_bytes(std::span<const std::byte> from)
    : blocks_((from.size() + sizeof(block) - 1) / sizeof(block)), size_(from.size()) {
  if (size_) std::ranges::copy(from, reinterpret_cast<std::byte *>(blocks_.data()));
}

std::variant<backend::launch_command, backend::command> to_backend(const recorded_command &c) {
  if (const auto *const k = std::get_if<recorded_launch>(&c))
    return backend::launch_command{k->code.get(), k->work, k->arguments.span(), k->local_bytes, k->where};
  if (const auto *const f = std::get_if<recorded_fill>(&c))
    return backend::fill_command{f->to, f->pattern.span().data(), f->pattern.span().size(), f->count};
  return std::get<backend::command>(c);
}

recorded_command &graph_node_data::command() noexcept {
  return alternatives ? alternatives->nodes[alternatives->active].own : own;
}

// -- Nodes and edges

namespace {

std::atomic<std::size_t> last_id{0};

void append_once(std::vector<std::uint32_t> &list, std::uint32_t number) {
  if (std::ranges::find(list, number) == list.end()) list.push_back(number);
}

}  // namespace

graph_object::graph_object(const dpep::context &c, const dpep::device &d, graph_options options)
    : context(c), device(d), options(options), id(++last_id) {
  graphs_exist.store(true, std::memory_order_relaxed);
}

graph_object::~graph_object() {
  const std::lock_guard lock(graph_mutex());
  for (queue_object *q : recorders) q->current_recording.reset();
  if (adding_queue) implementation_of(*adding_queue).current_recording.reset();
}

std::uint32_t graph_object::add(graph_node_data node) {
  const auto number = static_cast<std::uint32_t>(nodes.size());
  for (const std::uint32_t earlier : node.after) nodes[earlier].before.push_back(number);
  nodes.push_back(std::move(node));
  return number;
}

bool graph_object::add_edge(std::uint32_t first, std::uint32_t second) {
  if (std::ranges::find(nodes[second].after, first) != nodes[second].after.end()) return false;
  nodes[second].after.push_back(first);
  nodes[first].before.push_back(second);
  return true;
}

bool graph_object::reaches(std::uint32_t from, std::uint32_t to) const {
  std::vector<bool> seen(nodes.size());
  std::vector<std::uint32_t> open{from};
  while (!open.empty()) {
    const std::uint32_t n = open.back();
    open.pop_back();
    if (n == to) return true;
    if (seen[n]) continue;
    seen[n] = true;
    open.insert(open.end(), nodes[n].before.begin(), nodes[n].before.end());
  }
  return false;
}

std::vector<std::uint32_t> graph_object::leaves() const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].before.empty()) all.push_back(i);
  return all;
}

void graph_object::append_conflicts(const buffer_use &fresh, std::vector<std::uint32_t> &after) const {
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    for (const buffer_use &u : nodes[i].buffers)
      if (u.memory == fresh.memory && (u.mode != access::read || fresh.mode != access::read) &&
          u.offset < fresh.offset + fresh.bytes && fresh.offset < u.offset + u.bytes)
        append_once(after, i);
}

// -- Recording

namespace {

const node_event *node_of(const event &e) noexcept {
  const auto *const native = static_cast<const backend::event *>(e.get());
  return native && native->is_recorded() ? static_cast<const node_event *>(native) : nullptr;
}

void check_same_place(const graph_object &g, const queue_object &q, const char *operation) {
  if (g.device == q.device && g.context == q.context) return;
  throw exception(errc::invalid, fmt::format("{}: the queue belongs to another device or context than the graph, which "
                                             "is of the device '{}'",
                                             operation, g.device.info().name));
}

void check_allows_buffers(const graph_object &g) {
  if (!g.options.allows_buffers)
    throw exception(errc::invalid,
                    "recording: a command uses a buffer; create the graph with "
                    "property::graph::assume_buffer_outlives_graph, and keep the buffer as long as the graph");
}

/// Starts recording. Requires the mutex, and that the queue records into no graph (graph_recorded_by). A graph whose
/// destructor is waiting for the mutex loses the queue: it would end the new recording.
void start_recording(graph_object &into, queue_object &q) {
  auto fresh = std::make_unique<recording>(recording{&into});
  into.recorders.push_back(&q);
  if (q.current_recording) std::erase(q.current_recording->into->recorders, &q);
  q.current_recording = std::move(fresh);
}

/// The graph that the queue records into, or null: a graph whose last reference has been released ends the recording.
/// Requires the mutex, which must be unlocked before the result is released.
ref<graph_object> graph_recorded_by(const queue_object &q) noexcept {
  return q.current_recording ? ref<graph_object>::share_if_alive(q.current_recording->into) : nullptr;
}

/// As graph_recorded_by, but starts a recording if the command depends on a node of a graph that queues record into.
ref<graph_object> find_recording(queue_object &q, dependencies after) {
  if (auto graph = graph_recorded_by(q)) return graph;
  const node_event *node = nullptr;
  for (const event &e : after)
    if (!node) node = node_of(e);
  if (!node) return nullptr;
  if (node->captured || node->graph->recorders.empty())
    throw exception(errc::invalid, "submission: an event that it depends on represents a node of a graph, which is "
                                   "not executed; run the finalized graph and depend on that event instead");
  check_same_place(*node->graph, q, "submission");
  start_recording(*node->graph, q);
  return node->graph;
}

/// The numbers of the nodes that the events represent. An empty event without an identity is of the library itself.
std::vector<std::uint32_t> numbers_of(const graph_object &graph, dependencies after) {
  std::vector<std::uint32_t> numbers;
  for (const event &e : after) {
    if (const node_event *const node = node_of(e); node && !node->captured && node->graph.get() == &graph)
      append_once(numbers, node->number);
    else if (e.hash() != 0)
      throw exception(errc::invalid, "recording: a command depends on an event from outside of the graph; only events "
                                     "of commands that were recorded into the same graph are possible");
  }
  return numbers;
}

/// Adds a node to the graph that the queue records into, or to the captured ones. Requires the mutex.
event append_node(recording &r, const queue_object &q, graph_node_data node) {
  graph_object &graph = *r.into;
  if (r.captured) {
    const auto position = static_cast<std::uint32_t>(r.captured->size());
    r.captured->push_back(std::move(node));
    return event(ref<object>(make_object<node_event>(ref<graph_object>::share(&graph), position, r.captured)));
  }
  const bool is_barrier = node.kind == graph_node_kind::barrier;
  if (r.barrier) append_once(node.after, *r.barrier);
  if (q.options.in_order && r.last) append_once(node.after, *r.last);
  const std::uint32_t number = graph.add(std::move(node));
  r.last = number;
  if (is_barrier) {
    r.barrier = number;
    r.since_barrier.clear();
  } else if (!r.is_adding_queue) {
    r.since_barrier.push_back(number);
  }
  return event(ref<object>(make_object<node_event>(ref<graph_object>::share(&graph), number)));
}

}  // namespace

void node_event::when_complete(std::function<void()>) {
  throw exception(errc::invalid, "an event that represents a node of a graph is never complete; use the event of a run "
                                 "of the executable graph");
}

void node_event::keep_alive(std::shared_ptr<void> &&owner) {
  const std::lock_guard lock(graph_mutex());
  data().owners.push_back(std::move(owner));
}

graph_node_data &node_event::data() const noexcept { return captured ? (*captured)[number] : graph->nodes[number]; }

ref<graph_object> graph_of(queue_object &q) noexcept {
  const std::lock_guard lock(graph_mutex());
  return graph_recorded_by(q);
}

event record_node(queue_object &q, graph_node_kind kind, dependencies after,
                  const std::function<recorded_command()> &command, std::span<const buffer_use> buffers) {
  ref<graph_object> graph;  // released without the mutex
  const std::lock_guard lock(graph_mutex());
  graph = graph_recorded_by(q);
  const bool recorded_before = static_cast<bool>(graph);
  if (!graph) graph = find_recording(q, after);
  if (!graph) return event();
  recording &r = *q.current_recording;
  try {
    graph_node_data node{kind, command(), numbers_of(*graph, after), {}, {buffers.begin(), buffers.end()}, {}};
    if (!buffers.empty()) check_allows_buffers(*graph);
    for (const buffer_use &u : buffers) graph->append_conflicts(u, node.after);
    if (kind == graph_node_kind::barrier && after.empty())
      node.after = r.is_adding_queue ? graph->leaves() : r.since_barrier;
    return append_node(r, q, std::move(node));
  } catch (...) {
    if (!recorded_before) {  // the event of a node began the recording
      std::erase(graph->recorders, &q);
      q.current_recording.reset();
    }
    throw;
  }
}

event queue_object::record(const backend::launch_command &c, dependencies after) {
  return record_node(*this, graph_node_kind::kernel, after, [&] {
    return recorded_launch{ref<const backend::code>::share(c.code),
                           ref<backend::code_source>::share(c.source),
                           c.work,
                           aligned_bytes(c.arguments),
                           c.local_bytes,
                           c.where};
  });
}

event queue_object::record(const backend::command &c, dependencies after) {
  struct {
    graph_node_kind operator()(const backend::copy_command &) { return graph_node_kind::copy; }
    graph_node_kind operator()(const backend::fill_command &f) {
      return f.pattern_bytes == 1 ? graph_node_kind::fill_bytes : graph_node_kind::fill;
    }
    graph_node_kind operator()(const backend::prefetch_command &) { return graph_node_kind::prefetch; }
    graph_node_kind operator()(const backend::advise_command &) { return graph_node_kind::advise; }
    graph_node_kind operator()(const backend::barrier_command &) { return graph_node_kind::barrier; }
    graph_node_kind operator()(const backend::host_command &) { return graph_node_kind::host_task; }
    graph_node_kind operator()(const backend::native_command &) { return graph_node_kind::host_task; }
    graph_node_kind operator()(const backend::graph_command &) { return graph_node_kind::subgraph; }
  } kind_of;
  return record_node(*this, std::visit(kind_of, c), after, [&]() -> recorded_command {
    if (const auto *const f = std::get_if<backend::fill_command>(&c))
      return recorded_fill{f->to, aligned_bytes({static_cast<const std::byte *>(f->pattern), f->pattern_bytes}),
                           f->count};
    if (std::holds_alternative<backend::barrier_command>(c)) return std::monostate();
    return c;
  });
}

void require_buffer(queue_object &q, buffer_use use, std::vector<event> &wait_for) {
  ref<graph_object> graph;  // released without the mutex
  const std::lock_guard lock(graph_mutex());
  graph = graph_recorded_by(q);
  if (!graph) return;
  check_allows_buffers(*graph);
  std::vector<std::uint32_t> numbers;
  graph->append_conflicts(use, numbers);
  for (const std::uint32_t n : numbers) wait_for.emplace_back(ref<object>(make_object<node_event>(graph, n)));
}

void record_buffer(const node_event &node, buffer_use use) {
  const std::lock_guard lock(graph_mutex());
  node.data().buffers.push_back(std::move(use));
}

void stop_recording(queue_object &q) noexcept {
  const std::lock_guard lock(graph_mutex());
  if (q.current_recording) std::erase(q.current_recording->into->recorders, &q);
  q.current_recording.reset();
}

bool is_recording(queue_object &q) noexcept { return static_cast<bool>(graph_of(q)); }

void throw_recording(const char *operation) {
  throw exception(errc::invalid,
                  fmt::format("{}: the queue records its commands into a graph and executes none; end the "
                              "recording first",
                              operation));
}

graph_object &implementation_of(const graph &g, const char *operation) {
  if (!g) throw_empty("graph", operation);
  return static_cast<graph_object &>(*g.get());
}

namespace {

graph_object &owner_of(const graph_node &n) { return static_cast<graph_object &>(*n.graph().get()); }

std::vector<graph_node> to_nodes(const ref<object> &graph, const std::vector<std::uint32_t> &numbers) {
  std::vector<graph_node> nodes;
  for (const std::uint32_t n : numbers) nodes.emplace_back(graph, n);
  return nodes;
}

/// Throws errc::invalid if queues record into the graph, which is then not changed by other means.
void check_no_recorder(const graph_object &g, const char *operation) {
  if (!g.recorders.empty())
    throw exception(errc::invalid, fmt::format("{}: queues record into the graph; end the recording first", operation));
}

}  // namespace
}  // namespace runtime

using runtime::graph_mutex;
using runtime::implementation_of;

// -- Nodes

graph_node graph_node::of_event(const event &e) {
  const auto *const node = runtime::node_of(e);
  if (!node || node->captured)
    throw exception(errc::invalid, "node::get_node_from_event: the event's command was not recorded into a graph");
  return {node->graph, node->number};
}

graph_node_kind graph_node::kind() const {
  const std::lock_guard lock(graph_mutex());
  return runtime::owner_of(*this).nodes[number_].kind;
}

std::vector<graph_node> graph_node::predecessors() const {
  const std::lock_guard lock(graph_mutex());
  return runtime::to_nodes(graph_, runtime::owner_of(*this).nodes[number_].after);
}

std::vector<graph_node> graph_node::successors() const {
  const std::lock_guard lock(graph_mutex());
  return runtime::to_nodes(graph_, runtime::owner_of(*this).nodes[number_].before);
}

void graph_node::set_work(const geometry &work) const {
  const std::lock_guard lock(graph_mutex());
  runtime::graph_object &graph = runtime::owner_of(*this);
  auto *const launch = std::get_if<runtime::recorded_launch>(&graph.nodes[number_].command());
  if (!launch || !launch->source)
    throw exception(errc::invalid, "node::update_range: the node is not a kernel, or its index space is fixed");
  if (work.dimensions != launch->work.dimensions)
    throw exception(errc::invalid, fmt::format("node::update_range: the kernel has {} dimensions, the new range {}",
                                               launch->work.dimensions, work.dimensions));
  backend::device &target = runtime::code_device_of(graph.device);
  launch->code = ref<const backend::code>::share(&launch->source->code_for(target, work, launch->local_bytes));
  launch->work = work;
}

void graph_node::set_argument_bytes(std::size_t offset, std::span<const std::byte> bytes) const {
  const std::lock_guard lock(graph_mutex());
  auto *const launch = std::get_if<runtime::recorded_launch>(&runtime::owner_of(*this).nodes[number_].command());
  if (!launch) throw exception(errc::invalid, "node::set_argument_bytes: the node is not a kernel");
  const std::span<std::byte> all = launch->arguments.span();
  if (offset > all.size() || bytes.size() > all.size() - offset)
    throw exception(errc::invalid,
                    fmt::format("node::set_argument_bytes: {} bytes at offset {} pass the end of the arguments, which "
                                "have {} bytes",
                                bytes.size(), offset, all.size()));
  std::ranges::copy(bytes, all.begin() + std::ptrdiff_t(offset));
}

// -- Graphs

graph::graph(const context &c, const device &d, graph_options options) {
  if (!d) runtime::throw_empty("device", "command_graph");
  if (!c) runtime::throw_empty("context", "command_graph");
  if (!c.contains(d))
    throw exception(errc::invalid, fmt::format("command_graph: the device '{}' is not in the context", d.info().name));
  implementation_ = make_object<runtime::graph_object>(c, d, options);
}

void graph::begin_recording(const queue &q) const {
  auto &mine = implementation_of(*this, "begin_recording");
  auto &recorder = implementation_of(q, "begin_recording");
  runtime::check_same_place(mine, recorder, "begin_recording");
  recorder.submit_deferred();
  ref<runtime::graph_object> other;  // released without the mutex
  const std::lock_guard lock(graph_mutex());
  other = runtime::graph_recorded_by(recorder);
  if (other) throw exception(errc::invalid, "begin_recording: the queue records already");
  runtime::start_recording(mine, recorder);
}

void graph::end_recording(const queue &q) const {
  auto &mine = implementation_of(*this, "end_recording");
  auto &recorder = implementation_of(q, "end_recording");
  {
    const std::lock_guard lock(graph_mutex());
    if (recorder.current_recording && recorder.current_recording->into != &mine)
      throw exception(errc::invalid, "end_recording: the queue records into another graph");
  }
  runtime::stop_recording(recorder);
}

void graph::end_recording() const {
  auto &mine = implementation_of(*this, "end_recording");
  const std::lock_guard lock(graph_mutex());
  for (runtime::queue_object *q : mine.recorders) q->current_recording.reset();
  mine.recorders.clear();
}

bool graph::begin_recording_after(const queue &q, dependencies before) {
  if (!runtime::graphs_exist.load(std::memory_order_relaxed)) return false;
  auto &recorder = implementation_of(q, "submission");
  ref<runtime::graph_object> into;  // released without the mutex
  const std::lock_guard lock(graph_mutex());
  into = runtime::graph_recorded_by(recorder);
  if (into) return false;
  into = runtime::find_recording(recorder, before);
  return static_cast<bool>(into);
}

graph graph::recorded_by(const queue &q) {
  if (!runtime::graphs_exist.load(std::memory_order_relaxed)) return graph();
  return graph(ref<object>(runtime::graph_of(implementation_of(q, "ext_oneapi_get_graph"))));
}

const queue &graph::adding_queue() const {
  auto &mine = implementation_of(*this, "add");
  {
    const std::lock_guard lock(graph_mutex());
    runtime::check_no_recorder(mine, "command_graph::add");
    if (mine.adding_queue) return *mine.adding_queue;
  }
  queue fresh(mine.context, mine.device);
  const std::lock_guard lock(graph_mutex());
  if (!mine.adding_queue) {
    implementation_of(fresh).current_recording =
        std::make_unique<runtime::recording>(runtime::recording{&mine, /*is_adding_queue=*/true});
    mine.adding_queue = std::move(fresh);
  }
  return *mine.adding_queue;
}

event graph::add_empty(const queue &q, dependencies after) {
  return runtime::record_node(implementation_of(q, "add"), graph_node_kind::empty, after,
                              [] { return std::monostate(); });
}

void graph::add_edge(const graph_node &first, const graph_node &second) const {
  auto &mine = implementation_of(*this, "make_edge");
  const std::lock_guard lock(graph_mutex());
  runtime::check_no_recorder(mine, "command_graph::make_edge");
  if (first.graph().get() != &mine || second.graph().get() != &mine)
    throw exception(errc::invalid, "command_graph::make_edge: a node belongs to another graph");
  if (first == second) throw exception(errc::invalid, "command_graph::make_edge: both nodes are the same");
  const auto from = static_cast<std::uint32_t>(first.number()), to = static_cast<std::uint32_t>(second.number());
  if (mine.options.checks_cycles && mine.reaches(to, from))
    throw exception(errc::invalid, "command_graph::make_edge: the edge would close a cycle");
  mine.add_edge(from, to);
}

std::vector<graph_node> graph::nodes() const {
  auto &mine = implementation_of(*this, "get_nodes");
  const std::lock_guard lock(graph_mutex());
  std::vector<graph_node> all;
  for (std::size_t i = 0; i < mine.nodes.size(); ++i) all.emplace_back(implementation_, i);
  return all;
}

std::vector<graph_node> graph::roots() const {
  auto &mine = implementation_of(*this, "get_root_nodes");
  const std::lock_guard lock(graph_mutex());
  std::vector<graph_node> all;
  for (std::size_t i = 0; i < mine.nodes.size(); ++i)
    if (mine.nodes[i].after.empty()) all.emplace_back(implementation_, i);
  return all;
}

std::vector<graph_node> graph::leaves() const {
  auto &mine = implementation_of(*this, "add");
  const std::lock_guard lock(graph_mutex());
  return runtime::to_nodes(implementation_, mine.leaves());
}

std::size_t graph::id() const noexcept { return static_cast<const runtime::graph_object *>(get())->id; }

// -- Alternatives

namespace {

runtime::alternatives_object &alternatives_of(const graph_alternatives &a) {
  if (!a) runtime::throw_empty("dynamic_command_group", "dynamic_command_group");
  return static_cast<runtime::alternatives_object &>(*a.get());
}

bool use_same_buffers(const runtime::graph_node_data &a, const runtime::graph_node_data &b) {
  return std::ranges::equal(a.buffers, b.buffers, [](const runtime::buffer_use &x, const runtime::buffer_use &y) {
    return x.memory == y.memory && x.mode == y.mode && x.offset == y.offset && x.bytes == y.bytes;
  });
}

}  // namespace

graph_alternatives graph::make_alternatives(const std::vector<std::function<void(const queue &)>> &record) const {
  auto &mine = runtime::implementation_of(*this, "dynamic_command_group");
  if (record.empty()) throw exception(errc::invalid, "dynamic_command_group: the list of command groups is empty");
  auto made = make_object<runtime::alternatives_object>();
  made->graph_id = mine.id;
  const queue capturing(mine.context, mine.device);  // its own, since other threads may add nodes meanwhile
  for (const auto &one : record) {
    const auto captured = std::make_shared<std::vector<runtime::graph_node_data>>();
    {
      const std::lock_guard lock(graph_mutex());
      runtime::check_no_recorder(mine, "dynamic_command_group");
      implementation_of(capturing).current_recording = std::make_unique<runtime::recording>(
          runtime::recording{.into = &mine, .is_adding_queue = true, .captured = captured});
    }
    one(capturing);
    if (captured->size() != 1 ||
        (captured->front().kind != graph_node_kind::kernel && captured->front().kind != graph_node_kind::host_task))
      throw exception(errc::invalid, "dynamic_command_group: each command group must be one kernel or one host task");
    if (!made->nodes.empty() && captured->front().kind != made->nodes[0].kind)
      throw exception(errc::invalid, "dynamic_command_group: the command groups must be all kernels or all host tasks");
    made->nodes.push_back(std::move(captured->front()));
  }
  return graph_alternatives(ref<object>(std::move(made)));
}

graph_node graph::add(const graph_alternatives &a) const {
  auto &mine = runtime::implementation_of(*this, "add");
  auto &all = alternatives_of(a);
  const std::lock_guard lock(graph_mutex());
  runtime::check_no_recorder(mine, "command_graph::add");
  if (all.graph_id != mine.id)
    throw exception(errc::invalid, "command_graph::add: the dynamic_command_group was made for another graph");
  const runtime::graph_node_data &first = all.nodes.front();
  for (const runtime::graph_node_data &other : all.nodes)
    if (!std::ranges::is_permutation(first.after, other.after) || !use_same_buffers(first, other))
      throw exception(errc::invalid, "command_graph::add: the command groups have different dependencies");
  runtime::graph_node_data node{
      first.kind, std::monostate(), first.after, {}, first.buffers, {}, ref<runtime::alternatives_object>::share(&all)};
  for (const runtime::buffer_use &u : node.buffers) mine.append_conflicts(u, node.after);
  return {implementation_, mine.add(std::move(node))};
}

std::size_t graph_alternatives::active() const {
  const std::lock_guard lock(graph_mutex());
  return alternatives_of(*this).active;
}

void graph_alternatives::activate(std::size_t alternative) const {
  auto &mine = alternatives_of(*this);
  const std::lock_guard lock(graph_mutex());
  if (alternative >= mine.nodes.size())
    throw exception(errc::invalid,
                    fmt::format("dynamic_command_group::set_active_index: the index is {}, the number of "
                                "command groups {}",
                                alternative, mine.nodes.size()));
  mine.active = alternative;
}

}  // namespace dpep
