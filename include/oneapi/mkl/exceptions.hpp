// The exceptions of oneMKL's functions. libdpep throws them, so it defines them.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include <dpep/device.hpp>

namespace oneapi::mkl {

/// The domain is the namespace of the function, such as "blas".
class DPEP_API exception : public std::exception {
public:
  exception(const std::string &domain, const std::string &function, const std::string &info = "");
  exception(const exception &) noexcept;
  exception &operator=(const exception &) noexcept;
  ~exception() override;
  const char *what() const noexcept override;

private:
  std::shared_ptr<const std::string> message_;  // shared: copying an exception must not throw
};

/// The device has no library for the function.
class DPEP_API unsupported_device : public exception {
public:
  unsupported_device(const std::string &domain, const std::string &function, const dpep::device &);
  ~unsupported_device() override;
};
class DPEP_API host_bad_alloc : public exception {
public:
  host_bad_alloc(const std::string &domain, const std::string &function);
  ~host_bad_alloc() override;
};
class DPEP_API device_bad_alloc : public exception {
public:
  device_bad_alloc(const std::string &domain, const std::string &function, const dpep::device &);
  ~device_bad_alloc() override;
};

#define DPEP_MKL_EXCEPTION(name)                                                                                       \
  class DPEP_API name : public exception {                                                                             \
  public:                                                                                                              \
    name(const std::string &domain, const std::string &function, const std::string &info = "");                        \
    ~name() override;                                                                                                  \
  };
/// The device's library does not have the function, or not with these arguments.
DPEP_MKL_EXCEPTION(unimplemented)
DPEP_MKL_EXCEPTION(invalid_argument)
DPEP_MKL_EXCEPTION(uninitialized)
DPEP_MKL_EXCEPTION(computation_error)
DPEP_MKL_EXCEPTION(batch_error)
#undef DPEP_MKL_EXCEPTION

namespace lapack {

/// What LAPACK's errors add.
class DPEP_API exception {
public:
  exception(std::int64_t info, std::int64_t detail) noexcept : info_(info), detail_(detail) {}
  virtual ~exception();
  /// LAPACK's code: the number of a bad argument, negative, or positive for a computation that failed. If the
  /// scratchpad is too small: its size; detail() is the size that is needed.
  std::int64_t info() const noexcept { return info_; }
  std::int64_t detail() const noexcept { return detail_; }

private:
  std::int64_t info_, detail_;
};

class DPEP_API invalid_argument : public mkl::invalid_argument, public exception {
public:
  invalid_argument(const std::string &function, const std::string &info, std::int64_t code, std::int64_t detail = 0);
  ~invalid_argument() override;
};
class DPEP_API computation_error : public mkl::computation_error, public exception {
public:
  computation_error(const std::string &function, const std::string &info, std::int64_t code);
  ~computation_error() override;
};

}  // namespace lapack

}  // namespace oneapi::mkl
