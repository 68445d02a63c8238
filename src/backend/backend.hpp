// The interface that every back end implements: devices, queues, memory, code and events.
//
// The runtime depends on this interface only; a back end includes this file and its own folder. Everything that is the
// same for all back ends (contexts, pools, error slots, filter strings) belongs to the runtime.
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

/// Collects the errors of a queue's tasks. The runtime's queue shares it with the back end's queue. Reference-counted,
/// because a task may fail after the last handle to its queue is destroyed.
class error_slot : public object {
public:
  virtual void report(std::exception_ptr) noexcept = 0;
  /// Passes the reported errors to the queue's asynchronous handler if `to_handler`, else keeps them. Throws the first
  /// error if there is no handler.
  virtual void deliver(bool to_handler) = 0;
  /// Whether any queue of the process has errors that were not delivered yet. While one has, work needs an event of its
  /// own, however short it is: event::wait_and_throw finds the errors by it, also those of queues that the work depends
  /// on through other queues.
  static bool any_undelivered() noexcept { return slots_with_errors_.load(std::memory_order_acquire) != 0; }

protected:
  static inline std::atomic<std::size_t> slots_with_errors_{0};
};

/// The event of one submitted task. The runtime's handle `dpep::event` refers to it directly.
class event : public object {
public:
  using deadline = std::chrono::steady_clock::time_point;

  virtual backend_kind kind() const noexcept = 0;
  virtual event_status status() const noexcept = 0;
  /// Waits until complete or until the deadline; returns whether complete. The calling thread may execute work
  /// meanwhile, so it may return later than the deadline by one chunk of work (about a millisecond).
  virtual bool wait_until(deadline) noexcept = 0;
  void wait() noexcept { wait_until(deadline::max()); }
  /// Whether the calling thread runs a host task that must end before this can be complete.
  virtual bool waits_for_caller() const { return false; }
  /// Calls the function once when complete, immediately if it is complete. Used for dependencies between back ends.
  virtual void when_complete(std::function<void()>) = 0;
  virtual event_times times() const noexcept = 0;
  virtual bool profiled() const noexcept = 0;
  /// Keeps the object alive until complete. Does not move from it if no memory is left.
  virtual void keep_alive(std::shared_ptr<void> &&) = 0;
  virtual std::vector<ref<event>> wait_list() const = 0;
  /// Appends the kernels that are not known to be complete to a message, on devices whose kernels cannot be ended
  /// (GPUs).
  virtual void append_unfinished_kernels(std::string &) const {}
  /// The slot to which the task's error is reported; null if the task belongs to no queue. A task that fails always has
  /// an event, however short it is.
  virtual error_slot *errors() const noexcept { return nullptr; }
  /// Whether this represents a node of a graph, which is never complete.
  virtual bool is_recorded() const noexcept { return false; }
};

/// The host task that the calling thread runs, or null; the back end sets it around the call.
inline thread_local constinit const event *current_host_task = nullptr;

/// Code for one device, as the JIT produces it.
struct code_object {
  std::span<const std::byte> bytes;  // PTX, cubin or SPIR-V; empty if the JIT has loaded the code itself
  std::shared_ptr<void> loaded;      // CPU: keeps the machine code in memory
  void *entry = nullptr;             // CPU: a work_function
  std::string name;                  // of the entry, for the driver and for error messages
};

/// Properties of a compiled kernel that its launches depend on.
struct code_needs {
  bool grouped = false;                // units of work are work-groups, not work-items
  std::size_t static_local_bytes = 0;  // local memory in addition to the launch's dynamic local memory
  std::size_t scratch_bytes = 0;       // for each work-group: values live across barriers (CPU), or algorithms' memory
  std::size_t argument_bytes = 0;      // size of the declared parameters; 0 if the kernel takes a pointer (CPU)
  /// CPU: work-items per unit that need concurrent forward progress, because they wait for each other in loops. Each of
  /// them runs as a fiber. 0: none.
  std::size_t concurrent_items = 0, sub_group_size = 1;
  bool dependent_launch = false;   // GPU: the kernel itself waits for earlier work in its stream (griddepcontrol.wait)
  bool concurrent_groups = false;  // work-groups wait for each other: all of a launch need forward progress
  /// Keys of the device variables (backend/common/device_variables.hpp) whose addresses the code reads when it runs.
  std::vector<std::uint64_t> variables = {};
};

