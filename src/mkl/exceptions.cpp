// The exceptions of oneMKL's functions.
#include <oneapi/mkl/exceptions.hpp>

namespace oneapi::mkl {

exception::exception(const std::string &domain, const std::string &function, const std::string &info)
    : message_(std::make_shared<std::string>(domain + "::" + function + (info.empty() ? "" : ": ") + info)) {}
exception::exception(const exception &) noexcept = default;
exception &exception::operator=(const exception &) noexcept = default;
exception::~exception() = default;
const char *exception::what() const noexcept { return message_->c_str(); }

unsupported_device::unsupported_device(const std::string &domain, const std::string &function,
                                       const dpep::device &where)
    : exception(domain, function, "'" + where.info().name + "' has no library with this function") {}
unsupported_device::~unsupported_device() = default;

host_bad_alloc::host_bad_alloc(const std::string &domain, const std::string &function)
    : exception(domain, function, "no host memory is left") {}
host_bad_alloc::~host_bad_alloc() = default;

device_bad_alloc::device_bad_alloc(const std::string &domain, const std::string &function, const dpep::device &where)
    : exception(domain, function, "no memory is left on '" + where.info().name + "'") {}
device_bad_alloc::~device_bad_alloc() = default;

#define DPEP_MKL_EXCEPTION(name, text)                                                                                 \
  name::name(const std::string &domain, const std::string &function, const std::string &info)                          \
      : exception(domain, function, info.empty() ? text : info) {}                                                     \
  name::~name() = default;
DPEP_MKL_EXCEPTION(unimplemented, "not implemented")
DPEP_MKL_EXCEPTION(invalid_argument, "an argument is not valid")
DPEP_MKL_EXCEPTION(uninitialized, "not initialised")
DPEP_MKL_EXCEPTION(computation_error, "the computation failed")
DPEP_MKL_EXCEPTION(batch_error, "a part of the batch failed")

namespace lapack {

exception::~exception() = default;

invalid_argument::invalid_argument(const std::string &function, const std::string &info, std::int64_t code,
                                   std::int64_t detail)
    : mkl::invalid_argument("lapack", function, info), lapack::exception(code, detail) {}
invalid_argument::~invalid_argument() = default;

computation_error::computation_error(const std::string &function, const std::string &info, std::int64_t code)
    : mkl::computation_error("lapack", function, info), lapack::exception(code, 0) {}
computation_error::~computation_error() = default;

}  // namespace lapack

}  // namespace oneapi::mkl
