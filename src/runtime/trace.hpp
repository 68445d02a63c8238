// DPEP_TRACE=file.json: copies, kernels and compilations as a Chrome/Perfetto trace.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dpep::runtime::trace {

/// Whether DPEP_TRACE was set when the process first asked.
bool enabled() noexcept;
/// A new row of the picture (a queue, say); the calling thread's own row is 0.
std::uint32_t new_row(std::string_view title);
/// One finished span. Times are nanoseconds of the steady clock. Row 0: the calling thread.
void record(std::string_view name, std::string_view category, std::uint64_t start, std::uint64_t end,
            std::uint32_t row = 0) noexcept;

/// Records its own lifetime on the calling thread's row: `trace::scope s("compile " + name, "compile")`.
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
