// The threads that run kernels: a oneTBB arena for each device or sub-device.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "backend/common/host_threads.hpp"

namespace dpep::backend::cpu {

class executor {
public:
  /// Uses up to `concurrency` threads. If `cpus` is not empty, threads are pinned to those CPUs while they work here.
  /// Starts no thread before the first job.
  explicit executor(unsigned concurrency, std::vector<unsigned> cpus = {});
  ~executor();
  executor(const executor &) = delete;
  executor &operator=(const executor &) = delete;

  unsigned concurrency() const noexcept { return concurrency_; }
  const std::vector<unsigned> &cpus() const noexcept { return cpus_; }
  void post(job) noexcept;

private:
  class arena;
  arena *get_arena();

  const unsigned concurrency_;
  const std::vector<unsigned> cpus_;
  std::atomic<arena *> arena_{nullptr};
};

}  // namespace dpep::backend::cpu
