// The driver's assembler, brought into memory while the driver starts.
#pragma once

namespace dpep::backend::cuda {

/// A thread opens the library that the driver opens when the first kernel is assembled, and brings its code into
/// memory: else that kernel waits 5 ms for it, and 70 where it has to be read from disk. The driver takes longer to
/// start. Where there is no such library, or no thread, nothing happens.
void bring_assembler_ahead() noexcept;

}  // namespace dpep::backend::cuda
