// A fake libcuda.so.1 for tests of the CUDA back end on machines without a GPU: devices, memory, streams, events and
// modules. It executes no kernels except fills.
//
// Streams run concurrently with irregular pauses, so that missing dependencies become visible. The host cannot access
// device memory. PTX is assembled with ptxas if that is installed (DPEP_TEST_PTXAS), and launches are counted. A kernel
// whose PTX has a `brkpt` faults and makes its context unusable.
//
//   DPEP_FAKE_GPUS=2      the number of devices
//   DPEP_FAKE_IDLE=1      all work is complete immediately, without effect: to measure the cost of calls
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <unistd.h>

#include "backend/cuda/driver_api.hpp"
#include "backend/cuda/failure_channel.hpp"

#include "memory.hpp"
#include "stream.hpp"

using namespace dpep::backend::cuda;

namespace {

using namespace fake;

constexpr result success = results::success, invalid_value = results::invalid_value, invalid_ptx = 218,
                 launch_failed = 719, capture_unsupported = 900;
constexpr std::size_t region = std::size_t{2} << 20;

fake::memory &shared_memory() {
  static auto &all = *new fake::memory;
  return all;
}

int device_count_() {
  const char *const wanted = std::getenv("DPEP_FAKE_GPUS");
  return wanted ? std::atoi(wanted) : 2;
}

struct context {
  int device;
  std::atomic<result> lost{success};  // the result of all later calls
};
context *context_of(int device) {
  static auto &all = *new std::vector<context *>([] {
    std::vector<context *> made;
    for (int i = 0; i < 16; ++i) made.push_back(new context{i, success});
    return made;
  }());
  return all[static_cast<std::size_t>(device)];
}
thread_local context *current = nullptr;

struct module_ {
  explicit module_(const char *text)
      : ptx(text), fills(ptx.find(".entry dpep_fill") != ptx.npos), faults(ptx.find("brkpt;") != ptx.npos) {
    ++live_count;
  }
  ~module_() { --live_count; }
  /// Assumes that an eighth of the virtual registers are live at the same time.
  int registers() const {
    unsigned named = 0;
    for (const auto &[type, words] : {std::pair(".b32 \t%r<", 1), std::pair(".b64 \t%rd<", 2)})
      if (const std::size_t at = ptx.find(type); at != ptx.npos)
        named += unsigned(words) * unsigned(std::atoi(ptx.c_str() + at + std::strlen(type)));
    return int(std::clamp(named / 8, 32U, 255U));
  }

  bool is_limited() const { return ptx.find(".maxnreg") != ptx.npos; }

  static inline std::atomic<int> live_count{0};
  std::string ptx;
  bool fills, faults;
  std::map<std::string, std::uint64_t> globals;
};

/// The stream of a handle. Default streams belong to the current context.
stream *stream_of(stream_handle handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number > 2) return reinterpret_cast<stream *>(handle);
  static auto &legacy = *new std::vector<stream *>([] {
    std::vector<stream *> made;
    for (int i = 0; i < device_count_(); ++i) made.push_back(new stream(i));
    return made;
  }());
  return legacy[static_cast<std::size_t>(current->device)];
}

/// Whether this is a forked child, where calls fail as the driver's do.
bool forked() {
  static const pid_t home = ::getpid();
  return ::getpid() != home;
}

/// Puts work into a stream. It is skipped if the context is lost by then.
template <class Work> result put(stream_handle where, Work work) {
  static const bool idle = std::getenv("DPEP_FAKE_IDLE") != nullptr;
  if (!current) return results::invalid_context;
  if (forked()) return results::not_initialized;
  if (idle) return success;
  if (current->lost) return current->lost;
  stream_of(where)->put([work, home = current] {
    if (!home->lost) work();
  });
  return success;
}

fake::event *event_of(event_handle handle) { return reinterpret_cast<fake::event *>(handle); }

