// The driver's assembler, opened while the driver starts.
#pragma once

#include <thread>

namespace dpep::backend::cuda {

/// The driver opens a library when the first kernel is assembled: 2 ms, and 60 where it has to be read from disk. A
/// thread does that while this lives, which is to be for as long as the driver starts: a hundred milliseconds. Where
/// there is no such library, or no thread, nothing happens.
class opening_assembler {
public:
  opening_assembler() noexcept;
  opening_assembler(const opening_assembler &) = delete;

private:
  std::jthread thread_;
};

}  // namespace dpep::backend::cuda
