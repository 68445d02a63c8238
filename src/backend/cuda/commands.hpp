// Commands as calls of the CUDA driver, which put their work into a stream.
#pragma once

#include "backend/backend.hpp"
#include "backend/cuda/queue_core.hpp"

namespace dpep::backend::cuda {

/// A kernel launch that is validated and divided into blocks.
class kernel_launch {
public:
  /// Throws errc::nd_range and errc::invalid if the launch exceeds the device's limits.
  kernel_launch(queue_core &, const launch_command &);
  void enqueue(stream_handle stream, const std::byte *arguments) const {
    core_.record_launch(code_, stream, dimensions_, where_);
    put(stream, arguments);
  }
  /// Puts the launch into the stream without recording it.
  void put(stream_handle, const std::byte *arguments) const;

private:
  queue_core &core_;
  const loaded_code &code_;
  abi::launch_parameters parameters_;
  std::array<unsigned, 3> grid_, block_;
  unsigned shared_bytes_;
  std::size_t argument_bytes_, dimensions_;
  source_line where_;
};

void enqueue_copy(device_context &, const copy_command &, stream_handle);
void enqueue_fill(device_context &, const fill_command &, stream_handle);
void enqueue_prefetch(device_context &, const prefetch_command &, stream_handle);
void advise(device_context &, const advise_command &);

}  // namespace dpep::backend::cuda
