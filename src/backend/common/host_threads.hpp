// Threads for host tasks, shared by all back ends. There are as many as needed, since a host task may block until
// another one is done.
#pragma once

namespace dpep::backend {

/// A function call to execute on some thread.
struct job {
  void (*run)(void *) noexcept;
  void *argument;
};

namespace host_threads {

enum class priority { normal, low };

/// Executes the job on one of the threads, within milliseconds even if all others are blocked; on the calling thread if
/// the system has no memory or no thread left. An idle thread ends after a while. Threads for jobs of low priority are
/// scheduled after other threads by the operating system.
void post(job, priority = priority::normal) noexcept;

}  // namespace host_threads
}  // namespace dpep::backend
