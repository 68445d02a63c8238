// Work that nobody waits for yet: compiling what will be wanted.
#pragma once

#include <functional>

namespace dpep::array {

/// Runs the task on one of the runtime's threads, when those that were given before are done. What the task throws is
/// lost, and so is the task where there is no memory or thread for it: who needs the result has to get it otherwise.
void in_background(std::function<void()> task) noexcept;

/// Until all that was given is done: for tests.
void wait_for_background();

}  // namespace dpep::array
