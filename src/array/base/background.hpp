// Background tasks, such as the compilation of programs ahead of their use.
#pragma once

#include <functional>

namespace dpep::array {

/// Runs the task on one of the runtime's threads, after all tasks that were passed before. Exceptions
/// of the task are discarded, and the task is dropped if there is no memory or thread for it. So callers must not rely
/// on its result.
void in_background(std::function<void()> task) noexcept;

/// The same beside other tasks, for a result that the calling thread will soon wait for.
void ahead_of_use(std::function<void()> task) noexcept;

/// Waits until all tasks that were passed are complete. For tests.
void wait_for_background();

}  // namespace dpep::array
