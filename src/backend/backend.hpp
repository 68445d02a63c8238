// The one interface that every back end implements: devices, queues, memory, code, events.
//
// The runtime calls it and knows no back end; a back end includes this file and its own folder. Everything that all
// back ends share (contexts, pools, error slots, filter strings) is the runtime's.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <dpep/device.hpp>
#include <dpep/event.hpp>
#include <dpep/exception.hpp>
#include <dpep/kernel.hpp>
#include <dpep/memory.hpp>
#include <dpep/queue.hpp>
#include <dpep/source_line.hpp>

namespace dpep::backend {

/// Where failures of tasks go: a queue of the runtime has one and shares it with the back end's queue. Counted, because
/// a task may fail after the last handle to its queue is gone.
class error_slot : public object {
public:
  virtual void report(std::exception_ptr) noexcept = 0;
  /// Hands what was reported to the queue's asynchronous handler if `to_handler`, else leaves it there; throws the
  /// first where there is no handler.
  virtual void deliver(bool to_handler) = 0;
};

/// One submitted task. The runtime's handles `dpep::event` refer to it directly.
class event : public object {
public:
  using deadline = std::chrono::steady_clock::time_point;

  virtual backend_kind kind() const noexcept = 0;
  virtual event_status status() const noexcept = 0;
  /// Waits until complete, but not beyond the deadline by more than a piece of work (a millisecond or so) that the
  /// calling thread does meanwhile. Returns whether complete.
  virtual bool wait_until(deadline) noexcept = 0;
  void wait() noexcept { wait_until(deadline::max()); }
  /// Whether the calling thread runs a host task without which this cannot be complete.
  virtual bool waits_for_caller() const { return false; }
  /// Calls back once when complete (at once if it is): the way for events of different back ends to meet.
  virtual void when_complete(std::function<void()>) = 0;
  virtual event_times times() const noexcept = 0;
  virtual bool profiled() const noexcept = 0;
  virtual void keep_alive(std::shared_ptr<void>) = 0;
  virtual std::vector<ref<event>> wait_list() const = 0;
  /// Adds to a message which kernels are not known to be complete, where a kernel cannot be ended (GPUs).
  virtual void add_unfinished(std::string &) const {}
  /// Where the task's failure went; null for what no queue runs. A task that fails has an event, however short it is.
  virtual error_slot *errors() const noexcept { return nullptr; }
};

/// The host task that the calling thread runs; a back end sets it around the call.
inline thread_local constinit const event *host_task_here = nullptr;

/// The event that the calling thread is about to replace by that of what it submits: it holds one reference to it, for
/// the order alone, which nobody gets from it meanwhile. An event that nobody else knows needs no end of its own.
inline thread_local constinit const event *replaced_here = nullptr;

class replacing {
public:
  explicit replacing(const dpep::event &former) noexcept
      : outer_(std::exchange(replaced_here, static_cast<const event *>(former.get()))) {}
  ~replacing() { replaced_here = outer_; }
  replacing(const replacing &) = delete;

private:
  const event *const outer_;
};

/// Machine code for one device, as the JIT hands it over.
struct code_object {
  std::span<const std::byte> bytes;  // ptx, cubin or SPIR-V; empty where the JIT has loaded the code itself
  std::shared_ptr<void> loaded;      // CPU: keeps the machine code in memory
  void *entry = nullptr;             // CPU: a work_function
  std::string name;                  // of the entry, for the driver and for error messages
};

/// What a compiled kernel needs at launch.
struct code_needs {
  bool grouped = false;                // units of work are work-groups, not work-items
  std::size_t static_local_bytes = 0;  // local memory beside the launch's dynamic part
  std::size_t scratch_bytes = 0;       // a work-group: what the JIT keeps across barriers (CPU), or algorithms' memory
  std::size_t argument_bytes = 0;      // as many as the kernel declares; 0 where it takes a pointer (CPU)
  /// CPU: work-items wait for each other in loops, so each is run by itself; so many are in a unit. 0: they don't.
  std::size_t waiting_items = 0, sub_group_size = 1;
  bool waits_for_earlier = false;  // GPU: the kernel begins by waiting for what is before it in its stream
};

/// The form of CPU code: does the units [begin, end) of the launch, counted with dimension 0 fastest. A unit is a
/// work-group when grouped, a work-item otherwise. `local` holds, each part aligned to 64 bytes: the dynamic local
/// memory, then the static local memory, then scratch. Where work-items wait for each other (code_needs), it does one
/// of them: number `end` of the unit `begin`.
using work_function = void (*)(const void *arguments, const geometry *work, std::size_t begin, std::size_t end,
                               std::byte *local, std::size_t dynamic_local_bytes);

/// A kernel loaded on a device, ready to launch.
class code : public object {
public:
  explicit code(std::string kernel_name, code_needs needs) : name(std::move(kernel_name)), needs(needs) {}
  const std::string name;
  const code_needs needs;
  /// The function itself where the host can call it (CPUs); null elsewhere.
  virtual work_function host_function() const noexcept { return nullptr; }
};

struct launch_command {
  const backend::code *code;  // not counted: launching from many threads would count in one cache line
  geometry work;
  std::span<const std::byte> arguments;  // valid during the call only
  std::size_t local_bytes = 0;
  source_line where;
  // The event is for the order of what comes next. Where others put work into the same stream of a GPU, too, it may say
  // that it is complete only when that is: its end is not marked before somebody asks.
  bool quiet = false;
};
struct copy_command {
  void *to;
  const void *from;
  std::size_t bytes;
};
struct fill_command {
  void *to;
  const void *pattern;  // valid during the call only
  std::size_t pattern_bytes, count;
};
struct prefetch_command {
  const void *pointer;
  std::size_t bytes;
};
struct advise_command {
  const void *pointer;
  std::size_t bytes;
  memory_advice advice;
};
struct host_command {
  std::function<void()> task;
};
struct barrier_command {};  // no dependencies: after everything submitted so far
using command =
    std::variant<copy_command, fill_command, prefetch_command, advise_command, host_command, barrier_command>;

class queue {
public:
  virtual ~queue() =
      default;  // does not wait: the last handle may go in one of its own host tasks; work still completes
  /// The hot path, so it has a function of its own. Null: the work is complete already, and nothing more is to be known
  /// of it.
  virtual ref<event> launch(launch_command &, std::span<const dpep::event> after) = 0;
  virtual ref<event> submit(command, std::span<const dpep::event> after) = 0;  // null as for launch
  virtual void wait() noexcept = 0;
  virtual bool waits_for_caller() const = 0;            // as for events; some of what is pending
  virtual std::vector<ref<event>> pending() const = 0;  // what is not complete, in the order of submission
  virtual bool empty() const noexcept = 0;
};

/// A function that code on the device may call by name (host code for the CPU; nothing elsewhere).
struct symbol {
  std::string_view name;
  void *address;
};

class device {
public:
  virtual ~device() = default;
  virtual const device_info &info() const noexcept = 0;
  virtual std::unique_ptr<queue> make_queue(const queue_options &, ref<error_slot>) = 0;

