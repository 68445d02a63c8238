// Running a function on the device over arrays, for tests that compare with what the same function gives on the host.
#pragma once

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

namespace test {

/// f(0), …, f(count - 1) as one work-item each.
template <class R, class F> std::vector<R> on_device(std::size_t count, F f) {
  sycl::queue q;
  R *const results = sycl::malloc_shared<R>(count, q);
  q.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { results[i] = f(i[0]); }).wait();
  q.wait_and_throw();
  std::vector<R> copy(results, results + count);
  sycl::free(results, q);
  return copy;
}

/// f() on the host and in a kernel, and `check` on both results.
template <class F, class Check> void on_both(F f, Check check) {
  using R = decltype(f());
  {
    SCOPED_TRACE("host");
    check(f());
  }
  SCOPED_TRACE("device");
  check(on_device<R>(1, [f](std::size_t) { return f(); })[0]);
}

/// The elements of a vector where kernels can read them.
template <class T> class shared_copy {
public:
  explicit shared_copy(const std::vector<T> &from) : data_(sycl::malloc_shared<T>(from.size(), queue_)) {
    for (std::size_t i = 0; i < from.size(); i++) data_[i] = from[i];
  }
  shared_copy(const shared_copy &) = delete;
  shared_copy &operator=(const shared_copy &) = delete;
  ~shared_copy() { sycl::free(data_, queue_); }
  T *data() const { return data_; }

private:
  sycl::queue queue_;
  T *data_;
};

}  // namespace test
