// The process's running compilations and busy queues, for progress displays.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <dpep/export.hpp>

namespace dpep {

/// A running compilation, or a queue with incomplete submissions.
struct activity {
  enum class kind { compilation, queue } type;
  std::uint64_t id;   // constant while the compilation runs or the queue lives
  std::string name;   // of the kernel or array program: the compiled one, or the oldest incomplete one of the queue
  std::string stage;  // of a compilation; empty for queues
  /// Compilation: completed stages, all stages. Queue: completed submissions, all submissions since its construction.
  std::uint64_t done, total;
  double fraction;                              // completed part of the queue's oldest incomplete submission, 0 to 1
  std::chrono::steady_clock::time_point since;  // start of the compilation; unset for queues
};

/// The process's running compilations and the busy queues of its CPU devices, each oldest first.
DPEP_API std::vector<activity> activities();

}  // namespace dpep
