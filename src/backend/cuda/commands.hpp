// Commands in the driver's terms: what is put into a stream for each.
#pragma once

#include "backend/backend.hpp"
#include "backend/cuda/queue_core.hpp"

namespace dpep::backend::cuda {

/// A launch, checked and cut into blocks.
class kernel_launch {
public:
  /// Throws errc::nd_range, errc::memory_allocation for what the device cannot do.
  kernel_launch(queue_core &, const launch_command &);
  void put_into(stream_handle, const std::byte *arguments) const;

private:
  /// What a kernel gets beside its arguments: src/jit/targets/nvptx/form.cpp reads it.
  struct shape {
    std::array<std::uint64_t, 3> global, offset;
    std::uint64_t items_each = 1;  // work-items that a thread takes, of a launch without work-groups
    std::uint64_t failures = 0;    // a failure_place, for kernels that can fail
  };

  queue_core &core_;
  const loaded_code &code_;
  shape shape_;
  std::array<unsigned, 3> grid_, block_;
  unsigned shared_bytes_;
  std::size_t argument_bytes_, dimensions_;
  source_line where_;
};

void put_copy(card &, const copy_command &, stream_handle);
void put_fill(card &, const fill_command &, stream_handle);
void put_prefetch(card &, const prefetch_command &, stream_handle);
void advise(card &, const advise_command &);

}  // namespace dpep::backend::cuda
