// The exception that a call throws, for tests of error codes and messages.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <sycl/sycl.hpp>

namespace test {

/// The code and the message of an exception; errc::success and an empty message if there was none.
struct caught_error {
  sycl::errc code = sycl::errc::success;
  std::string message;

  bool mentions(std::string_view text) const { return message.find(text) != std::string::npos; }
};

/// The sycl::exception that the call throws.
template <class Call> caught_error error_of(Call &&call) {
  try {
    std::forward<Call>(call)();
    return {};
  } catch (const sycl::exception &e) {
    return {static_cast<sycl::errc>(e.code().value()), e.what()};
  }
}

}  // namespace test
