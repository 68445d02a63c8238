// Queues on the pretended driver, and what tests ask of it.
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

// Before anybody asks for devices.
inline const bool chosen = [] {
  ::setenv("DPEP_CUDA_DRIVER", DPEP_PRETENDED_CUDA, 1);
  ::setenv("DPEP_CACHE", "off", 1);
  ::setenv("DPEP_FAKE_GPUS", "10", 1);  // tests that lose a device each take another one
  return ::unsetenv("ONEAPI_DEVICE_SELECTOR") == 0;
}();

/// Another library in the process, which uses the driver by itself.
inline const driver_api &others() {
  std::string why;
  return *backend::cuda::load_driver(why);
}

struct PretendedGpu : ::testing::Test {
  const device gpu{"cuda:gpu:0"}, second{"cuda:gpu:1"};
  const queue q{gpu}, in_order{gpu, {.in_order = true}};

  template <class T> T *allocate(usm_kind kind, std::size_t count, const queue &where) {
    void *const place = dpep::allocate(kind, count * sizeof(T), 64, where.get_context(), where.get_device());
    allocated_.push_back(place);
    return static_cast<T *>(place);
  }
  template <class T> T *allocate(usm_kind kind, std::size_t count) { return allocate<T>(kind, count, q); }
  ~PretendedGpu() override {
    for (void *const place : allocated_) dpep::free(place, q.get_context());
  }

  /// A device that no other test uses: a fault takes a device away for the rest of the process.
  static device unused_device() {
    static int next = 2;
    return device("cuda:gpu:" + std::to_string(next++));
  }

private:
  std::vector<void *> allocated_;
};

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

template <class F> std::string message_of(F run) {
  try {
    run();
    return "nothing was thrown";
  } catch (const exception &e) {
    return e.what();
  }
}

/// A function of the pretended driver's that is for tests: of this type, by its name.
template <class F> F *pretended(const char *name) {
  static void *const driver = ::dlopen(DPEP_PRETENDED_CUDA, RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<F *>(::dlsym(driver, name));
}
inline int living(const char *what) { return pretended<int()>(what)(); }

}  // namespace dpep::test
