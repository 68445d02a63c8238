// Fork and exit of the process while the CPU back end has running tasks.
#pragma once

namespace dpep::backend::cpu::process {

/// Installs the handlers for fork and exit, once. Called before the first task.
void prepare();

}  // namespace dpep::backend::cpu::process
