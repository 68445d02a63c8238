// Fork and exit: what the CPU back end does when the process splits or ends with work in flight.
#pragma once

namespace dpep::backend::cpu::process {

/// Called before the first task: installs the handlers for fork and exit, once.
void prepare();

/// Whether this is a child whose parent had used the runtime's threads: they are not here.
bool forked() noexcept;

/// Tasks that can still get done by themselves: from ready to complete. A task that waits for an event of the
/// program is not among them.
void task_started() noexcept;
void task_ended() noexcept;

/// Marks the calling thread as one that runs tasks: fork and exit then do not wait for its own.
void set_runtime_thread() noexcept;

}  // namespace dpep::backend::cpu::process
