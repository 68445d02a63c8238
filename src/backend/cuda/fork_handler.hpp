// The fork handler: disables the driver's functions in forked children.
#pragma once

namespace dpep::backend::cuda {

/// Installs the fork handler, once the driver is started. In a child, objects are then released without driver calls
/// and without errors, and further use throws forked_child_error.
void install_fork_handler();

}  // namespace dpep::backend::cuda