std::string assembler() {
  const char *const chosen = std::getenv("DPEP_TEST_PTXAS");
  if (chosen) return chosen;
  const char *const usual = "/usr/local/cuda/bin/ptxas";
  return std::filesystem::exists(usual) ? usual : "";
}

std::string assembler_errors(const std::string &ptx) {
  if (assembler().empty()) return "";
  char file[] = "/tmp/dpep-fake-XXXXXX";
  const int descriptor = ::mkstemp(file);
  if (descriptor < 0) return "no temporary file";
  ::close(descriptor);
  std::ofstream(file) << ptx;
  std::FILE *const pipe = ::popen((assembler() + " -arch=sm_90 -o /dev/null " + file + " 2>&1").c_str(), "r");
  std::string said;
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe)) said += buffer;
  const int status = ::pclose(pipe);
  std::filesystem::remove(file);
  return status == 0 ? "" : said;
}

struct linking {
  std::string ptx;
  char *log = nullptr;
  std::size_t log_bytes = 0;
};

result fill(address to, const void *pattern, std::size_t each, std::size_t count, stream_handle where) {
  std::string bytes(static_cast<const char *>(pattern), each);
  return put(where, [=] {
    std::byte *const at = shared_memory().driver_view(to);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(at + i * each, bytes.data(), each);
  });
}

std::atomic<std::uint64_t> launches{0}, early_launches{0};
std::atomic<bool> last_limited{false}, limited_code_spills{false};
std::atomic<int> peers_enabled{0}, invalid_queries{0};
std::atomic<result> fault{launch_failed};
std::atomic<bool> faults_held{false}, event_creation_fails{false}, kernels_fail{false};
constexpr char failing_name[] = "dpep_failing_kernel";
std::atomic<unsigned> last_block{0};
std::atomic<bool> clock_fails{false};
std::atomic<int> captures_in_progress{0};

/// The number of calls of a function that submission or polling uses.
struct counted {
  const char *name;
  std::atomic<std::uint64_t> calls{0};
};
counted counts[] = {{"cuCtxGetCurrent"},    {"cuLaunchKernelEx"},  {"cuEventRecord"}, {"cuEventQuery"},
                    {"cuEventSynchronize"}, {"cuStreamWaitEvent"}, {"cuGraphLaunch"}};
enum which_call { get_current, launch_kernel, record_event, query_event, synchronize_event, wait_event, launch_graph };
void count(which_call which) { counts[which].calls.fetch_add(1, std::memory_order_relaxed); }

/// Calls that fail for lack of memory on request.
struct failing {
  const char *name;
  std::atomic<int> calls_left{0};  // until the call that fails; 0: none
};
failing failures[] = {{"cuMemcpyAsync"}, {"cuStreamCreateWithPriority"}, {"cuModuleGetFunction"}};
enum which_failure { copy_async, create_stream, get_function };
bool fails(which_failure which) {
  std::atomic<int> &left = failures[which].calls_left;
  return left > 0 && --left == 0;
}

}  // namespace

