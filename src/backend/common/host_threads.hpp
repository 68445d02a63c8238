// Threads for host tasks, which all back ends share: as many as are needed, since a host task may block until another
// one is done.
#pragma once

namespace dpep::backend {

/// A piece of work to run on some thread.
struct job {
  void (*run)(void *) noexcept;
  void *argument;
};

namespace host_threads {

/// Runs the job on one of the threads, soon, whatever the others are blocked on. A thread that has nothing to do for
/// a while ends.
void post(job) noexcept;

}  // namespace host_threads
}  // namespace dpep::backend
