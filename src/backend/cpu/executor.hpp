// The threads that run kernels: a oneTBB arena for each device or sub-device.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/common/host_threads.hpp"

namespace dpep::backend::cpu {

class helpers;

class executor {
public:
  /// Uses up to `concurrency` threads. If `cpus` is not empty, threads are pinned to those CPUs while they work here.
  /// Starts no thread before the first job. That job's caller does not wait for their start, which takes a millisecond.
  explicit executor(unsigned concurrency, std::vector<unsigned> cpus = {});
  ~executor();
  executor(const executor &) = delete;
  executor &operator=(const executor &) = delete;

  unsigned concurrency() const noexcept { return concurrency_; }
  const std::vector<unsigned> &cpus() const noexcept { return cpus_; }
  void post(job) noexcept;
  /// The threads that help with short kernels.
  helpers &helping() noexcept { return *helpers_; }

private:
  class arena;
  /// Adds the job to those that are posted when there is an arena, and has one started. False: there is one already.
  bool post_when_started(job);
  void start_arena() noexcept;
  void post_to_arena(job) noexcept;

  const unsigned concurrency_;
  const std::vector<unsigned> cpus_;
  const std::shared_ptr<helpers> helpers_;  // threads that help keep it
  std::atomic<arena *> arena_{nullptr};
  std::mutex mutex_;  // of the members below
  std::condition_variable started_;
  bool is_starting_ = false;  // until the jobs that waited are posted, also when the arena is there
  std::vector<job> waiting_;
};

}  // namespace dpep::backend::cpu