extern "C" {

#pragma GCC visibility push(default)

// Functions for tests:

/// The number of launches.
std::uint64_t fake_cuda_launches() { return launches; }
/// The number of programmatic dependent launches.
std::uint64_t fake_cuda_early_launches() { return early_launches; }
/// Whether the last kernel was assembled with a limit of registers.
bool fake_cuda_last_limited() { return last_limited; }
/// Makes code that is assembled with a limit of registers spill them.
void fake_cuda_spill(bool yes) { limited_code_spills = yes; }
unsigned fake_cuda_last_block() { return last_block; }
/// The number of calls of a counted function.
std::uint64_t fake_cuda_calls(const char *name) {
  for (const counted &c : counts)
    if (std::string_view(name) == c.name) return c.calls;
  return ~std::uint64_t{0};
}
/// Makes cuEventElapsedTime fail, or work again.
void fake_cuda_break_clock(bool yes) { clock_fails = yes; }
/// Blocks the stream until the returned gate is opened.
void *fake_cuda_gate(stream_handle where) {
  static auto &gates = *new std::deque<std::atomic<bool>>;  // never destroyed: streams may still read it
  auto *const open = &gates.emplace_back(false);
  put(where, [open] {
    while (!*open) std::this_thread::sleep_for(std::chrono::microseconds(50));
  });
  return open;
}
void fake_cuda_open(void *gate) { *static_cast<std::atomic<bool> *>(gate) = true; }
/// The numbers of existing streams, events and modules.
int fake_cuda_streams() { return stream::live_count; }
int fake_cuda_events() { return fake::event::live_count; }
int fake_cuda_modules() { return module_::live_count; }
/// The number of calls that enable peer access; and of cuPointerGetAttribute with unknown addresses, which
/// compute-sanitizer would report.
int fake_cuda_peers_enabled() { return peers_enabled; }
int fake_cuda_invalid_queries() { return invalid_queries; }
/// Sets the error of kernels that fault, and whether they wait before they do.
void fake_cuda_fault_with(result code) { fault = code; }
void fake_cuda_hold_faults(bool hold) { faults_held = hold; }
/// Makes kernels with assertions fail, in work-item 7.
void fake_cuda_fail_kernels(bool fail) { kernels_fail = fail; }
/// Makes one call of the function fail: the next one for 1.
void fake_cuda_fail_call(const char *name, int number) {
  for (failing &f : failures)
    if (std::string_view(name) == f.name) f.calls_left = number;
}
/// Makes cuEventCreate fail for lack of memory.
void fake_cuda_fail_event_creation(bool refuse) { event_creation_fails = refuse; }

result cuInit(unsigned) {
  static_cast<void>(forked());  // records the process id
  return device_count_() ? success : results::no_device;
}
result cuDriverGetVersion(int *version) { return *version = 13000, success; }
result cuGetErrorName(result code, const char **text) {
  return *text = code == results::out_of_memory ? "CUDA_ERROR_OUT_OF_MEMORY"
                 : code == launch_failed        ? "CUDA_ERROR_LAUNCH_FAILED"
                 : code == invalid_ptx          ? "CUDA_ERROR_INVALID_PTX"
                                                : "CUDA_ERROR_OTHER",
         success;
}
result cuGetErrorString(result code, const char **text) {
  return *text = code == results::out_of_memory ? "out of memory"
                 : code == launch_failed        ? "unspecified launch failure"
                                                : "something else",
         success;
}
result cuDeviceGetCount(int *count) { return *count = device_count_(), success; }
result cuDeviceGet(ordinal *device, int number) { return *device = number, success; }
result cuDeviceGetName(char *name, int bytes, ordinal device) {
  return std::snprintf(name, static_cast<std::size_t>(bytes), "Fake GPU %d", device), success;
}
result cuDeviceGetAttribute(int *value, attribute which, ordinal) {
  switch (which) {
  case attribute::max_threads_per_block:
  case attribute::max_block_x:
  case attribute::max_block_y:
    *value = 1024;
    break;
  case attribute::max_block_z:
    *value = 64;
    break;
  case attribute::constant_memory:
    *value = 65536;
    break;
  case attribute::warp_size:
    *value = 32;
    break;
  case attribute::clock_kilohertz:
    *value = 1980000;
    break;
  case attribute::multiprocessors:
    *value = 132;
    break;
  case attribute::l2_cache_bytes:
    *value = 50 << 20;
    break;
  case attribute::compute_major:
    *value = 9;
    break;
  case attribute::compute_minor:
  case attribute::integrated:
  case attribute::host_native_atomics:
  case attribute::pageable_memory_access:
  case attribute::virtual_memory:
    *value = 0;
    break;
  case attribute::shared_memory_per_block_optin:
    *value = 227 << 10;
    break;
  default:
    *value = 1;
  }
  return success;
}
result cuDeviceTotalMem_v2(std::size_t *bytes, ordinal) { return *bytes = fake::memory::bytes_per_device, success; }
result cuDeviceCanAccessPeer(int *can, ordinal device, ordinal peer) { return *can = device != peer, success; }
/// Devices 0 and 1, 2 and 3, … are connected by links with atomic operations.
result cuDeviceGetP2PAttribute(int *value, int attribute, ordinal device, ordinal peer) {
  if (attribute != peer_native_atomics || device == peer) return invalid_value;
  return *value = device / 2 == peer / 2, success;
}
result cuDevicePrimaryCtxRetain(context_handle *made, ordinal device) {
  return *made = reinterpret_cast<context_handle>(context_of(device)), success;
}
result cuCtxGetCurrent(context_handle *now) {
  count(get_current);
  if (forked()) return results::not_initialized;
  return *now = reinterpret_cast<context_handle>(current), success;
}
result cuCtxSetCurrent(context_handle wanted) {
  if (forked()) return results::not_initialized;
  return current = reinterpret_cast<context *>(wanted), success;
}
result cuCtxSynchronize() { return captures_in_progress ? capture_unsupported : success; }
result cuCtxEnablePeerAccess(context_handle, unsigned) { return ++peers_enabled, success; }
result cuCtxDisablePeerAccess(context_handle) { return success; }
result cuCtxGetStreamPriorityRange(int *least, int *greatest) { return *least = 0, *greatest = -5, success; }
result cuMemGetInfo_v2(std::size_t *free, std::size_t *total) {
  if (!current) return results::invalid_context;
  *total = fake::memory::bytes_per_device;
  return *free = *total - shared_memory().used(current->device), success;
}

static result allocate(address *made, kind what, std::size_t bytes) {
  if (!current) return results::invalid_context;
  if (current->lost) return current->lost;
  const block *const b = shared_memory().allocate(what, current->device, bytes, region);
  if (!b) return results::out_of_memory;
  return *made = b->address, success;
}
result cuMemAlloc_v2(address *made, std::size_t bytes) { return allocate(made, kind::device, bytes); }
result cuMemFree_v2(address at) { return shared_memory().free(at) ? success : invalid_value; }
// Virtual memory is not supported, as the attribute says.
constexpr result not_supported = 801;
result cuMemGetAllocationGranularity(std::size_t *, const allocation_properties *, int) { return not_supported; }
result cuMemAddressReserve(address *, std::size_t, std::size_t, address, unsigned long long) { return not_supported; }
result cuMemAddressFree(address, std::size_t) { return not_supported; }
result cuMemCreate(std::uint64_t *, std::size_t, const allocation_properties *, unsigned long long) {
  return not_supported;
}
result cuMemRelease(std::uint64_t) { return not_supported; }
result cuMemMap(address, std::size_t, std::size_t, std::uint64_t, unsigned long long) { return not_supported; }
result cuMemSetAccess(address, std::size_t, const access_description *, std::size_t) { return not_supported; }
result cuMemUnmap(address, std::size_t) { return not_supported; }
result cuMemHostAlloc(void **made, std::size_t bytes, unsigned) {
  address at = 0;
  const result code = allocate(&at, kind::host, bytes);
  return *made = reinterpret_cast<void *>(at), code;
}
result cuMemFreeHost(void *at) { return cuMemFree_v2(reinterpret_cast<address>(at)); }
result cuMemAllocManaged(address *made, std::size_t bytes, unsigned) { return allocate(made, kind::managed, bytes); }
result cuPointerGetAttribute(void *value, int attribute, address at) {
  if (!current) return results::invalid_context;
  const block *const b = shared_memory().find(at);
  if (!b) return ++invalid_queries, invalid_value;
  switch (attribute) {
  case 2:  // memory type
    *static_cast<unsigned *>(value) = b->kind == kind::host ? 1 : 2;
    return success;
  case 8:
    *static_cast<unsigned *>(value) = b->kind == kind::managed;
    return success;
  case 9:
    *static_cast<int *>(value) = b->device;
    return success;
  default:
    return invalid_value;
  }
}
result cuPointerGetAttributes(unsigned count, int *attributes, void **values, address at) {
  if (!current) return results::invalid_context;
  const bool known = shared_memory().find(at) != nullptr;
  for (unsigned i = 0; i < count; ++i)
    if (!known || cuPointerGetAttribute(values[i], attributes[i], at) != success)
      *static_cast<unsigned *>(values[i]) = 0;
  return success;
}
result cuMemcpyAsync(address to, address from, std::size_t bytes, stream_handle where) {
  if (fails(copy_async)) return results::out_of_memory;
  if (!shared_memory().find(from)) {  // pageable host memory is read before the call returns
    std::string content(reinterpret_cast<const char *>(from), bytes);
    return put(where, [=] { std::memcpy(shared_memory().driver_view(to), content.data(), bytes); });
  }
  return put(where, [=] { std::memmove(shared_memory().driver_view(to), shared_memory().driver_view(from), bytes); });
}
result cuMemcpy(address to, address from, std::size_t bytes) {
  return std::memmove(shared_memory().driver_view(to), shared_memory().driver_view(from), bytes), success;
}
result cuMemsetD8Async(address to, unsigned char value, std::size_t count, stream_handle where) {
  return fill(to, &value, 1, count, where);
}
result cuMemsetD16Async(address to, unsigned short value, std::size_t count, stream_handle where) {
  return fill(to, &value, 2, count, where);
}
result cuMemsetD32Async(address to, unsigned value, std::size_t count, stream_handle where) {
  return fill(to, &value, 4, count, where);
}
result cuMemPrefetchAsync(address, std::size_t, ordinal, stream_handle) { return success; }
result cuMemAdvise(address, std::size_t, int, ordinal) { return success; }

result cuStreamCreateWithPriority(stream_handle *made, unsigned, int) {
  if (!current) return results::invalid_context;
  if (fails(create_stream)) return results::out_of_memory;
  return *made = reinterpret_cast<stream_handle>(new stream(current->device)), success;
}
result cuStreamDestroy_v2(stream_handle handle) {
  if (forked()) return results::not_initialized;
  return delete stream_of(handle), success;
}
result cuStreamWaitEvent(stream_handle where, event_handle what, unsigned) {
  count(wait_event);
  if (event_of(what)->captured && event_of(what)->captured->capturing)
    return stream_of(where)->captured = event_of(what)->captured, success;
  const auto point = event_of(what)->last();
  if (!point) return success;
  return put(where, [point, home = current] {
    while (!point->reached && !home->lost) std::this_thread::sleep_for(std::chrono::microseconds(5));
  });
}
result cuEventCreate(event_handle *made, unsigned) {
  if (!current) return results::invalid_context;
  if (event_creation_fails) return results::out_of_memory;
  auto *const e = new fake::event;
  e->device = current->device;
  return *made = reinterpret_cast<event_handle>(e), success;
}
result cuEventDestroy_v2(event_handle e) {
  if (!current) return results::invalid_context;
  return delete event_of(e), success;
}
result cuEventRecord(event_handle what, stream_handle where) {
  count(record_event);
  if (event_of(what)->device != stream_of(where)->device) return invalid_value;  // an event of another context
  event_of(what)->captured = stream_of(where)->captured;
  if (stream_of(where)->is_capturing()) return success;
  static const bool idle = std::getenv("DPEP_FAKE_IDLE") != nullptr;
  if (idle) return success;
  const auto point = event_of(what)->begin();
  return put(where, [point] {
    point->when = std::chrono::steady_clock::now();
    point->reached = true;
  });
}
result cuEventQuery(event_handle what) {
  count(query_event);
  static const bool idle = std::getenv("DPEP_FAKE_IDLE") != nullptr;
  if (idle) return success;
  if (forked()) return results::not_initialized;
  if (const result lost = context_of(event_of(what)->device)->lost) return lost;
  return event_of(what)->complete() ? success : results::not_ready;
}
result cuEventSynchronize(event_handle what) {
  count(synchronize_event);
  if (!current) return results::invalid_context;
  while (!event_of(what)->complete()) {
    if (const result lost = context_of(event_of(what)->device)->lost) return lost;
    std::this_thread::sleep_for(std::chrono::microseconds(5));
  }
  return success;
}
result cuEventElapsedTime(float *milliseconds, event_handle start, event_handle end) {
  const auto a = event_of(start)->last(), b = event_of(end)->last();
  if (clock_fails) return invalid_value;
  if (!a || !b || !a->reached || !b->reached) return results::not_ready;
  return *milliseconds = std::chrono::duration<float, std::milli>(b->when - a->when).count(), success;
}

result cuStreamBeginCapture_v2(stream_handle where, int) {
  ++captures_in_progress;
  return stream_of(where)->captured = std::make_shared<fake::graph>(), success;
}
result cuStreamEndCapture(stream_handle where, graph_handle *made) {
  const auto graph = stream_of(where)->captured;
  graph->capturing = false;
  --captures_in_progress;
  return *made = reinterpret_cast<graph_handle>(new std::shared_ptr<fake::graph>(graph)), success;
}
result cuGraphInstantiateWithFlags(graph_exec_handle *made, graph_handle from, std::uint64_t) {
  auto *const copy = new std::shared_ptr<fake::graph>(*reinterpret_cast<std::shared_ptr<fake::graph> *>(from));
  return *made = reinterpret_cast<graph_exec_handle>(copy), success;
}
result cuGraphLaunch(graph_exec_handle what, stream_handle where) {
  count(launch_graph);
  return put(where, [graph = *reinterpret_cast<std::shared_ptr<fake::graph> *>(what)] {
    for (const auto &work : graph->work) work();
  });
}
result cuGraphDestroy(graph_handle what) {
  return delete reinterpret_cast<std::shared_ptr<fake::graph> *>(what), success;
}
result cuGraphExecDestroy(graph_exec_handle what) {
  return delete reinterpret_cast<std::shared_ptr<fake::graph> *>(what), success;
}

result cuLinkCreate_v2(unsigned count, int *options, void **values, link_handle *made) {
  auto *const l = new linking;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == link_error_log) l->log = static_cast<char *>(values[i]);
    if (options[i] == link_error_log_bytes) l->log_bytes = reinterpret_cast<std::size_t>(values[i]);
  }
  return *made = reinterpret_cast<link_handle>(l), success;
}
result cuLinkAddData_v2(link_handle handle, int, void *data, std::size_t, const char *, unsigned, int *, void **) {
  auto *const l = reinterpret_cast<linking *>(handle);
  l->ptx = static_cast<const char *>(data);
  const std::string errors = assembler_errors(l->ptx);
  if (errors.empty()) return success;
  if (l->log) std::snprintf(l->log, l->log_bytes, "%s", errors.c_str());
  return invalid_ptx;
}
result cuLinkComplete(link_handle handle, void **image, std::size_t *bytes) {
  auto *const l = reinterpret_cast<linking *>(handle);
  *image = l->ptx.data();
  return *bytes = l->ptx.size() + 1, success;
}
result cuLinkDestroy(link_handle handle) { return delete reinterpret_cast<linking *>(handle), success; }

