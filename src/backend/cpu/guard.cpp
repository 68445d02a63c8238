// The signal handlers of the fault guard, and their signal stacks.
#include "backend/cpu/guard.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include <fmt/format.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "backend/cpu/interrupts.hpp"

namespace dpep::backend::cpu {

namespace {

constexpr std::array<int, 4> signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL};
std::array<struct sigaction, 65> previous;

/// Passes a signal that no kernel has caused to the previous handler.
void chain(int number, siginfo_t *info, void *context) {
  const struct sigaction &before = previous[static_cast<std::size_t>(number)];
  if (before.sa_flags & SA_SIGINFO) return before.sa_sigaction(number, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(number);
  // Returning repeats the faulting instruction, now with the default action. A signal sent by kill() must be raised
  // again.
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
    report.known_address = info->si_code != SI_KERNEL;  // the kernel does not report a non-canonical address
    report.write = (registers[REG_ERR] & 2) != 0;
    report.jump = (registers[REG_ERR] & 16) != 0;
    // a stack overflow faults close to the stack pointer: in a push, or in the first access to a frame
    const bool near_stack =
        report.known_address && report.address + 0x10000 > stack && report.address < stack + 0x10000;
    report.what = near_stack ? fault::kind::stack : fault::kind::memory;
  }
  std::longjmp(*state.target, 1);
}

/// A thread's alternate signal stack, freed when the thread ends.
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

/// Registers the thread until it ends.
struct thread_registration {
  thread_registration() { interrupts::add_thread(detail::guard); }
  ~thread_registration() { interrupts::remove_thread(detail::guard); }
};

}  // namespace

void detail::prepare_thread() {
  guard.prepared = true;
  static thread_local const thread_registration registration;
  (void)registration;
  stack_t current{};
  if (sigaltstack(nullptr, &current) == 0 && !(current.ss_flags & SS_DISABLE)) return;  // there is one already
  static thread_local signal_stack own;
  const long least = sysconf(_SC_SIGSTKSZ);  // depends on the CPU's vector registers
  own.bytes = std::max<std::size_t>(64 * 1024, least > 0 ? static_cast<std::size_t>(least) : 0);
  own.memory = mmap(nullptr, own.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (own.memory == MAP_FAILED) {  // without it stack overflows end the process
    own.memory = nullptr;
    return;
  }
  stack_t stack{};
  stack.ss_sp = own.memory;
  stack.ss_size = own.bytes;
  sigaltstack(&stack, nullptr);
}

void install_fault_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction ours{};
    ours.sa_sigaction = on_fault;
    ours.sa_flags =
        SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // NODEFER: longjmp out of the handler must not leave the signal blocked
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
    // checks of the standard library have no file name
    state.report->text = file && *file ? fmt::format("assertion '{}' failed in {} ({}:{})", text, function, file, line)
                                       : fmt::format("{} ({})", text, function);
  } catch (...) {  // no memory for the text: the kind is reported
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
  } catch (...) {  // no memory for the text: the kind is reported
  }
  std::longjmp(*state.target, 1);
}

void fail_python_with(const char *text, std::int64_t first, std::int64_t second, const char *file, std::uint32_t line,
                      const char *function) noexcept {
  std::array<char, 1024> made{};
  try {
    fmt::vformat_to_n(made.data(), made.size() - 1, text, fmt::make_format_args(first, second));
  } catch (...) {  // no memory, or not a format string: the part that was written is reported
  }
  fail_python(made.data(), file, line, function);
}

}  // namespace dpep::backend::cpu
