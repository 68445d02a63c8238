// Executable graphs: commands in an order that follows the edges, and their submission.
//
// A back end that can prepares all commands to be submitted as one. Otherwise each run submits them one by one with
// everything prepared: code, index space and arguments. On CPUs, the first short commands are executed at once.
#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "runtime/empty_handle.hpp"
#include "runtime/graph.hpp"

namespace dpep {
namespace runtime {
namespace {

/// A command of an executable graph. `command` owns what the step of the same number refers to.
struct owned_command {
  recorded_command command;
  std::optional<std::uint32_t> node;  // number in the source graph; none for commands of sub-graphs
  std::vector<std::shared_ptr<void>> owners;
};

/// The event of a run on a queue that profiles: the times of all commands together.
class run_event final : public backend::event {
public:
  run_event(ref<backend::event> last, std::vector<ref<backend::event>> all, bool profiled)
      : last_(std::move(last)), all_(std::move(all)), profiled_(profiled) {}
  backend_kind kind() const noexcept override { return last_->kind(); }
  event_status status() const noexcept override {
    const event_status s = last_->status();
    if (s == event_status::submitted)
      for (const auto &e : all_)
        if (e->status() != event_status::submitted) return event_status::running;
    return s;
  }
  bool wait_until(deadline d) noexcept override { return last_->wait_until(d); }
  bool waits_for_caller() const override { return last_->waits_for_caller(); }
  void when_complete(std::function<void()> f) override { last_->when_complete(std::move(f)); }
  event_times times() const noexcept override {
    event_times t = last_->times();
    for (const auto &e : all_) {
      const event_times own = e->times();
      if (own.submit && own.submit < t.submit) t.submit = own.submit;
      if (own.start && (own.start < t.start || !t.start)) t.start = own.start;
      if (t.end) t.end = std::max(t.end, own.end);
    }
    return t;
  }
  bool profiled() const noexcept override { return profiled_; }
  void keep_alive(std::shared_ptr<void> &&owner) override { last_->keep_alive(std::move(owner)); }
  std::vector<ref<event>> wait_list() const override { return last_->wait_list(); }
  backend::error_slot *errors() const noexcept override { return last_->errors(); }

private:
  const ref<backend::event> last_;
  const std::vector<ref<backend::event>> all_;
  const bool profiled_;
};

class executable_object final : public object {
public:
  executable_object(graph_object &source, executable_graph_options);

  event run(const queue &, dependencies);
  void update(const graph_node &);
  void update(graph_object &source);

private:
  struct flattener;
  /// What a graph with the same nodes and edges has for each node.
  struct replacement {
    std::vector<owned_command> commands;
    std::vector<buffer_use> buffers;
  };
  using buffer_uses = std::shared_ptr<const std::vector<buffer_use>>;

  void check_updatable() const;
  void prepare_to_replace();
  replacement replacement_by(graph_object &) const;
  void replace(std::size_t step, const recorded_command &);
  buffer_uses buffers();
  void run_on(queue_object &, dependencies);
  void submit_each(queue_object &, dependencies);
  event join(queue_object &);
  void follow_incomplete_run(queue_object &);

  const dpep::context context_;
  const dpep::device device_;
  const std::size_t source_id_;
  const executable_graph_options options_;
  std::vector<std::vector<std::uint32_t>> edges_;  // of the source graph, to compare
  std::vector<graph_node_kind> kinds_;

  std::mutex mutex_;  // guards the following members and keeps runs apart
  std::vector<owned_command> commands_;
  std::vector<backend::graph_step> steps_;
  std::vector<std::uint32_t> leaves_;
  buffer_uses buffers_;
  event last_run_;
  std::vector<event> done_;   // of the steps of the run that is being submitted
  std::vector<event> waits_;  // dependencies of a step
  ref<backend::prepared_graph> prepared_;
  std::weak_ptr<backend::queue> prepared_for_;
};

/// Appends the commands of a graph to those of an executable graph, in an order that follows the edges, without empty
/// nodes.
struct executable_object::flattener {
  using positions = std::vector<std::uint32_t>;
  executable_object &into;
  std::vector<buffer_use> buffers = {};

  static void unite(positions &all, const positions &more) {
    for (const std::uint32_t p : more)
      if (std::ranges::find(all, p) == all.end()) all.push_back(p);
  }

  std::uint32_t append(owned_command command, positions after) {
    into.commands_.push_back(std::move(command));
    into.steps_.push_back({{}, std::move(after)});
    return static_cast<std::uint32_t>(into.steps_.size() - 1);
  }

