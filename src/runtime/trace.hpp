// DPEP_TRACE=file.json: writes copies, kernels and compilations to a Chrome/Perfetto trace.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dpep::runtime::trace {

/// Whether DPEP_TRACE was set at the first call.
bool enabled() noexcept;
/// Adds a row to the trace, for example for a queue. Threads have rows of their own.
std::uint32_t new_row(std::string_view title);
/// Writes a completed span. Times are nanoseconds of the steady clock. Row 0 stands for the calling thread's row.
void record(std::string_view name, std::string_view category, std::uint64_t start, std::uint64_t end,
            std::uint32_t row = 0) noexcept;

/// Records its own lifetime as a span in the calling thread's row: `trace::scope s("compile " + name, "compile")`.
class scope {
public:
  scope(std::string_view name, std::string_view category);
  ~scope();
  scope(const scope &) = delete;
  scope &operator=(const scope &) = delete;

private:
  std::string name_, category_;  // copied only when tracing
  std::uint64_t start_ = 0;
};

}  // namespace dpep::runtime::trace
