// Runs functions on the device over arrays, for tests that compare with the same functions on the host.
#pragma once

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

namespace test {

/// f(0), …, f(count - 1), each computed by a work-item.
template <class R, class F> std::vector<R> on_device(std::size_t count, F f) {
  sycl::queue q;
  R *const results = sycl::malloc_shared<R>(count, q);
  q.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { results[i] = f(i[0]); }).wait();
  q.wait_and_throw();
  std::vector<R> copy(results, results + count);
  sycl::free(results, q);
  return copy;
}

/// Calls `check` with the results of f() on the host and in a kernel.
template <class F, class Check> void on_both(F f, Check check) {
  using R = decltype(f());
  {
    SCOPED_TRACE("host");
    check(f());
  }
  SCOPED_TRACE("device");
  check(on_device<R>(1, [f](std::size_t) { return f(); })[0]);
}

}  // namespace test