/// The signature of CPU code. Executes the units [begin, end) of the launch, numbered with dimension 0 fastest. A unit
/// is a work-group if grouped, else a work-item. `local` contains, each aligned to 64 bytes: dynamic local memory,
/// static local memory, scratch memory. If work-items run as fibers (code_needs::concurrent_items), executes one
/// work-item: number `end` of the unit `begin`.
using work_function = void (*)(const void *arguments, const geometry *work, std::size_t begin, std::size_t end,
                               std::byte *local, std::size_t dynamic_local_bytes);

/// A kernel that is loaded on a device.
class code : public object {
public:
  explicit code(std::string kernel_name, code_needs needs) : name(std::move(kernel_name)), needs(needs) {}
  const std::string name;
  const code_needs needs;
  /// The function, if the host can call it (CPUs); else null.
  virtual work_function host_function() const noexcept { return nullptr; }
};

class device;

/// Chooses the code of a kernel for an index space: a kernel, as graphs see it, whose nodes can be given another space.
class code_source : public object {
public:
  virtual const std::string &name() const noexcept = 0;
  /// Throws the errors of dpep::launch.
  virtual const backend::code &code_for(device &, const geometry &, std::size_t local_bytes) = 0;
};

struct launch_command {
  const backend::code *code;  // not reference-counted: launches from many threads would contend for the counter
  geometry work;
  std::span<const std::byte> arguments;  // valid during the call only
  std::size_t local_bytes = 0;
  source_line where;
  // The event is used only to order later work, so a GPU's queue may record its end late, on demand. If another library
  // has put work into the same stream meanwhile, the event is complete only after that work.
  bool ordering_only = false;
  // As ordered_dependencies::replaced. If there are no other references to the event, its end need not be recorded.
  const dpep::event *replaced = nullptr;
  code_source *source = nullptr;  // valid during the call only; null for launches whose index space is fixed
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
/// Puts calls of a library that uses the same driver, such as cuBLAS, into a stream of the queue; GPUs only. The
/// function is called once, with the native stream (backend/native.hpp) and its context current, on the submitting
/// thread if no dependency delays it. The queue is locked meanwhile, so the calls should be asynchronous.
struct native_command {
  std::function<void(std::uintptr_t stream)> work;
};
struct barrier_command {};  // without dependencies: waits for everything submitted so far
/// Commands that a queue has prepared for being submitted as one.
class prepared_graph : public object {};
struct graph_command {
  ref<prepared_graph> graph;  // of this queue
};
using command = std::variant<copy_command, fill_command, prefetch_command, advise_command, host_command, native_command,
                             barrier_command, graph_command>;

/// A command of a graph, with the positions of the earlier steps that it follows.
struct graph_step {
  std::variant<launch_command, command> what;
  std::vector<std::uint32_t> after;
};

class queue {
public:
  /// Does not wait, because the last handle may be destroyed in one of the queue's own host tasks. Work still
  /// completes.
  virtual ~queue() = default;
  /// Launches a kernel; separate from `submit` because it is the hot path. Returns null if the work is complete,
  /// without an error and without times.
  virtual ref<event> launch(launch_command &, std::span<const dpep::event> after) = 0;
  virtual ref<event> submit(command, std::span<const dpep::event> after) = 0;  // null as for launch
  /// Prepares commands for being submitted by a graph_command. Null if the device runs them no faster like that, or
  /// can't: they are submitted one by one then. What they refer to must stay valid as long as the result.
  virtual ref<prepared_graph> prepare(std::span<const graph_step>) { return nullptr; }
  /// Executes the first steps on the calling thread, up to one that is not short, if nothing pending must precede them.
  /// Returns the number of executed steps, which are complete. The last one may have failed: `failed` is its event
  /// then.
  virtual std::size_t run_short(std::span<const graph_step>, std::span<const dpep::event> /*after*/,
                                ref<event> & /*failed*/) {
    return 0;
  }
  virtual void wait() noexcept = 0;
  virtual bool waits_for_caller() const = 0;            // whether event::waits_for_caller holds for a pending event
  virtual std::vector<ref<event>> pending() const = 0;  // events that are not complete, in submission order
  virtual bool empty() const noexcept = 0;
};

/// A function that device code may call by name. `address` is that of host code on CPUs, else null.
struct symbol {
  std::string_view name;
  void *address;
};

/// Properties of a device that layers above decide by, instead of by the kind of back end.
struct capabilities {
  bool host_accessible = false;  // the host reads and writes USM memory of all kinds, and the device the host's memory
  bool runs_inline = false;      // short work runs on the submitting thread, and event queries cost no driver call
  bool memory_in_order = false;  // memory that array work of a queue uses may be given to its later work without a wait
};

/// How much of a block of memory is used soon after it was allocated: a few parts of it, or most of it.
enum class block_use { sparse, dense };

class device {
public:
  virtual ~device() = default;
  virtual const device_info &info() const noexcept = 0;
  virtual backend::capabilities capabilities() const noexcept = 0;
  virtual std::unique_ptr<queue> make_queue(const queue_options &, ref<error_slot>) = 0;

