// Calls of libraries of a GPU's vendor on the memory of arrays, in order with a queue's array work.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <dpep/array.hpp>

#include "backend/native.hpp"

namespace dpep::array::gpu {

/// The device with native handles behind a queue; null if its back end has none.
backend::native_device *find_native_device(const queue &);
/// Submits calls that put work into the stream that they get. `used`: the arrays whose memory the work accesses.
/// `owners` are released when it is complete.
event submit_native(const queue &, const char *operation, const std::vector<ndarray> &used,
                    std::vector<std::shared_ptr<void>> owners, std::function<void(std::uintptr_t stream)> calls);

}  // namespace dpep::array::gpu
