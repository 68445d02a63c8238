// The compilations and queues that the process is working on, for displays of progress.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <dpep/export.hpp>

namespace dpep {

struct activity {
  enum class kind { compilation, queue } what;
  std::uint64_t id;  // the same at each look, as long as the compilation runs or the queue lives
  std::string name;  // of the kernel or array program that is compiled, or that runs first on the queue
  std::string step;  // compilations: the stage
  /// Compilations: stages that are done, of all. Queues: submissions that are complete since the queue was made, of
  /// those that were made.
  std::uint64_t done, total;
  double part;                                  // queues: how much of the first that is not complete is done, 0 to 1
  std::chrono::steady_clock::time_point since;  // compilations: when it began
};

/// Compilations in this process, and queues of CPU devices that have work, oldest first.
DPEP_API std::vector<activity> activities();

}  // namespace dpep
