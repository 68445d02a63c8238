// Exceptions: SYCL's names for dpep's error type, and the error lists of asynchronous handlers.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

#include <dpep/exception.hpp>
#include <dpep/queue.hpp>

namespace sycl {

using dpep::errc;
using dpep::exception;
using dpep::make_error_code;

inline const std::error_category &sycl_category() noexcept { return dpep::error_category(); }

/// Asynchronous errors that have not been reported yet, in the order of occurrence.
class exception_list {
public:
  using value_type = std::exception_ptr;
  using reference = value_type &;
  using const_reference = const value_type &;
  using size_type = std::size_t;
  using iterator = std::vector<std::exception_ptr>::const_iterator;
  using const_iterator = iterator;

  exception_list() = default;
  explicit exception_list(std::vector<std::exception_ptr> errors) : errors_(std::move(errors)) {}

  size_type size() const { return errors_.size(); }
  iterator begin() const { return errors_.begin(); }
  iterator end() const { return errors_.end(); }

private:
  std::vector<std::exception_ptr> errors_;
};

using async_handler = std::function<void(exception_list)>;

namespace detail {
inline dpep::async_handler to_dpep(const async_handler &handler) {
  if (!handler) return {};
  return [handler](std::vector<std::exception_ptr> errors) { handler(exception_list(std::move(errors))); };
}
}  // namespace detail

}  // namespace sycl