  /// Memory from the system or driver, uncached; null when there is none left.
  virtual void *allocate(usm_kind, std::size_t bytes, std::size_t alignment) noexcept = 0;
  virtual void free(usm_kind, void *, std::size_t bytes) noexcept = 0;
  virtual std::uint64_t free_memory() const noexcept = 0;

  /// Code loaded by a root device also runs on its sub-devices.
  virtual ref<const code> load(const code_object &, const code_needs &) = 0;
  /// What the JIT compiles for: "x86-64", "nvptx" or "spirv".
  virtual std::string_view code_format() const noexcept = 0;
  virtual std::span<const symbol> symbols() const noexcept = 0;
  /// The processor that code is made for, in the compiler's words ("sm_90"); empty: the host's.
  virtual std::string_view code_processor() const noexcept { return {}; }
  /// The driver's machine code for what the compiler wrote (PTX). Throws errc::build.
  virtual std::vector<std::byte> assemble(std::span<const std::byte> text) { return {text.begin(), text.end()}; }

  virtual std::vector<partition_domain> affinity_domains() const = 0;
  /// Sub-devices of the given sizes in compute units; throws errc::invalid, feature_not_supported.
  virtual std::vector<std::unique_ptr<device>> partition(std::span<const std::uint32_t> compute_units) = 0;
  virtual std::vector<std::unique_ptr<device>> partition(partition_domain) = 0;
};

/// What a back end is found by. `open` never throws: what is missing is said in the report.
struct found {
  backend_report report;
  std::string platform_name, platform_vendor, platform_version;
  std::vector<std::unique_ptr<device>> devices;
};
struct driver {
  backend_kind kind;
  const char *title;
  found (*open)() noexcept;
};

/// All back ends, in the order of their platforms. Each entry is one line in drivers.cpp.
std::span<const driver> drivers() noexcept;

}  // namespace dpep::backend
