// Captures the steps of a graph: they are put into streams that record them instead of running them. Steps that do not
// depend on each other are put into several streams, so that they run side by side.
#include "backend/cuda/captured_graph.hpp"

#include <algorithm>
#include <optional>

#include "backend/cuda/commands.hpp"

namespace dpep::backend::cuda {
namespace {

constexpr std::size_t max_capture_streams = 4;

/// Streams that record, and the events that order them. The first stream starts and ends the recording.
class capture {
public:
  explicit capture(device_context &device) : device_(device) {}
  capture(const capture &) = delete;
  ~capture() {
    graph_handle unfinished = nullptr;
    if (begun_ && device_.api.end_capture(streams_.front().handle, &unfinished) == results::success && unfinished)
      device_.api.destroy_graph(unfinished);
    for (const event_handle e : events_) device_.release_event(e, false);
    for (const recording_stream &s : streams_) device_.api.destroy_stream(s.handle);
  }

  void begin() {
    add_stream();
    // Other threads may call functions of the driver that are not allowed in the other modes.
    device_.check(device_.api.begin_capture(streams_.front().handle, capture_relaxed), "cuStreamBeginCapture");
    begun_ = true;
    start_ = record(streams_.front());
  }

  /// Puts a step into a stream by `put`.
  template <class Put> void add(const graph_step &step, const Put &put) {
    recording_stream &target = stream_for(step);
    for (const std::uint32_t earlier : step.after)
      if (ends_[earlier].stream != target.handle) wait(target, ends_[earlier].done);
    put(target.handle);
    target.last = ends_.size();
    ends_.push_back({target.handle, record(target)});
  }

  graph_handle end() {
    for (std::size_t i = 1; i < streams_.size(); ++i) wait(streams_.front(), record(streams_[i]));
    graph_handle graph = nullptr;
    begun_ = false;
    device_.check(device_.api.end_capture(streams_.front().handle, &graph), "cuStreamEndCapture");
    return graph;
  }

private:
  struct recording_stream {
    stream_handle handle;
    std::optional<std::size_t> last;  // the last step
  };
  struct end_of_step {
    stream_handle stream;
    event_handle done;
  };

  recording_stream &add_stream() {
    stream_handle made = nullptr;
    device_.check(device_.api.make_stream(&made, stream_non_blocking, 0), "cuStreamCreateWithPriority");
    return streams_.emplace_back(made, std::nullopt);
  }
  event_handle record(const recording_stream &s) {
    const event_handle e = device_.acquire_event(false);
    events_.push_back(e);
    device_.check(device_.api.record(e, s.handle), "cuEventRecord");
    return e;
  }
  void wait(const recording_stream &s, event_handle e) {
    device_.check(device_.api.stream_wait(s.handle, e, 0), "cuStreamWaitEvent");
  }

  /// The stream whose last step the step depends on, or another one.
  recording_stream &stream_for(const graph_step &step) {
    for (recording_stream &s : streams_)
      if (s.last && std::ranges::find(step.after, *s.last) != step.after.end()) return s;
    if (!streams_.front().last) return streams_.front();
    if (streams_.size() < max_capture_streams) {
      recording_stream &fresh = add_stream();
      wait(fresh, start_);  // joins the recording
      return fresh;
    }
    return streams_[next_++ % streams_.size()];
  }

  device_context &device_;
  std::vector<recording_stream> streams_;
  std::vector<event_handle> events_;
  std::vector<end_of_step> ends_;
  event_handle start_ = nullptr;
  std::size_t next_ = 0;
  bool begun_ = false;
};

void put_command(device_context &device, const command &c, stream_handle stream) {
  if (const auto *const copy = std::get_if<copy_command>(&c)) return enqueue_copy(device, *copy, stream);
  if (const auto *const fill = std::get_if<fill_command>(&c)) return enqueue_fill(device, *fill, stream);
  if (const auto *const a = std::get_if<advise_command>(&c)) return advise(device, *a);
  // Prefetches, which cannot be captured, only make the first use of the memory faster.
}

/// Whether the fill is one of the driver's. Other fills copy the pattern from the host's memory when they run.
bool is_plain_fill(const fill_command &f) {
  return f.pattern_bytes <= 4 && f.pattern_bytes != 3 && reinterpret_cast<address>(f.to) % f.pattern_bytes == 0;
}

}  // namespace

ref<captured_graph> captured_graph::make(const ref<queue_core> &core, std::span<const graph_step> steps) try {
  for (const graph_step &s : steps) {
    const auto *const c = std::get_if<command>(&s.what);
    if (!c) continue;
    if (std::holds_alternative<host_command>(*c) || std::holds_alternative<native_command>(*c) ||
        std::holds_alternative<barrier_command>(*c) || std::holds_alternative<graph_command>(*c))
      return nullptr;
    if (const auto *const fill = std::get_if<fill_command>(c); fill && !is_plain_fill(*fill)) return nullptr;
  }
  device_context &device = *core->device;
  device.check_not_lost();
  const scoped_context here(device);
  const auto made = ref<captured_graph>::adopt(new captured_graph(core));
  const std::lock_guard no_wait_for_the_context(device.capture_mutex);
  capture into(device);
  into.begin();
  for (const graph_step &s : steps) {
    if (const auto *const launch = std::get_if<launch_command>(&s.what)) {
      made->add_kernel(*launch);
      const kernel_launch kernel(*core, *launch);
      into.add(s, [&](stream_handle stream) { kernel.put(stream, launch->arguments.data()); });
    } else {
      into.add(s, [&](stream_handle stream) { put_command(device, std::get<command>(s.what), stream); });
    }
  }
  const graph_handle graph = into.end();
  const result code = device.api.instantiate_graph(&made->executable_, graph, 0);
  device.api.destroy_graph(graph);
  device.check(code, "cuGraphInstantiate");
  return made;
} catch (const exception &) {
  return nullptr;  // the commands are submitted one by one, which throws their own errors
}

captured_graph::~captured_graph() {
  const scoped_context here(*core_->device, std::nothrow);
  if (executable_) core_->device->api.destroy_graph_exec(executable_);
}

void captured_graph::add_kernel(const launch_command &c) {
  if (std::ranges::find(kernels_, c.code, [](const kernel &k) { return k.code.get(); }) == kernels_.end())
    kernels_.push_back({ref<const backend::code>::share(c.code), c.work.dimensions, c.where});
}

void captured_graph::launch(stream_handle stream) const {
  for (const kernel &k : kernels_)
    core_->record_launch(static_cast<const loaded_code &>(*k.code), stream, k.dimensions, k.where);
  core_->device->check(core_->device->api.launch_graph(executable_, stream), "cuGraphLaunch");
}

}  // namespace dpep::backend::cuda
