// Preloads the driver's PTX assembler while the driver starts.
#pragma once

namespace dpep::backend::cuda {

/// Starts a thread that opens the library which the driver needs to assemble its first kernel, and reads its code into
/// memory. Without this the first kernel waits 5 ms for it, and 70 ms if it must be read from disk; starting the driver
/// takes longer than that. Does nothing where there is no such library, or no thread can be started.
void preload_assembler() noexcept;

}  // namespace dpep::backend::cuda
