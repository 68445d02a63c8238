// What a library of kernels is made of: exports.cpp exports it to worker.py, and each of three puts something behind
// it.
//
// Kernels find their buffers, sizes and shape of launch in `arguments`, in the order of problems.py. Dimension 0 of a
// launch varies fastest, as in OpenCL; `local` is zero where no work-groups are asked for.
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

// What each library defines. All of them throw what goes wrong.

/// Starts the device and says which it is. `folder` has the sources.
const char *start_device(const char *folder);
/// Memory that device and host share, for as long as the process lives.
void *allocate_memory(std::size_t bytes);
/// A call that runs the kernel and waits for it: what is timed.
std::function<void()> prepare(const char *kernel, const arguments &);
/// Makes what the kernel wrote the host's to read.
void make_visible(const arguments &);

// In libraries whose kernels are C++, registry.cpp defines the last two of these.

using body = void (*)(const arguments &);

/// Registers a kernel: `run` runs it and returns when its results are there.
struct kernel {
  kernel(const char *name, body run);
};

}  // namespace bench
