// Progress of the CPU back end's queues, for displays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dpep::backend {

/// A queue with incomplete tasks.
struct busy_queue {
  std::uint64_t id;
  std::string oldest_task;             // the oldest incomplete task: a kernel's name, "copy", "fill" or "host task"
  std::uint64_t completed, submitted;  // numbers of tasks; work that ran during its submission counts in neither
  double oldest_fraction;              // completed part of the oldest task, 0 to 1
};
std::vector<busy_queue> busy_cpu_queues();

}  // namespace dpep::backend
