// Forks while kernels are being compiled: the child has none of the threads that others wait for.
#pragma once

namespace dpep::jit {

/// Held where one thread makes what others wait for: a fork in another thread waits until nobody holds it. By the same
/// thread as often as it likes.
class no_fork_meanwhile {
public:
  no_fork_meanwhile() noexcept;
  no_fork_meanwhile(const no_fork_meanwhile &) = delete;
  ~no_fork_meanwhile();
};

}  // namespace dpep::jit
