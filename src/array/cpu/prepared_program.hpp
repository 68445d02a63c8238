// Prepared programs: planned and lowered, found again by what they are.
#pragma once

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "array/cpu/cell_code.hpp"
#include "backend/backend.hpp"

namespace dpep::array {

/// All that running a program again needs, whatever its arguments.
struct prepared_program {
  std::vector<lowered> passes;
  std::size_t operands = 0;
  std::vector<std::pair<std::uint16_t, dtype>> scalars;  // for each scalar instruction: which argument, as what
  // Workspace: offsets of temporaries, of each pass's states, and of the stages' counters of segments that are done.
  std::vector<std::int64_t> temporary_offsets;
  std::vector<std::vector<std::int64_t>> states_offsets;
  std::int64_t counters_offset = 0;
  std::size_t workspace_bytes = 0;
  std::size_t scratch_bytes = 0;  // of a thread, without the workspace
  double nanoseconds = 0;
  std::string name;
  std::vector<std::shared_ptr<fused_run>> runs;
  function_list functions;                     // that instructions refer to, and keys by their addresses
  mutable std::atomic<bool> met_again{false};  // and so what can be compiled is

  /// What is launched, one after the other. Whoever does the last segment of a pass also finishes its results and does
  /// the passes before `next`, where these are little work: a launch of its own would take longer.
  struct stage {
    enum class kind : std::uint8_t { whole, segments, finishing } what;
    std::uint32_t pass = 0;
    std::uint32_t next = 0;  // the same as `pass`: nothing else
    std::size_t units = 1;
    bool is_short = false;  // an estimate, for its first launch
  };
  std::vector<stage> stages;
};

/// A prepared program as a device's code.
struct program_code {
  std::shared_ptr<const prepared_program> program;
  std::vector<ref<const backend::code>> stages;
};

/// Prepares the program unless that was done; the most recent thousand are kept. `aliased`: see schedule.hpp.
std::shared_ptr<const program_code> prepare(const program &, bool aliased, backend::device &);

}  // namespace dpep::array
