// dpep::exception and its error category. Also the key function of dpep::object, which has no other file.
#include <dpep/exception.hpp>

#include <dpep/context.hpp>
#include <dpep/object.hpp>

namespace dpep {
namespace {

class category final : public std::error_category {
public:
  const char *name() const noexcept override { return "sycl"; }
  std::string message(int value) const override {
    switch (static_cast<errc>(value)) {
    case errc::success:
      return "success";
    case errc::runtime:
      return "runtime error";
    case errc::kernel:
      return "kernel error";
    case errc::accessor:
      return "accessor error";
    case errc::nd_range:
      return "invalid nd_range";
    case errc::event:
      return "event error";
    case errc::kernel_argument:
      return "invalid kernel argument";
    case errc::build:
      return "kernel does not build";
    case errc::invalid:
      return "invalid argument or call";
    case errc::memory_allocation:
      return "out of memory";
    case errc::platform:
      return "platform error";
    case errc::profiling:
      return "profiling error";
    case errc::feature_not_supported:
      return "feature not supported by the device";
    case errc::kernel_not_supported:
      return "kernel not supported by the device";
    case errc::backend_mismatch:
      return "objects of different back ends";
    }
    return "unknown error";
  }
};

}  // namespace

object::~object() = default;

const std::error_category &error_category() noexcept {
  static const category &instance = *new category;  // never destroyed: error codes may be used until process exit
  return instance;
}

std::error_code make_error_code(errc code) noexcept { return {static_cast<int>(code), error_category()}; }

exception::exception(std::error_code code, std::string message)
    : code_(code),
      message_(std::make_shared<const std::string>(message.empty() ? code.message() : std::move(message))) {}

exception::exception(const context &where, std::error_code code, std::string message)
    : exception(code, std::move(message)) {
  where_ = std::make_shared<const context>(where);
}

exception::exception(const exception &) noexcept = default;
exception &exception::operator=(const exception &) noexcept = default;
exception::~exception() = default;

const char *exception::what() const noexcept { return message_->c_str(); }

context exception::get_context() const {
  if (!where_)
    throw exception(errc::invalid, "exception::get_context: the exception has no context; check has_context() first");
  return *where_;
}

}  // namespace dpep
