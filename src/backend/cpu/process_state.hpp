// The number of running tasks, which forks and exits wait for, and the mark of a forked child.
#pragma once

namespace dpep::backend::cpu::process {

/// Whether this is a forked child whose parent had used the runtime's threads, which the child does not have.
bool forked() noexcept;
/// Marks this process as a forked child. It has no running tasks: the parent runs them.
void set_forked() noexcept;

/// Counts the tasks that can complete without further action of the program: from ready to complete. A task that waits
/// for an event of the program is not counted.
void task_started() noexcept;
void task_ended() noexcept;
/// Waits until there are no running tasks. Returns at once on a thread that runs tasks.
void wait_for_tasks() noexcept;

/// Marks the calling thread as one that runs tasks: a fork or exit in it does not wait for tasks, which would include
/// its own.
void set_runtime_thread() noexcept;

}  // namespace dpep::backend::cpu::process
