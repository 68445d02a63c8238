// dpep's exception type. `sycl::exception` and `sycl::errc` are aliases of it and its error codes.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <system_error>

#include <dpep/export.hpp>

namespace dpep {

class context;

/// SYCL 2020's error codes (section 4.13.2). dpep has no others.
enum class errc {
  success = 0,
  runtime,
  kernel,
  accessor,
  nd_range,
  event,
  kernel_argument,
  build,
  invalid,
  memory_allocation,
  platform,
  profiling,
  feature_not_supported,
  kernel_not_supported,
  backend_mismatch,
};

DPEP_API const std::error_category &error_category() noexcept;
DPEP_API std::error_code make_error_code(errc code) noexcept;

/// The error of a call, which throws it, or of a task, whose queue's waits throw it or pass it to the asynchronous
/// handler.
class DPEP_API exception : public std::exception {
public:
  exception(std::error_code code, std::string message = {});
  exception(errc code, std::string message) : exception(make_error_code(code), std::move(message)) {}
  exception(int value, const std::error_category &category, std::string message = {})
      : exception(std::error_code(value, category), std::move(message)) {}
  exception(const context &where, std::error_code code, std::string message = {});
  exception(const context &where, int value, const std::error_category &category, std::string message = {})
      : exception(where, std::error_code(value, category), std::move(message)) {}
  exception(const exception &) noexcept;
  exception &operator=(const exception &) noexcept;
  ~exception() override;

  const std::error_code &code() const noexcept { return code_; }
  const std::error_category &category() const noexcept { return code_.category(); }
  const char *what() const noexcept override;
  bool has_context() const noexcept { return where_ != nullptr; }
  /// Throws errc::invalid when has_context() is false.
  context get_context() const;

private:
  std::error_code code_;
  std::shared_ptr<const std::string> message_;  // shared: copying an exception must not throw
  std::shared_ptr<const context> where_;
};

}  // namespace dpep

template <> struct std::is_error_code_enum<dpep::errc> : std::true_type {};
