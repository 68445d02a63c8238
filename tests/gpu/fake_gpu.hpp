// The fixture of tests with the fake driver: devices, queues, memory, and the driver functions for tests.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <dpep/interrupts.hpp>
#include <dpep/kernel.hpp>
#include <dpep/memory.hpp>
#include <dpep/native.hpp>
#include <dpep/queue.hpp>

#include "backend/cuda/driver_api.hpp"
#include "jit/kernels.hpp"

namespace dpep::test {

using backend::cuda::address;
using backend::cuda::driver_api;
using backend::cuda::stream_handle;

// Must run before devices are discovered.
inline const bool environment_set = [] {
  ::setenv("DPEP_CUDA_DRIVER", DPEP_FAKE_CUDA_LIBRARY, 1);
  ::setenv("DPEP_CACHE", "off", 1);
  ::setenv("DPEP_FAKE_GPUS", "10", 1);  // tests that lose a device each take another one
  return ::unsetenv("ONEAPI_DEVICE_SELECTOR") == 0;
}();

/// The driver as another library in the process uses it.
inline const driver_api &foreign_driver() {
  std::string why;
  return *backend::cuda::load_driver(why);
}

struct fake_gpu : ::testing::Test {
  const device gpu{"cuda:gpu:0"}, second{"cuda:gpu:1"};
  const queue q{gpu}, in_order{gpu, {.in_order = true}};

  template <class T> T *allocate(usm_kind kind, std::size_t count, const queue &where) {
    void *const place = dpep::allocate(kind, count * sizeof(T), 64, where.get_context(), where.get_device());
    allocated_.push_back(place);
    return static_cast<T *>(place);
  }
  template <class T> T *allocate(usm_kind kind, std::size_t count) { return allocate<T>(kind, count, q); }
  ~fake_gpu() override {
    for (void *const place : allocated_) dpep::free(place, q.get_context());
  }

  /// Returns a device that no other test uses: a fault makes a device unusable for the rest of the process.
  static device next_unused_device() {
    static int next = 2;
    return device("cuda:gpu:" + std::to_string(next++));
  }

private:
  std::vector<void *> allocated_;
};

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

template <class F> std::string error_message(F run) {
  try {
    run();
    return "nothing was thrown";
  } catch (const exception &e) {
    return e.what();
  }
}

/// A function of the fake driver for tests, by type and name.
template <class F> F *driver_function(const char *name) {
  static void *const library = ::dlopen(DPEP_FAKE_CUDA_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<F *>(::dlsym(library, name));
}
/// The value of one of the fake driver's counters.
inline int driver_counter(const char *name) { return driver_function<int()>(name)(); }

}  // namespace dpep::test
