// Fork and exit of the process while the CPU back end has running tasks.
#pragma once

namespace dpep::backend::cpu::process {

/// Installs the handlers for fork and exit, once. Called before the first task.
void prepare();

/// Whether this is a forked child whose parent had used the runtime's threads, which the child does not have.
bool forked() noexcept;

/// Counts the tasks that can complete without further action of the program: from ready to complete. A task that waits
/// for an event of the program is not counted.
void task_started() noexcept;
void task_ended() noexcept;

/// Marks the calling thread as one that runs tasks: a fork or exit in it does not wait for tasks, which would include
/// its own.
void set_runtime_thread() noexcept;

}  // namespace dpep::backend::cpu::process
