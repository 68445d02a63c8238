// Runs units of work under the fault guard, and turns faults into error messages.
#include "backend/cpu/work.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "backend/common/kernel_description.hpp"
#include "backend/cpu/guard.hpp"
#include "backend/cpu/local_memory.hpp"

namespace dpep::backend::cpu {
namespace {

[[gnu::cold]] std::exception_ptr memory_error(const char *operation, std::size_t bytes, const fault &what) {
  return std::make_exception_ptr(exception(
      errc::runtime,
      fmt::format("{} of {} bytes failed: {}; memory must be valid, and of this size, until the operation is complete",
                  operation, bytes, what.describe())));
}

void fill_bytes(std::byte *to, const std::byte *pattern, std::size_t pattern_bytes, std::size_t count) {
  const bool uniform = std::all_of(pattern + 1, pattern + pattern_bytes, [&](std::byte b) { return b == *pattern; });
  const std::size_t total = pattern_bytes * count;
  if (uniform) {
    std::memset(to, std::to_integer<int>(*pattern), total);
    return;
  }
  // doubles the filled part up to a block that stays in the L1 cache, and repeats that block
  constexpr std::size_t block = 16 * 1024;
  std::memcpy(to, pattern, pattern_bytes);
  std::size_t done = pattern_bytes;
  while (done < total) {
    const std::size_t step =
        std::min({done, total - done, std::max(block / pattern_bytes, std::size_t{1}) * pattern_bytes});
    std::memcpy(to + done, to, step);
    done += step;
  }
}

}  // namespace

[[gnu::cold]] std::exception_ptr kernel_error(const kernel_view &kernel, const std::string &what) {
  return std::make_exception_ptr(
      exception(errc::kernel, fmt::format("{} failed: {}", describe_kernel(kernel.code, kernel.where), what)));
}

std::exception_ptr kernel_view::run(std::size_t begin, std::size_t end) const noexcept {
  std::byte *local = nullptr;
  if (const std::size_t bytes = code.local_bytes(local_bytes)) {
    local = local_memory(bytes);
    if (!local) {
      return std::make_exception_ptr(
          exception(errc::memory_allocation,
                    fmt::format("kernel '{}': no memory for the {} bytes of local and private memory of a work-group",
                                code.name, bytes)));
    }
  }
  fault what;
  const work_function entry = code.entry;
  const interrupts::kernel_run run(code.stoppable ? stop : nullptr);
  if (guarded(what, [&] { entry(arguments, &work, begin, end, local, local_bytes); })) [[likely]]
    return nullptr;
  if (what.what == fault::kind::interrupted) return interrupted_mark();
  return kernel_error(*this, what.describe());
}

kernel_work::kernel_work(const launch_command &command)
    : code_(ref<const backend::code>::share(command.code)),
      work_(command.work),
      local_bytes_(command.local_bytes),
      where_(command.where),
      arguments_(inline_) {
  const std::span<const std::byte> from = command.arguments;
  if (from.size() > sizeof inline_)
    arguments_ = static_cast<std::byte *>(::operator new(from.size(), std::align_val_t{alignment}));
  if (!from.empty()) std::memcpy(arguments_, from.data(), from.size());
}

kernel_work::~kernel_work() {
  if (arguments_ != inline_) ::operator delete(arguments_, std::align_val_t{alignment});
}

std::exception_ptr copy_work::run(std::size_t begin, std::size_t end) const noexcept {
  fault what;
  const auto to = static_cast<std::byte *>(command.to);
  const auto from = static_cast<const std::byte *>(command.from);
  if (guarded(what, [&] { std::memcpy(to + begin, from + begin, end - begin); })) [[likely]]
    return nullptr;
  return memory_error("copy", command.bytes, what);
}

fill_work::fill_work(const fill_command &command)
    : to(command.to), pattern_bytes(command.pattern_bytes), count(command.count) {
  std::byte *copy = inline_pattern.data();
  if (pattern_bytes > inline_pattern.size()) {
    large_pattern = std::make_unique_for_overwrite<std::byte[]>(pattern_bytes);
    copy = large_pattern.get();
  }
  std::memcpy(copy, command.pattern, pattern_bytes);
}

std::exception_ptr fill_work::run(std::size_t begin, std::size_t end) const noexcept {
  return run_fill({to, large_pattern ? large_pattern.get() : inline_pattern.data(), pattern_bytes, count}, begin, end);
}

std::exception_ptr run_fill(const fill_command &command, std::size_t begin, std::size_t end) noexcept {
  if (begin == end) return nullptr;
  fault what;
  const auto to = static_cast<std::byte *>(command.to) + begin * command.pattern_bytes;
  const auto pattern = static_cast<const std::byte *>(command.pattern);
  if (guarded(what, [&] { fill_bytes(to, pattern, command.pattern_bytes, end - begin); })) [[likely]]
    return nullptr;
  return memory_error("fill", command.pattern_bytes * command.count, what);
}

}  // namespace dpep::backend::cpu