  static std::vector<std::shared_ptr<void>> owners_of(const graph_node_data &node) {
    std::vector<std::shared_ptr<void>> all = node.owners;
    if (node.alternatives)
      for (const graph_node_data &each : node.alternatives->nodes)
        all.insert(all.end(), each.owners.begin(), each.owners.end());
    return all;
  }

  /// Appends the commands of a sub-graph behind the given steps, and returns those that end it.
  positions append_subgraph(executable_object &inner, const positions &after) {
    const std::lock_guard lock(inner.mutex_);
    const auto first = static_cast<std::uint32_t>(into.steps_.size());
    for (std::size_t i = 0; i < inner.steps_.size(); ++i) {
      positions mine = inner.steps_[i].after.empty() ? after : inner.steps_[i].after;
      if (!inner.steps_[i].after.empty())
        for (std::uint32_t &p : mine) p += first;
      owned_command copy = inner.commands_[i];
      copy.node.reset();
      append(std::move(copy), std::move(mine));
    }
    buffers.insert(buffers.end(), inner.buffers_->begin(), inner.buffers_->end());
    positions ends = inner.leaves_;
    for (std::uint32_t &p : ends) p += first;
    return ends.empty() ? after : ends;
  }

  void append_graph(graph_object &source) {
    const std::size_t count = source.nodes.size();
    std::vector<positions> ends(count);  // the steps that a node's successors follow
    std::vector<std::size_t> missing(count);
    positions ready;
    for (std::uint32_t i = 0; i < count; ++i)
      if (!(missing[i] = source.nodes[i].after.size())) ready.push_back(i);
    for (std::size_t next = 0; next < ready.size(); ++next) {
      const std::uint32_t n = ready[next];
      graph_node_data &node = source.nodes[n];
      positions after;
      for (const std::uint32_t earlier : node.after) unite(after, ends[earlier]);
      recorded_command &command = node.command();
      if (std::holds_alternative<std::monostate>(command))
        ends[n] = after;
      else if (auto *const inner = std::get_if<executable_graph>(&command))
        ends[n] = append_subgraph(static_cast<executable_object &>(*inner->get()), after);
      else
        ends[n] = {append({command, n, owners_of(node)}, after)};
      if (!std::holds_alternative<executable_graph>(command))
        buffers.insert(buffers.end(), node.buffers.begin(), node.buffers.end());
      for (const std::uint32_t later : node.before)
        if (!--missing[later]) ready.push_back(later);
    }
    if (ready.size() != count) throw exception(errc::invalid, "command_graph::finalize: the graph has a cycle");
  }
};

executable_object::executable_object(graph_object &source, executable_graph_options options)
    : context_(source.context), device_(source.device), source_id_(source.id), options_(options) {
  flattener all{*this};
  all.append_graph(source);
  buffers_ = std::make_shared<const std::vector<buffer_use>>(std::move(all.buffers));
  for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i].what = to_backend(commands_[i].command);
  std::vector<bool> followed(steps_.size());
  for (const backend::graph_step &s : steps_)
    for (const std::uint32_t p : s.after) followed[p] = true;
  for (std::uint32_t i = 0; i < steps_.size(); ++i)
    if (!followed[i]) leaves_.push_back(i);
  for (const graph_node_data &n : source.nodes) {
    edges_.push_back(n.after);
    kinds_.push_back(n.kind);
  }
}

executable_object::buffer_uses executable_object::buffers() {
  const std::lock_guard lock(mutex_);
  return buffers_;
}

/// Executes the first commands at once if they are short, and submits the others one by one. done_ has the events of
/// the steps then, or of those before one that failed.
void executable_object::submit_each(queue_object &q, dependencies first) {
  const bool in_order = q.options.in_order;
  done_.clear();
  ref<backend::event> failed;
  const std::size_t executed = q.back().run_short(steps_, first, failed);
  done_.resize(executed);
  if (failed) done_.back() = event(ref<object>(std::move(failed)));
  for (std::size_t i = executed; i < steps_.size(); ++i) {
    backend::graph_step &step = steps_[i];
    dependencies after = first;
    if (in_order ? i != 0 : !step.after.empty()) {  // an in-order queue needs no events
      waits_.clear();
      if (!in_order)
        for (const std::uint32_t p : step.after)
          if (done_[p].get()) waits_.push_back(done_[p]);
      after = waits_;
    }
    if (auto *const launch = std::get_if<backend::launch_command>(&step.what))
      done_.push_back(q.launch_unrecorded(*launch, after));
    else
      done_.push_back(q.submit_unrecorded(std::get<backend::command>(step.what), after, "graph"));
  }
}

/// One event for all commands that submit_each has submitted.
event executable_object::join(queue_object &q) {
  event last;
  if (q.options.in_order) {
    if (!done_.empty()) last = done_.back();
  } else {
    waits_.clear();
    for (const std::uint32_t p : leaves_)
      if (done_[p].get()) waits_.push_back(done_[p]);
    if (waits_.size() == 1)
      last = waits_.front();
    else if (!waits_.empty())
      last = q.submit_unrecorded(backend::copy_command{nullptr, nullptr, 0}, waits_, "graph");
  }
  waits_.clear();
  if (q.options.profiling && last.get()) {
    std::vector<ref<backend::event>> all;
    for (const event &e : done_)
      if (e.get()) all.push_back(ref<backend::event>::share(static_cast<backend::event *>(e.get())));
    last = event(ref<object>(make_object<run_event>(
        ref<backend::event>::share(static_cast<backend::event *>(last.get())), std::move(all), options_.profiling)));
  }
  done_.clear();
  return last;
}

/// After a failure of submit_each: later runs, updates, and the release of what the commands use wait for the commands
/// that have been submitted.
void executable_object::follow_incomplete_run(queue_object &q) {
  std::erase_if(done_, [](const event &e) { return !e.get(); });
  if (!done_.empty()) {
    try {
      last_run_ = q.submit_unrecorded(backend::copy_command{nullptr, nullptr, 0}, done_, "graph");
      last_run_.keep_alive(std::make_shared<executable_graph>(ref<object>::share(this)));
    } catch (...) {
      event::wait(done_);
    }
  }
  done_.clear();
}

event executable_object::run(const queue &where, dependencies after) {
  queue_object &q = implementation_of(where, "ext_oneapi_graph");
  if (!(q.device == device_ && q.context == context_))
    throw exception(errc::invalid, fmt::format("ext_oneapi_graph: the queue belongs to another device or context than "
                                               "the graph, which is of the device '{}'",
                                               device_.info().name));
  const executable_graph self(ref<object>::share(this));
  const buffer_uses uses = buffers();
  const auto lock_buffers = [&] { return uses->empty() ? std::unique_lock<std::mutex>() : buffer::lock_submission(); };
  {
    const auto submission = lock_buffers();
    event node = record_node(q, graph_node_kind::subgraph, after, [&]() -> recorded_command { return self; }, *uses);
    if (node.get()) return node;
  }
  // The graph's own mutex is locked last: acquiring a buffer takes others, and array work takes that of all graphs.
  q.submit_deferred();
  const auto submission = lock_buffers();
  std::vector<event> first;
  for (const buffer_use &u : *uses)
    if (u.memory.acquire(where, u.mode, u.offset, u.bytes, first) != u.address)
      throw exception(errc::invalid, "ext_oneapi_graph: a buffer of the graph has been moved to another device");
  const std::lock_guard lock(mutex_);
  const auto record_buffers = [&] {
    for (const buffer_use &u : *uses) u.memory.record(last_run_, u.mode, u.offset, u.bytes);
  };
  if (last_run_.get() && last_run_.status() != event_status::complete) first.push_back(last_run_);
  dependencies roots = after;
  if (!first.empty()) {
    first.insert(first.end(), after.begin(), after.end());
    roots = first;
  }
  try {
    run_on(q, roots);
  } catch (...) {
    follow_incomplete_run(q);
    record_buffers();
    throw;
  }
  record_buffers();
  return last_run_;
}

/// Submits all commands, and sets last_run_. Requires the mutex.
void executable_object::run_on(queue_object &q, dependencies roots) {
  if (steps_.empty()) {
    const bool nothing = roots.empty() && !q.options.in_order;
    last_run_ = nothing ? event() : q.submit_unrecorded(backend::barrier_command{}, roots, "graph");
    return;
  }
  if (prepared_for_.lock() != q.shared_back()) {
    prepared_ = q.back().prepare(steps_);
    prepared_for_ = q.shared_back();
  }
  if (prepared_) {
    last_run_ = q.submit_unrecorded(backend::graph_command{prepared_}, roots, "graph");
    last_run_.keep_alive(std::make_shared<executable_graph>(ref<object>::share(this)));
    if (q.options.profiling && !options_.profiling)  // the queue's event has times, that of the run must not
      last_run_ = event(
          ref<object>(make_object<run_event>(ref<backend::event>::share(static_cast<backend::event *>(last_run_.get())),
                                             std::vector<ref<backend::event>>(), false)));
  } else {
    submit_each(q, roots);
    last_run_ = join(q);
    if (last_run_.get() && std::ranges::any_of(commands_, [](const owned_command &c) { return !c.owners.empty(); }))
      last_run_.keep_alive(std::make_shared<executable_graph>(ref<object>::share(this)));
  }
}

// -- Updates

void executable_object::check_updatable() const {
  if (!options_.updatable)
    throw exception(errc::invalid, "command_graph::update: the graph was finalized without property::graph::updatable");
}

/// Waits for the last run, which uses the commands, before they are replaced. Requires the mutex.
void executable_object::prepare_to_replace() {
  last_run_.wait();
  prepared_for_.reset();
  prepared_ = nullptr;
}

void executable_object::replace(std::size_t step, const recorded_command &command) {
  commands_[step].command = command;
  steps_[step].what = to_backend(commands_[step].command);
}

void executable_object::update(const graph_node &node) {
  check_updatable();
  recorded_command fresh;
  {
    const std::lock_guard lock(graph_mutex());
    auto &source = static_cast<graph_object &>(*node.graph().get());
    if (source.id != source_id_ || node.number() >= kinds_.size())
      throw exception(errc::invalid, "command_graph::update: the node does not belong to the graph that was finalized");
    if (kinds_[node.number()] != graph_node_kind::kernel && kinds_[node.number()] != graph_node_kind::host_task)
      throw exception(errc::invalid, "command_graph::update: only kernels and host tasks can be updated");
    fresh = source.nodes[node.number()].command();
  }
  const std::lock_guard lock(mutex_);
  prepare_to_replace();
  for (std::size_t i = 0; i < commands_.size(); ++i)
    if (commands_[i].node == node.number()) replace(i, fresh);
}

/// Throws errc::invalid if the graph has other nodes or edges.
executable_object::replacement executable_object::replacement_by(graph_object &source) const {
  const std::lock_guard lock(graph_mutex());
  if (!(source.context == context_ && source.device == device_))
    throw exception(errc::invalid, "command_graph::update: the graphs belong to different devices or contexts");
  bool same = source.nodes.size() == kinds_.size();
  for (std::size_t i = 0; same && i < kinds_.size(); ++i)
    same = source.nodes[i].kind == kinds_[i] && std::ranges::is_permutation(source.nodes[i].after, edges_[i]);
  if (!same) throw exception(errc::invalid, "command_graph::update: the graphs have different nodes or edges");
  for (const graph_node_kind k : kinds_)
    if (k != graph_node_kind::kernel && k != graph_node_kind::host_task && k != graph_node_kind::empty &&
        k != graph_node_kind::barrier)
      throw exception(errc::invalid, "command_graph::update: a graph can replace the commands of another if it has "
                                     "kernels, host tasks, barriers and empty nodes only");
  replacement all;
  for (graph_node_data &n : source.nodes) {
    all.commands.push_back({n.command(), std::nullopt, flattener::owners_of(n)});
    all.buffers.insert(all.buffers.end(), n.buffers.begin(), n.buffers.end());
  }
  return all;
}

void executable_object::update(graph_object &source) {
  check_updatable();
  replacement by = replacement_by(source);
  const std::vector<owned_command> &fresh = by.commands;
  const std::lock_guard lock(mutex_);
  for (const owned_command &c : commands_) {
    const auto *const before = std::get_if<recorded_launch>(&c.command);
    const auto *const after = c.node ? std::get_if<recorded_launch>(&fresh[*c.node].command) : nullptr;
    if (before && after && before->source != after->source)
      throw exception(errc::invalid, "command_graph::update: corresponding nodes have different kernels");
  }
  prepare_to_replace();
  for (std::size_t i = 0; i < commands_.size(); ++i)
    if (commands_[i].node) {
      commands_[i].owners = fresh[*commands_[i].node].owners;
      replace(i, fresh[*commands_[i].node].command);
    }
  buffers_ = std::make_shared<const std::vector<buffer_use>>(std::move(by.buffers));
}

executable_object &executable_of(const executable_graph &g, const char *operation) {
  if (!g) throw_empty("executable graph", operation);
  return static_cast<executable_object &>(*g.get());
}

}  // namespace
}  // namespace runtime

executable_graph graph::finalize(executable_graph_options options) const {
  runtime::graph_object &mine = runtime::implementation_of(*this, "finalize");
  const std::lock_guard lock(runtime::graph_mutex());
  return executable_graph(ref<object>(make_object<runtime::executable_object>(mine, options)));
}

event executable_graph::run(const queue &where, dependencies after) const {
  return runtime::executable_of(*this, "ext_oneapi_graph").run(where, after);
}

void executable_graph::update(const graph_node &node) const {
  runtime::executable_of(*this, "command_graph::update").update(node);
}

void executable_graph::update(const graph &source) const {
  constexpr const char *operation = "command_graph::update";
  runtime::executable_of(*this, operation).update(runtime::implementation_of(source, operation));
}

}  // namespace dpep
