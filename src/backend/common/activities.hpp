// How much of its submitted work each queue of a back end has done, for displays of progress.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dpep::backend {

struct busy_queue {
  std::uint64_t id;
  std::string first;              // the kernel of the oldest task that is not complete; "copy", "fill", "host task"
  std::uint64_t done, submitted;  // tasks; what ran within its submission is in neither
  double part;                    // of the oldest
};
std::vector<busy_queue> busy_cpu_queues();

}  // namespace dpep::backend
