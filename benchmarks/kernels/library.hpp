// The interface of a library of kernels, implemented by sycl/, native/ and opencl/ and exported by exports.cpp.
//
// `arguments` has the buffers, sizes and launch shape of a kernel, in the order of problems.py. Dimension 0 of a launch
// varies fastest, as in OpenCL; `local` is zero without work-groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "shapes.h"

namespace bench {

struct arguments {
  void *const *buffers;
  int buffer_count;
  const std::int64_t *sizes;
  int size_count;
  std::int64_t global[2], local[2];

  template <class T> T *buffer(int i) const { return static_cast<T *>(buffers[i]); }
};

// Functions that each library defines. They throw exceptions on errors.

/// Starts the device and returns its name. `folder` has the sources.
const char *start_device(const char *folder);
/// Memory that device and host share, until the process ends.
void *allocate_memory(std::size_t bytes);
/// A function that runs the kernel and waits for it; its time is measured.
std::function<void()> prepare(const char *kernel, const arguments &);
/// Makes the kernel's results visible to the host.
void make_visible(const arguments &);

// In libraries whose kernels are C++, registry.cpp defines the last two.

using body = void (*)(const arguments &);

/// Registers a kernel; `run` runs it and returns when its results are complete.
struct kernel {
  kernel(const char *name, body run);
};

}  // namespace bench
