// Forked children of a process that uses a GPU: CUDA does not work there, so the driver's functions are disabled.
#pragma once

namespace dpep::backend::cuda {

inline constexpr char forked_child_error[] =
    "this process was forked from one that had started the CUDA driver, which does not work in a child. Start a new "
    "process (in Python: multiprocessing's \"spawn\"), or fork before the first use of a device";

/// Installs the fork handler, once the driver is started. In a child, objects are then released without driver calls
/// and without errors, and further use throws forked_child_error.
void install_fork_handler();

bool in_forked_child() noexcept;

}  // namespace dpep::backend::cuda