result cuModuleLoadData(module_handle *made, const void *image) {
  return *made = reinterpret_cast<module_handle>(new module_(static_cast<const char *>(image))), success;
}
result cuModuleUnload(module_handle handle) { return delete reinterpret_cast<module_ *>(handle), success; }
result cuModuleGetFunction(function_handle *made, module_handle handle, const char *name) {
  auto *const m = reinterpret_cast<module_ *>(handle);
  if (fails(get_function)) return results::out_of_memory;
  if (m->ptx.find(std::string(".entry ") + name) == std::string::npos) return results::not_found;
  return *made = reinterpret_cast<function_handle>(m), success;
}
result cuModuleGetGlobal_v2(address *at, std::size_t *bytes, module_handle handle, const char *name) {
  auto *const m = reinterpret_cast<module_ *>(handle);
  if (m->ptx.find(name) == std::string::npos) return results::not_found;
  address &place = m->globals[name];
  if (!place)
    if (const result code = allocate(&place, kind::device, 8); code != success) return code;
  *at = place;
  return *bytes = 8, success;
}
result cuFuncSetAttribute(function_handle, int, int) { return success; }
result cuFuncGetAttribute(int *value, int attribute, function_handle f) {
  const module_ &m = *reinterpret_cast<module_ *>(f);
  *value = attribute == function_registers ? m.registers() : m.is_limited() && limited_code_spills ? 64 : 0;
  return success;
}
result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, function_handle f, int items, std::size_t) {
  const int registers = reinterpret_cast<module_ *>(f)->registers();
  return *blocks = std::min(65536 / (registers * items), 2048 / items), success;
}
result cuLaunchKernelEx(const launch_configuration *how, function_handle f, void **parameters, void **) {
  count(launch_kernel);
  last_limited = reinterpret_cast<module_ *>(f)->is_limited();
  const auto size = [](const unsigned (&n)[3]) { return std::size_t{n[0]} * n[1] * n[2]; };
  if (!size(how->grid) || !size(how->block) || size(how->block) > 1024 || how->shared_bytes > (227u << 10))
    return invalid_value;
  if (how->grid[0] > 0x7fffffff || how->grid[1] > 65535 || how->grid[2] > 65535 || how->block[2] > 64)
    return invalid_value;
  last_block = unsigned(size(how->block));
  const stream_handle where = how->stream;
  const bool cooperative = how->attribute_count == 1 && how->attributes[0].id == cooperative_launch;
  early_launches += cooperative ? 0 : how->attribute_count;
  const module_ &m = *reinterpret_cast<module_ *>(f);
  for (unsigned i = 0; !cooperative && i < how->attribute_count;
       ++i)  // a real driver does not check that the kernel waits
    if (how->attributes[i].id != programmatic_stream_serialization ||
        m.ptx.find("griddepcontrol.wait") == std::string::npos)
      return invalid_value;
  if (m.fills) {  // the only kernel that is executed
    std::array<std::uint64_t, 4> given;
    for (std::size_t i = 0; i < 4; ++i) given[i] = *static_cast<std::uint64_t *>(parameters[i]);
    if (const std::string errors = assembler_errors(m.ptx); !errors.empty())
      return std::fprintf(stderr, "%s", errors.c_str()), invalid_ptx;
    return fill(given[0], &given[2], 16, given[1], where);
  }
  failure_place *fails = nullptr;
  if (kernels_fail && m.globals.contains(failing_name))
    fails =
        reinterpret_cast<failure_place *>(shared_memory().driver_view(static_cast<std::uint64_t *>(parameters[1])[7]));
  return put(where, [&m, fails, faults = m.faults, home = current] {
    ++launches;
    if (fails && std::exchange(fails->claimed, fails->record->round) != fails->record->round) {
      failure_record &r = *fails->record;
      std::memcpy(&r.kernel, shared_memory().driver_view(m.globals.at(failing_name)), sizeof r.kernel);
      std::fill_n(r.item, 3, 7);
      std::strcpy(r.text, "fake failure");
      std::atomic_ref(r.state).store(2);
    }
    if (!faults) return;
    while (faults_held) std::this_thread::sleep_for(std::chrono::microseconds(5));
    home->lost = fault.load();
  });
}

#pragma GCC visibility pop
}  // extern "C"

// Each function has the type that the back end expects.
#define DPEP_CUDA_SAME(field, symbol, parameters)                                                                      \
  static_assert(std::is_same_v<decltype(symbol), result parameters>, #symbol);
DPEP_CUDA_FUNCTIONS(DPEP_CUDA_SAME)