  /// Allocates memory from the system or driver, uncached. Returns null if there is not enough.
  virtual void *allocate(usm_kind, std::size_t bytes, std::size_t alignment, block_use) noexcept = 0;
  virtual void free(usm_kind, void *, std::size_t bytes) noexcept = 0;
  virtual std::uint64_t free_memory() const noexcept = 0;

  /// The largest number of work-groups of `group_items` work-items whose work-items can wait for each other, in a
  /// launch of this code with `local_bytes` of dynamic local memory.
  virtual std::size_t max_concurrent_groups(const code &, std::size_t /*group_items*/,
                                            std::size_t /*local_bytes*/) const {
    return 1;
  }

  /// Loads code. Code that is loaded on a root device also runs on its sub-devices.
  virtual ref<const code> load(const code_object &, const code_needs &) = 0;
  /// The JIT's target: "x86-64", "nvptx" or "spirv".
  virtual std::string_view code_format() const noexcept = 0;
  virtual std::span<const symbol> symbols() const noexcept = 0;
  /// LLVM's name of the processor to compile for ("sm_90"); empty: the host's.
  virtual std::string_view code_processor() const noexcept { return {}; }
  /// Assembles the compiler's output (PTX) into machine code with the driver. Throws errc::build.
  virtual std::vector<std::byte> assemble(std::span<const std::byte> text) { return {text.begin(), text.end()}; }

  virtual std::vector<partition_domain> affinity_domains() const = 0;
  /// Sub-devices of the given sizes in compute units; throws errc::invalid, feature_not_supported.
  virtual std::vector<std::unique_ptr<device>> partition(std::span<const std::uint32_t> compute_units) = 0;
  virtual std::vector<std::unique_ptr<device>> partition(partition_domain) = 0;
};

/// The result of opening a back end. If no device is usable, `report.detail` says why.
struct discovery {
  backend_report report;
  std::string platform_name, platform_vendor, platform_version;
  std::vector<std::unique_ptr<device>> devices;
};
struct driver {
  backend_kind kind;
  const char *title;
  discovery (*open)() noexcept;
  /// The types of its devices. The driver is opened only if a device of one of them can be selected, since starting a
  /// GPU's driver takes longer than everything else in a short program. Empty: it is always opened.
  std::span<const device_type> types;
};

/// All back ends, in the order of their platforms.
std::span<const driver> drivers() noexcept;

}  // namespace dpep::backend
