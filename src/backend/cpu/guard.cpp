// The signal handlers of the fault guard, and the signal stacks that they need.
#include "backend/cpu/guard.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "backend/cpu/interrupts.hpp"

namespace dpep::backend::cpu {

namespace detail {
thread_local constinit guard_state guard [[gnu::tls_model("initial-exec")]];
}

namespace {

constexpr std::array<int, 4> signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL};
std::array<struct sigaction, 65> previous;

/// Someone else's fault: what would have happened without us.
void chain(int number, siginfo_t *info, void *context) {
  const struct sigaction &before = previous[static_cast<std::size_t>(number)];
  if (before.sa_flags & SA_SIGINFO) return before.sa_sigaction(number, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(number);
  // returning repeats the faulting instruction, now with the default action; a signal that was sent is sent again
  std::signal(number, SIG_DFL);
  if (info->si_code <= 0) std::raise(number);
}

void on_fault(int number, siginfo_t *info, void *context) {
  detail::guard_state &state = detail::guard;
  const bool sent = info->si_code <= 0;  // by kill(), not by an instruction
  if (!state.target || sent) return chain(number, info, context);
  fault &report = *state.report;
  if (number == SIGFPE) {
    report.what = fault::kind::arithmetic;
    report.integer = info->si_code == FPE_INTDIV || info->si_code == FPE_INTOVF;
  } else if (number == SIGILL) {
    report.what = fault::kind::illegal;
  } else {
    const auto &registers = static_cast<const ucontext_t *>(context)->uc_mcontext.gregs;
    const auto stack = static_cast<std::uintptr_t>(registers[REG_RSP]);
    report.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    report.known_address = info->si_code != SI_KERNEL;  // a non-canonical address is not told
    report.write = (registers[REG_ERR] & 2) != 0;
    report.jump = (registers[REG_ERR] & 16) != 0;
    // a push or a frame's first touch below the stack's end faults close to the stack pointer
    const bool near_stack =
        report.known_address && report.address + 0x10000 > stack && report.address < stack + 0x10000;
    report.what = near_stack ? fault::kind::stack : fault::kind::memory;
  }
  std::longjmp(*state.target, 1);
}

/// A thread's alternate signal stack, gone with the thread.
struct signal_stack {
  void *memory = nullptr;
  std::size_t bytes = 0;
  ~signal_stack() {
    if (!memory) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory, bytes);
    detail::guard.prepared = false;
  }
};

/// While the thread lives.
struct known_thread {
  known_thread() { interrupts::add_thread(detail::guard); }
  ~known_thread() { interrupts::remove_thread(detail::guard); }
};

}  // namespace

void detail::prepare_thread() {
  guard.prepared = true;
  static thread_local const known_thread known;
  (void)known;
  stack_t current{};
  if (sigaltstack(nullptr, &current) == 0 && !(current.ss_flags & SS_DISABLE)) return;  // there is one already
  static thread_local signal_stack mine;
  const long least = sysconf(_SC_SIGSTKSZ);  // depends on the CPU's vector registers
  mine.bytes = std::max<std::size_t>(64 * 1024, least > 0 ? static_cast<std::size_t>(least) : 0);
  mine.memory = mmap(nullptr, mine.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (mine.memory == MAP_FAILED) {  // without it only stack overflows stay fatal
    mine.memory = nullptr;
    return;
  }
  stack_t stack{};
  stack.ss_sp = mine.memory;
  stack.ss_size = mine.bytes;
  sigaltstack(&stack, nullptr);
}

void install_fault_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction ours{};
    ours.sa_sigaction = on_fault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // NODEFER: leaving by longjmp must not leave it blocked
    sigemptyset(&ours.sa_mask);
    for (int number : signals) sigaction(number, &ours, &previous[static_cast<std::size_t>(number)]);
  });
}

void note_item(std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint32_t dimensions) noexcept {
  if (!detail::guard.target) return;
  fault &report = *detail::guard.report;
  report.dimensions = dimensions;
  const std::array<std::uint64_t, 3> ids{x, y, z};
  for (std::uint32_t d = 0; d < dimensions; ++d) report.item[d] = ids[dimensions - 1 - d];
}

void fail_assertion(const char *text, const char *file, std::uint32_t line, const char *function) noexcept {
  detail::guard_state &state = detail::guard;
  if (!state.target) {
    std::fprintf(stderr, "%s:%u: %s: assertion '%s' failed\n", file, line, function, text);
    std::abort();
  }
  state.report->what = fault::kind::assertion;
  try {
    // the standard library's checks come without a file
    state.report->text = file && *file ? fmt::format("assertion '{}' failed in {} ({}:{})", text, function, file, line)
                                       : fmt::format("{} ({})", text, function);
  } catch (...) {  // no memory for the words: the kind must do
  }
  std::longjmp(*state.target, 1);
}

void fail_python(const char *text, const char *file, std::uint32_t line, const char *function) noexcept {
  detail::guard_state &state = detail::guard;
  if (!state.target) {
    std::fprintf(stderr, "%s:%u: %s: %s\n", file, line, function, text);
    std::abort();
  }
  state.report->what = fault::kind::assertion;
  try {
    state.report->text = fmt::format("{} (in {}, {}:{})", text, function, file, line);
  } catch (...) {  // no memory for the words: the kind must do
  }
  std::longjmp(*state.target, 1);
}

void fail_index(std::int64_t index, std::int64_t length, std::uint32_t axis, const char *file, std::uint32_t line,
                const char *function) noexcept {
  std::array<char, 160> text;
  std::snprintf(text.data(), text.size(), "IndexError: index %lld is out of range for axis %u of length %lld",
                static_cast<long long>(index), axis, static_cast<long long>(length));
  fail_python(text.data(), file, line, function);
}

std::string fault::describe() const {
  switch (what) {
  case kind::none:
    return "no fault";
  case kind::interrupted:
    return "interrupted";
  case kind::assertion: {
    const std::string said = text.empty() ? "an assertion failed" : text;
    if (!dimensions) return said;
    return fmt::format("{}, by work-item ({})", said, fmt::join(item.begin(), item.begin() + dimensions, ", "));
  }
  case kind::arithmetic:
    return integer ? "integer division by zero or overflow" : "a floating-point trap";
  case kind::illegal:
    return "an illegal instruction or a trap (code marked unreachable was reached)";
  case kind::stack:
    return "stack overflow: private arrays or recursion too large";
  case kind::memory:
    break;
  }
  if (!known_address) return "access to an address where no memory can be, or a misaligned access to a vector";
  const char *verb = jump ? "jump to" : write ? "write to" : "read of";
  if (address < 4096) return fmt::format("{} address {:#x} (null pointer)", verb, address);
  return fmt::format("{} address {:#x}, where no memory of the process is, or none that allows it", verb, address);
}

}  // namespace dpep::backend::cpu
