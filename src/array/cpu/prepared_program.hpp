// Prepared programs: scheduled, with cell code.
#pragma once

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "array/cpu/cell_code.hpp"
#include "backend/backend.hpp"

namespace dpep::array {

/// Everything that executing a program again needs, independent of its arguments.
struct prepared_program {
  std::vector<pass_code> passes;
  std::size_t operands = 0;
  // for each scalar instruction: the index of the argument, and its type
  std::vector<std::pair<std::uint16_t, dtype>> scalars;
  // Workspace: the offsets of temporaries, of each pass's states, and of the stages' counters of completed segments.
  std::vector<std::int64_t> temporary_offsets;
  std::vector<std::vector<std::int64_t>> states_offsets;
  std::int64_t counters_offset = 0;
  std::size_t workspace_bytes = 0;
  std::size_t scratch_bytes = 0;  // for each thread, without the workspace
  double nanoseconds = 0;
  std::string name;
  std::vector<std::shared_ptr<compiled_loop>> loops;
  function_list functions;  // referenced by instructions, and by the cache key through their addresses
  mutable std::atomic<bool> executed_again{false};  // executed a second time, which requests compilation of its loops

  /// A launch; stages are launched in order. The thread that completes the last segment of a pass also merges its
  /// results and executes the passes before `next`, if these are short: a launch of their own would take longer.
  struct stage {
    enum class kind : std::uint8_t { whole, segments, finishing } what;
    std::uint32_t pass = 0;
    std::uint32_t next = 0;  // equal to `pass` if the stage does nothing else
    std::size_t units = 1;
    bool is_short = false;  // an estimate, used until run times are measured
  };
  std::vector<stage> stages;

  /// Requests the compilation of its loops: see compiled_loop::request.
  void request_compilation(bool again) const noexcept {
    for (const std::shared_ptr<compiled_loop> &loop : loops) loop->request(again);
  }
};

/// Prepares a program for execution on a device. Compiled loops are requested, and users' functions are compiled.
/// `aliased`: see scheduler.hpp.
std::shared_ptr<const prepared_program> prepare_program(const program &, bool aliased, backend::device &);

}  // namespace dpep::array
