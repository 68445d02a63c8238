// Accumulations along an axis on CPUs: chooses the steps of a scan and submits them.
#include "array/cpu/scan.hpp"

#include <cstring>
#include <mutex>

#include "array/cpu/scan_steps.hpp"
#include "array/graph/deferred_queue.hpp"
#include "array/operations/costs.hpp"
#include "backend/backend.hpp"
#include "runtime/device.hpp"
#include "runtime/queue.hpp"

namespace dpep::array {
namespace {

/// The code of a step. Each operation and dtype has its own, because queues measure run times by code. Never released:
/// there are few.
const backend::code *code_for(scan_step_index which, const scan_arguments &t, const device &where) {
  struct entry {
    backend::device *device;
    int key;
    ref<const backend::code> code;
  };
  static std::mutex mutex;
  static auto &known = *new std::vector<entry>;
  auto &target = runtime::code_device_of(where);
  const int key = (int(which) * 5 + int(t.how)) * dtype_count + int(t.type);
  const std::lock_guard lock(mutex);
  for (const entry &e : known)
    if (e.device == &target && e.key == key) return e.code.get();
  backend::code_object object;
  object.entry = reinterpret_cast<void *>(scan_steps[which].function);
  object.name = scan_steps[which].name;
  known.push_back({&target, key, target.load(object, {})});
  return known.back().code.get();
}

class submission {
public:
  submission(const dpep::queue &q, const scan_arguments &t) : queue_(q), task_(t), last_(last_event(q)) {}
  void launch(scan_step_index which, std::int64_t units) {
    backend::launch_command command{
        code_for(which, task_, queue_.get_device()), {}, std::as_bytes(std::span(&task_, 1)), 0, {}};
    command.work.global[0] = static_cast<std::size_t>(units);
    last_ = runtime::implementation_of(queue_).launch(command, {&last_, 1});
  }
  void keep_alive(ref<storage> memory) {
    auto *const p = memory.get();
    last_.keep_alive(std::shared_ptr<void>(p, [kept = std::move(memory)](void *) {}));
  }
  void finish() { deferred_queue::of(queue_).order_after(last_); }  // other threads may have submitted work meanwhile

private:
  const dpep::queue &queue_;
  scan_arguments task_;
  event last_;
};

}  // namespace

namespace cpu {

void scan(accumulation how, array_object &from, array_object &to, int axis) {
  if (to.layout.size == 0) return;
  const queue &q = to.queue;
  scan_arguments t{.how = how,
                   .type = to.type,
                   .from = from.first(),
                   .to = to.first(),
                   .states = nullptr,
                   .chunks = nullptr,
                   .length = to.layout.shape[std::size_t(axis)],
                   .inner = 1,
                   .units_per_outer = 1,
                   .chunk = long_chunk,
                   .units = 0,
                   .nontemporal = double(to.layout.size) * double(size_of(to.type)) >= streamed_bytes};
  std::int64_t outer = 1;
  for (int i = 0; i < to.layout.dimensions(); ++i)
    if (i != axis) (i < axis ? outer : t.inner) *= to.layout.shape[std::size_t(i)];

  ref<storage> scratch;
  const bool interleaved =
      t.inner == 1 && how == accumulation::logsumexp && t.type != dtype::float16 && to.layout.size > lane_chunk;
  if (interleaved) t.chunk = lane_chunk;
  // with enough rows for all threads, rows are not cut, so that each is read only once
  const bool cut = interleaved || (t.inner == 1 && t.length > 2 * t.chunk && outer < 64);
  if (cut) {
    t.units_per_outer = (t.length + t.chunk - 1) / t.chunk;
    t.units = outer * t.units_per_outer;
    const std::size_t states = static_cast<std::size_t>(t.units) * max_state_bytes;
    scratch = make_object<storage>(q, to.kind, states + scan_progress::bytes(t.units));
    t.states = scratch->base;
    std::memset(t.states + states, 0, scan_progress::bytes(t.units));
    t.chunks = reinterpret_cast<scan_progress *>(t.states + states);
  } else if (t.inner >= min_untransposed_columns) {
    t.units_per_outer = (t.inner + scan_row_block - 1) / scan_row_block;
  }
  submission s(q, t);
  if (cut) {
    if (interleaved) {
      s.launch(totals_step, t.units);
      s.launch(carries_step, outer);
      s.launch(interleaved_step, (t.units + scan_lanes - 1) / scan_lanes);
    } else {
      s.launch(chunks_step, t.units);
    }
    s.keep_alive(std::move(scratch));
  } else if (t.inner == 1) {
    s.launch(rows_step, outer);
  } else if (t.inner >= min_untransposed_columns) {
    s.launch(add_rows_step, outer * t.units_per_outer);
  } else {
    s.launch(transposed_step, outer);
  }
  s.keep_alive(from.memory());
  s.keep_alive(to.memory());
  s.finish();
}

}  // namespace cpu
}  // namespace dpep::array
