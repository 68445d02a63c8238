// Opens cuSOLVER and manages its handles.
#include "libs/cusolver.hpp"

#include <optional>

#include <fmt/format.h>

namespace dpep::libs {
namespace {

constexpr cuda_library_name name{"cuSOLVER", "libcusolver.so", "nvidia-cusolver", "cusolver", {{{13, 12}, {12, 11}}}};

void resolve(cusolver_typed &to, const shared_library &library, char letter, bool is_complex, std::string &missing){
#define DPEP_CUSOLVER_FIND(field, real, complex, parameters)                                                           \
  {                                                                                                                    \
    const std::string symbol = std::string("cusolverDn") + letter + (is_complex ? complex : real);                     \
    if (!library.resolve(to.field, symbol) && missing.empty()) missing = symbol;                                       \
  }
    DPEP_CUSOLVER_TYPED(DPEP_CUSOLVER_FIND)
#undef DPEP_CUSOLVER_FIND
}

std::optional<cusolver_library> open(int cuda_version, std::string &why) {
  const shared_library library = open_cuda_library(name, cuda_version, why);
  if (!library) return std::nullopt;
  cusolver_library made;
  std::string missing;
#define DPEP_CUSOLVER_FIND(field, symbol, parameters)                                                                  \
  if (!library.resolve(made.field, #symbol) && missing.empty()) missing = #symbol;
  DPEP_CUSOLVER_FUNCTIONS(DPEP_CUSOLVER_FIND)
#undef DPEP_CUSOLVER_FIND
#define DPEP_CUSOLVER_FIND(field, symbol, parameters) library.resolve(made.field, #symbol);
  DPEP_CUSOLVER_OPTIONAL(DPEP_CUSOLVER_FIND)
#undef DPEP_CUSOLVER_FIND
  resolve(made.float32, library, 'S', false, missing);
  resolve(made.float64, library, 'D', false, missing);
  resolve(made.complex64, library, 'C', true, missing);
  resolve(made.complex128, library, 'Z', true, missing);
  made.path = shared_library::path_of(reinterpret_cast<const void *>(made.create));
  if (!missing.empty()) {
    why = fmt::format("{} has no {}: the library of CUDA 12 or later is needed", made.path, missing);
    return std::nullopt;
  }
  if (const status code = made.create_parameters(&made.defaults)) {
    why = fmt::format("{}: cusolverDnCreateParams failed with status {}", made.path, code);
    return std::nullopt;
  }
  return made;
}

cuda_library_tables<cusolver_library> &tables() {
  static auto &instance = *new cuda_library_tables<cusolver_library>(open);
  return instance;
}
handle_pool &pool() {
  static auto &instance = *new handle_pool;  // never destroyed: the driver may be gone before static objects are
  return instance;
}

}  // namespace

const cusolver_library *find_cusolver(int cuda_version, std::string &why) { return tables().find(cuda_version, why); }
const cusolver_library &require_cusolver(const device &where, const char *operation) {
  return tables().require(where, name, operation);
}

cusolver_session::cusolver_session(const cusolver_library &l, std::uintptr_t context, cuda_stream stream)
    : library_(l), context_(context), handle_(static_cast<cusolver_handle>(pool().take(context))) {
  if (!handle_) check(l.create(&handle_), name.title, "cusolverDnCreate");
  if (const status code = l.set_stream(handle_, stream)) {
    pool().give_back(context, handle_);
    check(code, name.title, "cusolverDnSetStream");
  }
}
cusolver_session::~cusolver_session() { pool().give_back(context_, handle_); }

}  // namespace dpep::libs
